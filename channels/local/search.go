package local

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/words"
)

// About is what is known of a document.
type About struct {
	Path        string   `json:"-"` // absolute; of a message: the mailbox's path and the message's name
	Title       string   `json:"title"`
	Authors     []string `json:"authors,omitempty"`
	PublishedAt string   `json:"published_at,omitempty"`
	DOI         string   `json:"doi,omitempty"`
	SourceType  string   `json:"source_type,omitempty"`
	Language    string   `json:"language,omitempty"`
	Type        string   `json:"type"` // a value of type: in queries
}

// Hit is a document that matches a query, with its best passage.
type Hit struct {
	About
	Passage string  `json:"passage"`
	Start   int     `json:"start"` // of the passage in the document's text, in code points
	End     int     `json:"end"`
	Lines   string  `json:"lines,omitempty"`   // of the passage, such as 120-128
	Section string  `json:"section,omitempty"` // the headings above the passage
	Score   float64 `json:"score"`
}

// Search scans the folders and returns the documents that match a query, best first; [parseQuery] has the syntax. If indexing
// takes longer than ctx allows, or, once most files are indexed, longer than the configured patience, Search answers from the
// indexed files, and the report counts the missing ones. told, if not nil, receives the progress of indexing.
func (c *Corpus) Search(ctx context.Context, query string, limit int, told func(Progress)) ([]Hit, Report, error) {
	report, err := c.ready(ctx, told)
	if err != nil || limit < 1 {
		return nil, report, err
	}
	ctx = context.WithoutCancel(ctx) // waiting may have taken all of its time: the search itself takes a tenth of a second
	found, err := c.find(ctx, parseQuery(query), limit)
	if err != nil {
		return nil, report, err
	}
	if found, err = c.withNamed(ctx, query, found, limit); err != nil {
		return nil, report, err
	}
	hits := make([]Hit, len(found))
	for i, d := range found {
		if hits[i], err = d.hit(ctx); err != nil {
			return nil, report, err
		}
	}
	return hits, report, nil
}

// statedShare is what the best document with a statement is above the best one without, as a share of the score (chosen).
const statedShare = 0.25

// find returns the best documents. Those with the statements of the query come before all others.
func (c *Corpus) find(ctx context.Context, q query, limit int) ([]*candidate, error) {
	all, err := c.rank(ctx, q, limit)
	if err != nil || len(q.stated) == 0 || len(all) == 0 {
		return all, err
	}
	q.phrases = slices.Concat(q.phrases, q.stated)
	first, err := c.rank(ctx, q, limit)
	if err != nil || len(first) == 0 {
		return all, err
	}
	best, top := max(first[0].score, 1e-9), all[0].score
	for _, d := range first {
		d.score = top * (1 + statedShare*d.score/best)
	}
	return before(first, all, limit), nil
}

// before puts some documents before others, each once.
func before(first, others []*candidate, limit int) []*candidate {
	for _, d := range others {
		if !slices.ContainsFunc(first, func(f *candidate) bool { return f.folder == d.folder && f.id == d.id }) {
			first = append(first, d)
		}
	}
	return first[:min(len(first), limit)]
}

// indexed returns the folders that can be opened, with their indexes.
func (c *Corpus) indexed(ctx context.Context) (out []searched, err error) {
	for _, f := range c.folders {
		if f.now().missing {
			continue
		}
		ix, err := f.index(ctx)
		if err != nil {
			c.cfg.Logger.Warn("corpus: an index cannot be opened", slog.String("folder", f.root), slog.Any("cause", err))
			continue
		}
		out = append(out, searched{f, ix})
	}
	return out, nil
}

// searched is a folder with its open index.
type searched struct {
	*folder
	*index
}

const (
	columns = `SELECT d.id, f.path, d.part, d.words, d.about, d.terms FROM `
	joined  = ` JOIN files f ON f.id = d.file `
)

// candidate reads a row of columns.
func (s searched) candidate(scan func(...any) error) (*candidate, error) {
	d := &candidate{folder: s.folder, ix: s.index, passage: -1}
	var about, packed []byte
	if err := scan(&d.id, &d.file, &d.part, &d.words, &about, &packed); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(about, &d.about); err != nil {
		return nil, errDamaged
	}
	raw, err := s.codec.unpack(packed)
	if err != nil {
		return nil, err
	}
	d.digest, err = decodeDigest(raw)
	return d, err
}

