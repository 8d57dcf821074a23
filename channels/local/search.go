package local

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/words"
)

// About is what is known of a document.
type About struct {
	Path        string // absolute; of a message: the mailbox's path and the message's name
	Title       string
	Authors     []string
	PublishedAt string
	DOI         string
	SourceType  string
	Language    string
	Type        string // a value of type: in queries
}

// Hit is a document that matches a query, with its best passage.
type Hit struct {
	About
	Passage    string
	Start, End int    // of the passage in the document's text, in code points
	Lines      string // of the passage, such as 120-128
	Section    string // the headings above the passage
	Score      float64
}

// candidate is a document that a query may mean.
type candidate struct {
	place
	id     int64
	part   string
	about  stored
	digest string
	linked string   // terms of the links to it
	spans  [][2]int // of the passages
	texts  []string // terms of the passages
	best   int      // the best passage; -1 = none has a word of the query
	scores []float64
	score  float64
}

// Search scans the folders and returns the documents that match a query, best first; [parseQuery] has the syntax. If indexing
// takes longer than ctx allows, or, once most files are indexed, longer than the configured patience, Search answers from the
// indexed files, and the report counts the missing ones.
func (c *Corpus) Search(ctx context.Context, query string, limit int) ([]Hit, Report, error) {
	report, err := c.ready(ctx)
	if err != nil || limit < 1 {
		return nil, report, err
	}
	ix, err := c.index()
	if err != nil {
		return nil, report, nil // the report says so
	}
	// waiting may have taken all of the time: a search takes a tenth of a second
	s := search{Corpus: c, index: ix, ctx: context.WithoutCancel(ctx)}
	found, err := s.find(query, limit)
	var hits []Hit
	for _, d := range found {
		h, failed := s.hit(d)
		switch {
		case failed == nil:
			hits = append(hits, h)
		case !errors.Is(failed, sql.ErrNoRows): // else it was read again, or is gone, since it was rated
			err = cmp.Or(err, failed)
		}
	}
	c.mend(ix, err)
	return hits, report, err
}

// search answers one query.
type search struct {
	*Corpus
	*index
	ctx context.Context
}

// firstShare is what the best document that a query names is above the best other one, as a share of the score (chosen).
const firstShare = 0.25

// find returns the best documents. Those that the query names come before all others.
func (s search) find(text string, limit int) ([]*candidate, error) {
	all, err := s.rank(parseQuery(text), limit)
	if err != nil {
		return nil, err
	}
	first, err := s.named(text)
	top := 1.0
	if len(all) > 0 {
		top = all[0].score
	}
	for i, d := range first {
		d.score = top * (1 + firstShare*float64(len(first)-i)/float64(len(first)))
		if same := slices.IndexFunc(all, func(o *candidate) bool { return o.id == d.id }); same >= 0 {
			d.best, d.scores = all[same].best, all[same].scores
			all = slices.Delete(all, same, same+1)
		}
	}
	all = append(first, all...)
	return all[:min(len(all), limit)], err
}

const documentsInFiles = `documents d JOIN files f ON f.id = d.file`

// documents loads documents as candidates, in the order of ids.
func (s search) documents(ids []int64) (out []*candidate, err error) {
	list, err := json.Marshal(ids)
	if err != nil {
		return nil, err
	}
	err = s.each(s.ctx, func(scan scanner) error {
		d := &candidate{best: -1}
		var about, packed []byte
		if err := scan(&d.id, &d.folder, &d.path, &d.part, &about, &packed, &d.linked); err != nil {
			return err
		}
		out = append(out, d)
		if json.Unmarshal(about, &d.about) != nil {
			return errDamaged
		}
		var err error
		d.digest, err = s.codec.unpack(packed)
		return err
	}, `SELECT d.id, f.folder, f.path, d.part, d.about, d.digest, coalesce((SELECT group_concat(terms, ' ') FROM (SELECT terms FROM links l
			WHERE l.folder = f.folder AND l.target = f.stem AND d.part = '' LIMIT ?)), '')
		FROM `+documentsInFiles+` WHERE d.id IN (SELECT value FROM json_each(?))`, maxLinks, string(list))
	slices.SortFunc(out, func(a, b *candidate) int { return slices.Index(ids, a.id) - slices.Index(ids, b.id) })
	return out, err
}

