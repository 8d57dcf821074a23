package bench

import (
	"context"
	"database/sql"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"
	_ "modernc.org/sqlite"

	"github.com/citeloop/citeloop/channels/local"
	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/text/passage"
	textwords "github.com/citeloop/citeloop/internal/text/words"
)

var (
	corpusRun     = flag.Bool("corpus", false, "compare the corpus with bleve and SQLite FTS5; takes minutes")
	corpusFiles   = flag.Int("corpus-files", 1000, "documents that are made, of 30 kB each")
	corpusDirs    = flag.String("corpus-dirs", "", "folders of real documents in place of those, joined by commas")
	corpusEngines = flag.String("corpus-engines", "citeloop,bleve,fts5", "which to measure; one alone where memory counts")
)

// doc is one document.
type doc struct{ path, title, text string }

// engine is a search engine to compare: it indexes the passages of the same documents, and returns the ten best documents
// for a query by their best passage.
type engine interface {
	build(dir string, docs []doc) error
	open(dir string) error
	search(query string) ([]string, error) // paths, best first
	close() error
}

// TestCorpusEngines prints a table: time to build, to open and to query, size on disk, and how often the document of a query
// is the first result or among ten.
func TestCorpusEngines(t *testing.T) {
	if !*corpusRun {
		t.Skip("a measurement: run it with -corpus")
	}
	dirs := strings.Split(*corpusDirs, ",")
	if *corpusDirs == "" {
		dirs = []string{t.TempDir()}
		makeFolder(t, dirs[0], *corpusFiles)
	}
	begun := time.Now()
	docs := readFolders(t, dirs)
	reading := time.Since(begun)
	size := 0
	for _, d := range docs {
		size += len(d.text)
	}
	t.Logf("%d documents, %.1f MB of text, read and extracted in %.1f s", len(docs), float64(size)/1e6, reading.Seconds())
	queries := knownItems(docs, 400)
	for _, name := range strings.Split(*corpusEngines, ",") {
		e := map[string]engine{"citeloop": &ours{dirs: dirs}, "bleve": &bleveEngine{}, "fts5": &fts5{}}[name]
		dir := t.TempDir()
		begun := time.Now()
		if err := e.build(dir, docs); err != nil {
			t.Fatal(err)
		}
		built := time.Since(begun)
		begun = time.Now()
		if err := e.open(dir); err != nil {
			t.Fatal(err)
		}
		if _, err := e.search("open"); err != nil { // includes lazy initialisation
			t.Fatal(err)
		}
		opened := time.Since(begun)
		t.Logf("%-9s build %.1f s, open %.0f ms, %.1f MB on disk, RSS %.0f MB", name, built.Seconds(), float64(opened.Microseconds())/1e3, float64(bytesIn(dir))/1e6, residentMB())
		for _, kind := range []string{"title", "rare words", "sentence"} {
			var took []time.Duration
			first, ten, n := 0, 0, 0
			for _, q := range queries {
				if q.kind != kind {
					continue
				}
				n++
				begun := time.Now()
				found, err := e.search(q.text)
				took = append(took, time.Since(begun))
				if err != nil {
					t.Fatalf("%q: %v", q.text, err)
				}
				if at := slices.Index(found, q.path); at == 0 {
					first++
					ten++
				} else if at > 0 {
					ten++
				}
			}
			slices.Sort(took)
			if n > 0 {
				t.Logf("%-9s %-10s n=%d first %.3f, in ten %.3f, p50 %.1f ms, p95 %.1f ms", name, kind, n, float64(first)/float64(n), float64(ten)/float64(n),
					float64(took[n/2].Microseconds())/1e3, float64(took[n*95/100].Microseconds())/1e3)
			}
		}
		t.Logf("%-9s RSS after the queries %.0f MB", name, residentMB())
		if err := e.close(); err != nil {
			t.Error(err)
		}
	}
}

// makeFolder writes documents of invented words with the frequencies of natural language.
func makeFolder(t *testing.T, dir string, n int) {
	r := rand.New(rand.NewPCG(1, 2))
	const vocabulary = 120_000
	zipf := rand.NewZipf(r, 1.15, 6, vocabulary-1)
	syllables := strings.Fields("ka to mi re lun sor ven tal pri os qua den fer il mar nox ber cal dur em gan hol iv jor")
	word := func() string {
		var w strings.Builder
		for i := int(zipf.Uint64()); ; i /= len(syllables) {
			w.WriteString(syllables[i%len(syllables)])
			if i < len(syllables) {
				return w.String()
			}
		}
	}
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s %s %s %s\n\n", word(), word(), word(), word())
		for b.Len() < 30_000 {
			for range 2 + r.IntN(5) {
				for range 6 + r.IntN(16) {
					b.WriteString(word() + " ")
				}
				b.WriteString("is the " + word() + ". ")
			}
			b.WriteString("\n\n")
		}
		sub := filepath.Join(dir, fmt.Sprintf("%02d", i%50))
		if err := os.MkdirAll(sub, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(sub, fmt.Sprintf("%05d.md", i)), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func newReader(tb testing.TB) *fetch.Reader {
	tb.Helper()
	r, err := fetch.New(fetch.Config{})
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = r.Close() })
	return r
}

