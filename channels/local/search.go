package local

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/words"
)

// Hit is a document that matches a query, with its best passage.
type Hit struct {
	About
	Passage string
	Lines   string // of the passage, such as 120-128
	Section string // the headings above the passage
	Score   float64
}

// candidate is a document that a query may mean.
type candidate struct {
	id     int64
	file   string // its path
	part   string
	about  About
	digest string
	linked string   // terms of the links to it
	spans  [][2]int // of the passages, in code points
	texts  []string // terms of the passages
	best   int      // the best passage
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
	s := search{index: ix, ctx: context.WithoutCancel(ctx), missing: c.missing()}
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
	*index
	ctx     context.Context
	missing []string // folders that cannot be opened
}

// firstShare is what the best document that a query names is above the best other one, as a share of the score (chosen).
const firstShare = 0.25

// find returns the best documents. Those that the query names come before all others.
func (s search) find(text string, limit int) ([]*candidate, error) {
	asked, err := s.analyse(parseQuery(text))
	if err != nil {
		return nil, err
	}
	all, err := s.rank(asked, limit)
	if err != nil {
		return nil, err
	}
	first, err := s.named(text, asked)
	top := 1.0
	if len(all) > 0 {
		top = all[0].score
	}
	for i, d := range first {
		d.score = top * (1 + firstShare*float64(len(first)-i)/float64(len(first)))
		all = slices.DeleteFunc(all, func(other *candidate) bool { return other.id == d.id })
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
		d := &candidate{}
		var about, packed []byte
		err := scan(&d.id, &d.file, &d.part, &about, &packed, &d.linked)
		if err == nil {
			d.about, err = aboutOf(about, d.file, d.part)
		}
		if err == nil {
			d.digest, err = s.codec.unpack(packed)
		}
		out = append(out, d)
		return err
	}, `SELECT d.id, f.path, d.part, d.about, d.digest, coalesce((SELECT group_concat(terms, ' ') FROM (SELECT terms FROM links l
			WHERE l.target = f.stem AND d.part = '' LIMIT ?)), '')
		FROM `+documentsInFiles+` WHERE d.id IN (SELECT value FROM json_each(?))`, maxLinks, string(list))
	slices.SortFunc(out, func(a, b *candidate) int { return slices.Index(ids, a.id) - slices.Index(ids, b.id) })
	return out, err
}

// candidates finds the documents that a query may mean: those that state what it states, the best ones by FTS5's BM25, and those that
// links suggest.
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
	must := s.conditions(asked)
	if len(asked.words) == 0 {
		err := s.each(s.ctx, add, `SELECT d.id FROM `+documentsInFiles+` WHERE `+must.sql+` ORDER BY f.path, d.part LIMIT ?`,
			append(must.args, limit)...)
		if err != nil {
			return nil, err
		}
		return s.documents(ids)
	}
	allowed := ``
	if len(must.args) > 0 {
		allowed = ` AND rowid IN (SELECT d.id FROM ` + documentsInFiles + ` WHERE ` + must.sql + `)`
	}
	matches := []string{asked.match()}
	for _, stated := range slices.Backward(asked.query.stated) {
		matches = slices.Insert(matches, 0, "{head} : ("+asked.allOf(field{value: stated})+")")
	}
	for _, match := range matches {
		err := s.each(s.ctx, add, `SELECT rowid FROM document_words WHERE document_words MATCH ? AND rank MATCH 'bm25(4.0, 0.5, 1.0, 1.0)'`+
			allowed+` ORDER BY rank LIMIT ?`, slices.Concat([]any{match}, must.args, []any{limit})...)
		if err != nil {
			return nil, err
		}
	}
	err := s.each(s.ctx, add, `SELECT d.id FROM (SELECT rowid, rank FROM link_words WHERE link_words MATCH ? ORDER BY rank LIMIT ?) w
		JOIN links l ON l.id = w.rowid JOIN files f ON f.stem = l.target
		JOIN documents d ON d.file = f.id WHERE d.part = '' AND `+must.sql+` GROUP BY d.id ORDER BY sum(w.rank) LIMIT ?`,
		slices.Concat([]any{asked.match(), maxLinkHits}, must.args, []any{maxLinked})...)
	if err != nil {
		return nil, err
	}
	return s.documents(ids)
}

// condition is what documents must meet, in SQL.
type condition struct {
	sql  string
	args []any
}

func (c *condition) and(sql string, args ...any) {
	c.sql, c.args = c.sql+" AND "+sql, append(c.args, args...)
}

// present is the condition that the folder of a file can be opened.
func (s search) present() condition {
	c := condition{sql: "true"}
	for _, folder := range s.missing {
		c.and(`substr(f.path, 1, length(?)) <> ?`, folder+"/", folder+"/")
	}
	return c
}

// conditions returns what a document must meet. The order of the words of phrases is left to [question.accepts].
func (s search) conditions(asked *question) condition {
	c := s.present()
	one := func(f field, not string) {
		const matches = `d.id IN (SELECT rowid FROM document_words WHERE document_words MATCH ?)`
		switch f.name {
		case "type": // of the format, of the file's name, or stated by the document
			c.and(not+` (json_extract(d.about, '$.type') = ? OR f.path LIKE ? OR `+matches+`)`,
				f.value, "%."+f.value, "{head} : ("+asked.allOf(field{value: "type " + f.value})+")")
		case "path":
			c.and(not+` instr(lower(f.path), ?) > 0`, strings.ToLower(strings.ReplaceAll(f.value, `\`, "/")))
		default:
			c.and(not+" "+matches, "{"+cmp.Or(f.name, "body title head")+"} : ("+asked.allOf(f)+")")
		}
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
	return c
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

// hit reads the text of a document and its best passage.
func (s search) hit(d *candidate) (Hit, error) {
	h := Hit{About: d.about, Score: d.score}
	var packed []byte
	if err := s.QueryRowContext(s.ctx, `SELECT text FROM documents WHERE id = ?`, d.id).Scan(&packed); err != nil {
		return h, err
	}
	text, err := s.codec.unpack(packed)
	if err != nil || len(d.spans) == 0 {
		return h, err
	}
	from := byteOf(text, d.spans[d.best][0])
	to := from + byteOf(text[from:], d.spans[d.best][1]-d.spans[d.best][0])
	h.Passage = text[from:to]
	h.Lines, h.Section = linesOf(text, from, to)
	return h, nil
}

// maxOutlined is the size in bytes up to which the headings of a text are read (chosen): reading that much takes 20 ms.
const maxOutlined = 1 << 20

// linesOf returns the lines of a stretch of a text and the path of headings above it, or both empty where the text has no such
// stretch.
func linesOf(text string, from, to int) (in, section string) {
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