// candidates finds the documents that a query may mean: those that state what it states, and the best ones by FTS5's BM25.
func (s search) candidates(asked *question, limit int) ([]*candidate, error) {
	var ids []int64
	add := func(scan scanner) error {
		var id int64
		err := scan(&id)
		if err == nil && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
		return err
	}
	where, args := s.conditions(asked)
	if len(asked.words) == 0 {
		err := s.each(s.ctx, add, `SELECT d.id FROM `+documentsInFiles+` WHERE `+where+` ORDER BY f.path, d.part LIMIT ?`,
			append(args, limit)...)
		if err != nil {
			return nil, err
		}
		return s.documents(ids)
	}
	allowed := ``
	if where != everywhere {
		allowed = ` AND rowid IN (SELECT d.id FROM ` + documentsInFiles + ` WHERE ` + where + `)`
	}
	match := func(condition string) error {
		return s.each(s.ctx, add, `SELECT rowid FROM document_words WHERE document_words MATCH ? AND rank MATCH 'bm25(4.0, 0.5, 1.0, 1.0)'`+
			allowed+` ORDER BY rank LIMIT ?`, append(append([]any{condition}, args...), limit)...)
	}
	for _, stated := range asked.query.stated {
		if err := match("{head} : (" + asked.allOf(field{value: stated}) + ")"); err != nil {
			return nil, err
		}
	}
	if err := match(asked.match()); err != nil {
		return nil, err
	}
	err := s.each(s.ctx, add, `SELECT d.id FROM (SELECT rowid, rank FROM link_words WHERE link_words MATCH ? ORDER BY rank LIMIT ?) w
		JOIN links l ON l.id = w.rowid JOIN files f ON f.folder = l.folder AND f.stem = l.target
		JOIN documents d ON d.file = f.id WHERE d.part = '' AND `+where+` GROUP BY d.id ORDER BY sum(w.rank) LIMIT ?`,
		slices.Concat([]any{asked.match(), maxLinkHits}, args, []any{maxLinked})...)
	if err != nil {
		return nil, err
	}
	return s.documents(ids)
}

// everywhere is the condition of documents in any folder.
const everywhere = "true"

// present is the condition, in SQL, that the folder of a file f can be opened.
func (c *Corpus) present() string {
	var missing []string
	for folder, gone := range c.now().missing {
		if gone {
			missing = append(missing, strconv.Itoa(folder))
		}
	}
	if len(missing) == 0 {
		return everywhere
	}
	return "f.folder NOT IN (" + strings.Join(missing, ",") + ")"
}