// readFolders reads the documents for engines that cannot do so, and for making queries.
func readFolders(t *testing.T, dirs []string) []doc {
	reader := newReader(t)
	var docs []doc
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || strings.HasPrefix(d.Name(), ".") {
				return err
			}
			if _, ok := fetch.ReadsFile(path); !ok {
				return nil
			}
			f, err := os.Open(path)
			if err != nil {
				return err
			}
			defer f.Close()
			_ = reader.EachDocument(context.Background(), path, f, func(_ string, x document.Document) error {
				docs = append(docs, doc{path, x.Title, x.Text})
				return nil
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return docs
}

// item is a query and its document.
type item struct{ kind, text, path string }

// knownItems makes three kinds of queries from random documents: the title, if it is unique; the five rarest words of a
// sentence, in another order; and every second word of a sentence.
func knownItems(docs []doc, n int) []item {
	r := rand.New(rand.NewPCG(3, 4))
	titles, df := map[string]int{}, map[string]int{}
	for _, d := range docs {
		titles[d.title]++
		seen := map[string]bool{}
		for _, w := range words(d.text) {
			if !seen[w] {
				seen[w] = true
				df[w]++
			}
		}
	}
	var out []item
	for range n {
		d := docs[r.IntN(len(docs))]
		if titles[d.title] == 1 && len(words(d.title)) > 1 {
			out = append(out, item{"title", strings.Join(words(d.title), " "), d.path})
		}
		sentences := textwords.Sentences(d.text)
		if len(sentences) == 0 {
			continue
		}
		s := words(sentences[r.IntN(len(sentences))].Text)
		if len(s) < 8 {
			continue
		}
		var half []string
		for i := 0; i < len(s); i += 2 {
			half = append(half, s[i])
		}
		out = append(out, item{"sentence", strings.Join(half[:min(len(half), 20)], " "), d.path})
		slices.SortFunc(s, func(a, b string) int { return df[a] - df[b] })
		s = slices.Compact(s)
		rare := s[:min(5, len(s))]
		r.Shuffle(len(rare), func(i, j int) { rare[i], rare[j] = rare[j], rare[i] })
		out = append(out, item{"rare words", strings.Join(rare, " "), d.path})
	}
	return out
}

// words returns the words of letters only, which every query language accepts.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r < 0x80 })
}

func bytesIn(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				n += info.Size()
			}
		}
		return nil
	})
	return n
}

// residentMB returns the resident memory of the process, on Linux.
func residentMB() float64 {
	runtime.GC()
	raw, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, resident float64
	if _, err := fmt.Sscan(string(raw), &size, &resident); err != nil {
		return 0
	}
	return resident * float64(os.Getpagesize()) / 1e6
}

// ours reads the files itself, so that its build time includes extraction, unlike the other engines.
type ours struct {
	dirs   []string
	reader *fetch.Reader
	c      *local.Corpus
}

func (e *ours) config(dir string) local.Config {
	return local.Config{Folders: e.dirs, Dir: dir, Edition: "bench", Reader: e.reader}
}

func (e *ours) build(dir string, _ []doc) (err error) {
	if e.reader, err = fetch.New(fetch.Config{}); err != nil {
		return err
	}
	c, err := local.New(e.config(dir))
	if err != nil {
		return err
	}
	if _, err := c.Index(context.Background(), nil); err != nil {
		return err
	}
	return c.Close()
}

func (e *ours) open(dir string) (err error) {
	e.c, err = local.New(e.config(dir))
	return err
}

func (e *ours) search(query string) ([]string, error) {
	hits, _, err := e.c.Search(context.Background(), query, 10, nil)
	var out []string
	for _, h := range hits {
		out = append(out, h.Path)
	}
	return out, err
}

func (e *ours) close() error { return e.c.Close() }

// eachPassage yields the passages of the documents, the title with the first.
func eachPassage(docs []doc, yield func(d doc, n int, title, text string) error) error {
	for _, d := range docs {
		for n, p := range passage.Split(d.text, 600) {
			title := ""
			if n == 0 {
				title = d.title
			}
			if err := yield(d, n, title, p.Text); err != nil {
				return err
			}
		}
	}
	return nil
}