// document reads one document as a candidate.
func (s searched) document(ctx context.Context, id int64) (d *candidate, err error) {
	err = s.each(ctx, func(scan func(...any) error) error {
		d, err = s.candidate(scan)
		return err
	}, columns+`documents d`+joined+`WHERE d.id = ?`, id)
	if err == nil && d == nil {
		err = errDamaged // another process has removed it just now
	}
	return d, err
}

// candidates finds the documents that a query may mean, by the words of documents and by those of the links to them.
func (s searched) candidates(ctx context.Context, asked *question, limit int) ([]*candidate, error) {
	ids, err := s.ids(ctx, asked, limit)
	if err != nil {
		return nil, err
	}
	out := make([]*candidate, len(ids))
	for i, id := range ids {
		if out[i], err = s.document(ctx, id); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// ids returns the best documents by FTS5's BM25 of the words of documents, and of the words of the links to them.
func (s searched) ids(ctx context.Context, asked *question, limit int) (ids []int64, err error) {
	conditions, args := s.conditions(asked)
	add := func(scan func(...any) error) error {
		var id int64
		err := scan(&id)
		if err == nil && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		return err
	}
	if len(asked.words) == 0 {
		return ids, s.each(ctx, add, `SELECT d.id FROM documents d`+joined+`WHERE `+conditions+` ORDER BY f.path, d.part LIMIT ?`, append(args, limit)...)
	}
	allowed := ``
	if len(args) > 0 {
		allowed = ` AND rowid IN (SELECT d.id FROM documents d` + joined + `WHERE ` + conditions + `)`
	}
	match := append([]any{asked.match()}, args...)
	err = s.each(ctx, add, `SELECT rowid FROM document_words WHERE document_words MATCH ? AND rank MATCH 'bm25(4.0, 2.0, 0.5, 1.0, 1.0)'`+allowed+
		` ORDER BY rank LIMIT ?`, append(match, limit)...)
	if err != nil || !asked.linked {
		return ids, err
	}
	return ids, s.each(ctx, add, `SELECT rowid FROM link_words WHERE link_words MATCH ?`+allowed+` ORDER BY rank LIMIT ?`, append(match, maxLinkedCandidates)...)
}

// conditions returns what a document must meet, in SQL.
func (s searched) conditions(asked *question) (where string, args []any) {
	var all []string
	one := func(f field, without bool) {
		condition, value := "", any(f.value)
		switch f.name {
		case "path":
			condition, value = `instr(lower(`+literal(filepath.ToSlash(s.root)+"/")+` || f.path), ?) > 0`, strings.ToLower(strings.ReplaceAll(f.value, `\`, "/"))
		case "type":
			condition = `d.type = ?`
		default:
			if without && asked.several(f) {
				return // accepts looks at the order of the words
			}
			column := cmp.Or(f.name, "body title head")
			condition, value = `d.id IN (SELECT rowid FROM document_words WHERE document_words MATCH ?)`, "{"+column+"} : ("+asked.allOf(f)+")"
		}
		if without {
			condition = "NOT (" + condition + ")"
		}
		all, args = append(all, condition), append(args, value)
	}
	for _, p := range asked.query.phrases {
		one(field{value: p}, false)
	}
	for _, f := range asked.query.fields {
		one(f, false)
	}
	for _, f := range asked.query.without {
		one(f, true)
	}
	return strings.Join(append(all, "true"), " AND "), args
}

// several reports a condition on the text of more than one word.
func (asked *question) several(f field) bool { return f.name == "" && len(asked.forms(f.value)) > 1 }

// phrased reports whether accepts may refuse a candidate.
func (asked *question) phrased() bool {
	return slices.ContainsFunc(asked.query.phrases, func(p string) bool { return asked.several(field{value: p}) }) ||
		slices.ContainsFunc(asked.query.without, asked.several)
}

// accepts reports whether a document has the words of the phrases one after the other, and of the excluded phrases not.
func (asked *question) accepts(d *candidate) bool {
	for _, p := range asked.query.phrases {
		if asked.several(field{value: p}) && !d.has(asked.forms(p)) {
			return false
		}
	}
	return !slices.ContainsFunc(asked.query.without, func(f field) bool { return asked.several(f) && d.has(asked.forms(f.value)) })
}

// has reports whether words follow each other in a passage, in the title, or in a statement of a document.
func (d *candidate) has(forms [][]string) bool {
	is := func(word int, term string) bool { return slices.Contains(forms[word], term) }
	in := func(n int, at func(int) string) bool {
		for i := 0; i+len(forms) <= n; i++ {
			word := 0
			for word < len(forms) && is(word, at(i+word)) {
				word++
			}
			if word == len(forms) {
				return true
			}
		}
		return false
	}
	for _, numbers := range append([][]int{d.digest.title}, passageNumbers(d.digest)...) {
		if in(len(numbers), func(i int) string { return d.digest.terms[numbers[i]] }) {
			return true
		}
	}
	a := words.NewAnalyzer(d.about.Stems)
	return slices.ContainsFunc(d.about.Head, func(s statement) bool {
		said := terms(a, s.Name+" "+strings.Join(s.Values, " "))
		return in(len(said), func(i int) string { return said[i] })
	})
}

func passageNumbers(d *digest) (out [][]int) {
	for _, p := range d.passages {
		out = append(out, p.terms)
	}
	return out
}

// allOf returns the words of a condition for FTS5: all of them in any order, each in the form of any language of the indexes.
func (asked *question) allOf(f field) string {
	forms := asked.forms(f.value)
	if f.name == "author" {
		forms = nil
		for _, t := range terms(words.NewAnalyzer(unstemmed), f.value) {
			forms = append(forms, []string{t})
		}
	}
	var all []string
	for _, word := range forms {
		var any []string
		for _, t := range word {
			any = append(any, quote(t))
		}
		all = append(all, "("+strings.Join(any, " OR ")+")")
	}
	if len(all) == 0 {
		return `""`
	}
	return strings.Join(all, " AND ")
}

// literal returns a string of SQL.
func literal(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// quote returns a term as a string of FTS5.
func quote(term string) string { return `"` + strings.ReplaceAll(term, `"`, `""`) + `"` }

// hit reads the text of a document and its best passage. A passage that only repeats the title is replaced by the next one with
// words of the query.
func (d *candidate) hit(ctx context.Context) (Hit, error) {
	h := Hit{About: d.aboutOf(), Score: d.score}
	if len(d.digest.passages) == 0 {
		return h, nil
	}
	var packed []byte
	if err := d.ix.reader.QueryRowContext(ctx, `SELECT text FROM documents WHERE id = ?`, d.id).Scan(&packed); err != nil {
		return h, err
	}
	raw, err := d.ix.codec.unpack(packed)
	if err != nil {
		return h, err
	}
	text := string(raw)
	of := func(p passageTerms) string {
		start := byteOf(text, p.start)
		return text[start : start+byteOf(text[start:], p.end-p.start)]
	}
	onlyTitle := func(p passageTerms) bool {
		return strings.TrimSpace(strings.TrimLeft(of(p), "# ")) == strings.TrimSpace(d.about.Title)
	}
	best := d.digest.passages[max(0, d.passage)]
	if onlyTitle(best) {
		for i, p := range d.digest.passages {
			if !onlyTitle(p) && (d.passage < 0 || d.scores[i].score > 0) {
				best = p
				break
			}
		}
	}
	h.Passage, h.Start, h.End = of(best), best.start, best.end
	h.Lines, h.Section = place(text, best.start, best.end)
	return h, nil
}

// aboutOf returns a document of a folder. One without a title has the name of its file.
func (d *candidate) aboutOf() About { return aboutOf(d.folder.root, d.file, d.part, d.about) }

func aboutOf(root, file, part string, a stored) About {
	title := a.Title
	if strings.TrimSpace(title) == "" {
		title = path.Base(file)
	}
	return About{Path: filepath.Join(root, filepath.FromSlash(file), part), Title: title, Authors: a.Authors, PublishedAt: a.PublishedAt,
		DOI: a.DOI, SourceType: a.SourceType, Language: a.Language, Type: a.Type}
}