// conditions returns what a document must meet, in SQL. The order of the words of phrases is left to [question.accepts].
func (s search) conditions(asked *question) (where string, args []any) {
	where = s.present()
	one := func(f field, not string) {
		var condition, value string
		switch f.name {
		case "type": // of the format, of the file's name, or stated by the document
			condition = `d.type = ? OR lower(f.path) LIKE ? OR d.id IN (SELECT rowid FROM document_words WHERE document_words MATCH ?)`
			value = "{head} : (" + asked.allOf(field{value: "type " + f.value}) + ")"
			args = append(args, f.value, "%."+f.value)
		case "path":
			var folders strings.Builder
			for n, root := range s.roots {
				folders.WriteString(" WHEN " + strconv.Itoa(n) + " THEN '" + strings.ReplaceAll(filepath.ToSlash(root), "'", "''") + "'")
			}
			condition = `instr(lower((CASE f.folder` + folders.String() + ` END) || '/' || f.path), ?) > 0`
			value = strings.ToLower(strings.ReplaceAll(f.value, `\`, "/"))
		default:
			condition, value = `d.id IN (SELECT rowid FROM document_words WHERE document_words MATCH ?)`,
				"{"+cmp.Or(f.name, "body title head")+"} : ("+asked.allOf(f)+")"
		}
		where += ` AND ` + not + ` (` + condition + `)`
		args = append(args, value)
	}
	for _, p := range asked.query.phrases {
		one(field{value: p}, "")
	}
	for _, f := range asked.query.fields {
		one(f, "")
	}
	for _, f := range asked.query.without {
		if !f.isPhrase() {
			one(f, "NOT")
		}
	}
	return where, args
}

func isSpace(r rune) bool { return unicode.IsSpace(r) }

// isPhrase reports several words anywhere in a document.
func (f field) isPhrase() bool { return f.name == "" && strings.ContainsFunc(f.value, isSpace) }

// match returns the words of the query for FTS5: any of them, without function words unless there are no others.
func (asked *question) match() string {
	var all, some []string
	for _, w := range asked.words {
		for _, term := range w.terms {
			if all = append(all, term); !asked.function(term) {
				some = append(some, term)
			}
		}
	}
	if len(some) > 0 {
		all = some
	}
	return anyOf(all)
}

// anyOf returns a condition of FTS5: any of some terms.
func anyOf(terms []string) string {
	quoted := make([]string, len(terms))
	for i, t := range terms {
		quoted[i] = `"` + strings.ReplaceAll(t, `"`, `""`) + `"`
	}
	return "(" + strings.Join(quoted, " OR ") + ")"
}

// allOf returns the words of a condition for FTS5: all of them in any order, each in the form of any language of the index.
func (asked *question) allOf(f field) string {
	forms := asked.forms(f.value)
	if f.name == "author" {
		forms = nil
		for _, t := range terms(words.NewAnalyzer(unstemmed), f.value) {
			forms = append(forms, []string{t})
		}
	}
	all := []string{}
	for _, word := range forms {
		all = append(all, anyOf(word))
	}
	return cmp.Or(strings.Join(all, " AND "), `""`)
}

// hit reads the text of a document and its best passage. A passage that only repeats the title is replaced by the next one with
// words of the query.
func (s search) hit(d *candidate) (Hit, error) {
	h := Hit{About: s.aboutOf(d.place, d.part, d.about), Score: d.score}
	var packed []byte
	if err := s.reader.QueryRowContext(s.ctx, `SELECT text FROM documents WHERE id = ?`, d.id).Scan(&packed); err != nil {
		return h, err
	}
	text, err := s.codec.unpack(packed)
	if err != nil || len(d.spans) == 0 {
		return h, err
	}
	of := func(span [2]int) string {
		start := byteOf(text, span[0])
		return text[start : start+byteOf(text[start:], span[1]-span[0])]
	}
	onlyTitle := func(span [2]int) bool {
		return strings.TrimSpace(strings.TrimLeft(of(span), "# ")) == strings.TrimSpace(d.about.Title)
	}
	best := d.spans[max(0, d.best)]
	if onlyTitle(best) {
		for i, span := range d.spans {
			if !onlyTitle(span) && (d.best < 0 || d.scores[i] > 0) {
				best = span
				break
			}
		}
	}
	h.Passage, h.Start, h.End = of(best), best[0], best[1]
	h.Lines, h.Section = linesOf(text, best[0], best[1])
	return h, nil
}

// aboutOf describes a document. One without a title has the name of its file.
func (c *Corpus) aboutOf(at place, part string, a stored) About {
	return About{Path: filepath.Join(c.roots[at.folder], filepath.FromSlash(at.path), part),
		Title:   cmp.Or(strings.TrimSpace(a.Title), path.Base(at.path)),
		Authors: a.Authors, PublishedAt: a.PublishedAt, DOI: a.DOI, SourceType: a.SourceType, Language: a.Language, Type: a.Type}
}

// maxOutlined is the size in bytes up to which the headings of a text are read (chosen): reading that much takes 20 ms.
const maxOutlined = 1 << 20

// linesOf returns the lines of a stretch [start, end) of a text, in code points, and the path of headings above it, or both empty
// where the text has no such stretch.
func linesOf(text string, start, end int) (in, section string) {
	from := byteOf(text, start)
	to := from + byteOf(text[from:], end-start)
	if from == to {
		return "", ""
	}
	at := lines.Range{First: 1 + strings.Count(text[:from], "\n"), Last: 1 + strings.Count(text[:to-1], "\n")}
	if len(text) <= maxOutlined {
		whole := lines.New(text)
		for _, b := range whole.Blocks(lines.Ranges{{First: at.First, Last: whole.Len()}}) {
			if section, _ = whole.Context(b); b.Kind != lines.Heading {
				break
			}
		}
	}
	return lines.Ranges{at}.String(), section
}

// byteOf returns the byte at which a code point of a text begins, at most the length of the text.
func byteOf(text string, point int) int {
	at := 0
	for ; point > 0 && at < len(text); point-- {
		_, size := utf8.DecodeRuneInString(text[at:])
		at += size
	}
	return at
}