// firstTen returns the first ten distinct paths of a ranking of passages.
func firstTen(paths []string) []string {
	var out []string
	for _, p := range paths {
		if !slices.Contains(out, p) && len(out) < 10 {
			out = append(out, p)
		}
	}
	return out
}

// bleveEngine is bleve with its English analyser, batches of a thousand, and its default index on disk.
type bleveEngine struct{ index bleve.Index }

func (e *bleveEngine) mapping() mapping.IndexMapping {
	field := bleve.NewTextFieldMapping()
	field.Analyzer, field.Store, field.IncludeInAll, field.DocValues = en.AnalyzerName, false, false, false
	path := bleve.NewKeywordFieldMapping()
	path.Index, path.IncludeInAll, path.DocValues = false, false, false
	d := bleve.NewDocumentStaticMapping()
	d.AddFieldMappingsAt("text", field)
	d.AddFieldMappingsAt("title", field)
	m := bleve.NewIndexMapping()
	m.DefaultMapping, m.DefaultAnalyzer, m.ScoringModel = d, en.AnalyzerName, "bm25"
	return m
}

func (e *bleveEngine) build(dir string, docs []doc) error {
	ix, err := bleve.NewUsing(filepath.Join(dir, "bleve"), e.mapping(), scorch.Name, scorch.Name, nil)
	if err != nil {
		return err
	}
	batch := ix.NewBatch()
	err = eachPassage(docs, func(d doc, n int, title, text string) error {
		if err := batch.Index(fmt.Sprintf("%s\x00%d", d.path, n), map[string]any{"title": title, "text": text}); err != nil {
			return err
		}
		if batch.Size() < 1000 {
			return nil
		}
		err := ix.Batch(batch)
		batch.Reset()
		return err
	})
	if err != nil {
		return err
	}
	if err := ix.Batch(batch); err != nil {
		return err
	}
	return ix.Close()
}

func (e *bleveEngine) open(dir string) (err error) {
	e.index, err = bleve.Open(filepath.Join(dir, "bleve"))
	return err
}

func (e *bleveEngine) search(text string) ([]string, error) {
	body, title := bleve.NewMatchQuery(text), bleve.NewMatchQuery(text)
	body.SetField("text")
	title.SetField("title")
	found, err := e.index.Search(bleve.NewSearchRequestOptions(bleve.NewDisjunctionQuery(body, title), 50, 0, false))
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, h := range found.Hits {
		path, _, _ := strings.Cut(h.ID, "\x00")
		paths = append(paths, path)
	}
	return firstTen(paths), nil
}

func (e *bleveEngine) close() error { return e.index.Close() }

// fts5 is SQLite's full text search with Porter's stemmer, in one transaction, without a copy of the texts.
type fts5 struct{ db *sql.DB }

func (e *fts5) build(dir string, docs []doc) error {
	if err := e.open(dir); err != nil {
		return err
	}
	tx, err := e.db.Begin()
	if err != nil {
		return err
	}
	for _, statement := range []string{
		`CREATE TABLE passages (id INTEGER PRIMARY KEY, path TEXT NOT NULL)`,
		`CREATE VIRTUAL TABLE words USING fts5(title, body, content='', tokenize='porter unicode61 remove_diacritics 2')`,
	} {
		if _, err := tx.Exec(statement); err != nil {
			return err
		}
	}
	paths, err := tx.Prepare(`INSERT INTO passages (id, path) VALUES (?, ?)`)
	if err != nil {
		return err
	}
	texts, err := tx.Prepare(`INSERT INTO words (rowid, title, body) VALUES (?, ?, ?)`)
	if err != nil {
		return err
	}
	id := 0
	err = eachPassage(docs, func(d doc, _ int, title, text string) error {
		id++
		if _, err := paths.Exec(id, d.path); err != nil {
			return err
		}
		_, err := texts.Exec(id, title, text)
		return err
	})
	if err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	if _, err := e.db.Exec(`INSERT INTO words(words) VALUES ('optimize')`); err != nil {
		return err
	}
	return e.db.Close()
}

func (e *fts5) open(dir string) (err error) {
	e.db, err = sql.Open("sqlite", "file:"+filepath.Join(dir, "fts5.db")+"?_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)")
	return err
}

func (e *fts5) search(text string) ([]string, error) {
	var quoted []string
	for _, w := range strings.Fields(text) {
		quoted = append(quoted, `"`+w+`"`)
	}
	rows, err := e.db.Query(`SELECT path FROM words JOIN passages ON passages.id = words.rowid WHERE words MATCH ? ORDER BY rank LIMIT 50`, strings.Join(quoted, " OR "))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var paths []string
	for rows.Next() {
		var path string
		if err := rows.Scan(&path); err != nil {
			return nil, err
		}
		paths = append(paths, path)
	}
	return firstTen(paths), rows.Err()
}

func (e *fts5) close() error { return e.db.Close() }
