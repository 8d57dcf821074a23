package local

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

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

// Search scans the folders and returns the documents that match a query, best first; [parseQuery] has the syntax. If indexing takes
// longer than three quarters of the time that ctx leaves, Search answers from the indexed files, and the report counts the missing ones.
func (c *Corpus) Search(ctx context.Context, query string, limit int) (hits []Hit, report Report, err error) {
	ix, report, err := c.ready(ctx)
	if ix == nil || limit < 1 {
		return nil, report, err
	}
	s := search{ix, context.WithoutCancel(ctx)} // waiting may have taken all of the time: a search takes a tenth of a second
	found, err := s.find(query, limit)
	for _, d := range found {
		text, failed := rows(s.ctx, ix, column[[]byte], `SELECT text FROM documents WHERE id = ?`, d.id)
		if err = cmp.Or(err, failed); len(text) > 0 { // else it was read again, or is gone, since it was rated
			h, failed := d.hit(text[0])
			hits, err = append(hits, h), cmp.Or(err, failed)
		}
	}
	c.mend(ix, err)
	return hits, report, err
}

// search answers one query.
type search struct {
	*index
	ctx context.Context
}

// firstShare is what the best document that a query names is above the best other one, as a share of the score (chosen).
const firstShare = 0.25

// find returns the best documents. Those that the query names come before all others.
func (s search) find(text string, limit int) ([]*candidate, error) {
	all, err := s.rank(parseQuery(text), limit)
	named, failed := s.named(text)
	if err = cmp.Or(err, failed); err != nil {
		return nil, err
	}
	top := 1.0
	if len(all) > 0 {
		top = all[0].score
	}
	for i, n := range named {
		is := func(d *candidate) bool { return d.id == n.id }
		if !slices.ContainsFunc(all, is) {
			other, err := s.load(`id = ?`, n.id)
			if err != nil {
				return nil, err
			}
			all = append(all, other...)
		}
		if at := slices.IndexFunc(all, is); at >= 0 {
			all[at].score = top * (1 + firstShare*float64(len(named)-i)/float64(len(named)))
		}
	}
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(b.score, a.score) })
	return bounded(all, limit), nil
}

const (
	maxLinked   = 60    // candidates that the links to them suggest
	maxLinkHits = 1_000 // links among which those are looked for
)

// candidates finds the documents that a query may mean: the best ones by FTS5's BM25, and those of the best links. The order of the
// words of phrases is left to [question.accepts].
func (s search) candidates(asked *question, limit int) ([]*candidate, error) {
	match, excluded := "("+asked.match+")", `""`
	for _, text := range asked.phrases {
		match += ` AND ` + asked.allOf(text)
	}
	for _, text := range asked.without {
		if !isPhrase(text) {
			excluded += ` OR ` + asked.allOf(text)
		}
	}
	where, args := `id NOT IN (SELECT rowid FROM document_words WHERE document_words MATCH ?)`, []any{excluded}
	if len(asked.filters) > 0 {
		all, err := s.documents(s.ctx, `true`)
		if err != nil {
			return nil, err
		}
		ids := []int64{}
		for _, d := range meeting(all, asked.filters) {
			ids = append(ids, d.id)
		}
		list, _ := json.Marshal(ids) // numbers
		where, args = where+` AND id IN (SELECT value FROM json_each(?))`, append(args, string(list))
	}
	if asked.match == "" {
		return s.load(where+` ORDER BY path LIMIT ?`, append(args, limit)...)
	}
	return s.load(where+` AND (id IN (SELECT rowid FROM document_words WHERE document_words MATCH ?
			AND +rowid IN (SELECT id FROM documents WHERE `+where+`) ORDER BY rank LIMIT ?)
		OR id IN (SELECT d.id FROM (SELECT rowid, rank FROM link_words WHERE link_words MATCH ? ORDER BY rank LIMIT ?) w
			JOIN links l ON l.id = w.rowid JOIN documents d ON d.folder = l.folder AND d.stem = l.target
			GROUP BY d.id ORDER BY sum(w.rank) LIMIT ?))`,
		slices.Concat(args, []any{match}, args, []any{limit, asked.match, maxLinkHits, maxLinked})...)
}

// maxLinks bounds the links to one document whose terms are read (chosen).
const maxLinks = 2_000

// load reads the documents that meet a condition, with their terms and those of the links to them.
func (s search) load(where string, args ...any) ([]*candidate, error) {
	return rows(s.ctx, s.index, func(scan scanner) (*candidate, error) {
		d := &candidate{}
		var digest []byte
		err := s.scan(&d.row, scan, &digest, &d.linked)
		if err != nil {
			return nil, err
		}
		unpacked, err := unpack(digest)
		if err == nil {
			d.read(unpacked)
		}
		return d, err
	}, rowColumns+`, digest, coalesce((SELECT group_concat(terms, ' ') FROM (SELECT terms FROM links
		WHERE folder = documents.folder AND target = stem LIMIT `+strconv.Itoa(maxLinks)+`)), '')
		FROM documents WHERE problem = '' AND `+where, args...)
}

// anyOf returns a condition of FTS5: any of some terms; "" without terms.
func anyOf(terms []string) string {
	quoted := make([]string, len(terms))
	for i, t := range terms {
		quoted[i] = `"` + strings.ReplaceAll(t, `"`, `""`) + `"`
	}
	return strings.Join(quoted, " OR ")
}

// allOf returns the words of a text for FTS5: all of them in any order, each in the form of any language of the index.
func (asked *question) allOf(text string) string {
	all := []string{}
	for _, word := range asked.forms(text) {
		all = append(all, "("+anyOf(word)+")")
	}
	return `(` + cmp.Or(strings.Join(all, " AND "), `""`) + `)`
}

// hit describes a document with its best passage. One that only repeats the title is replaced by the next one with words of the query.
func (d *candidate) hit(packed []byte) (Hit, error) {
	h := Hit{About: d.About, Score: d.score}
	text, err := unpack(packed)
	if err != nil || len(d.passages) == 0 {
		return h, err
	}
	best := d.passages[max(0, d.best)]
	repeats := func(p rated) bool { return strings.HasPrefix(d.title, p.terms) }
	next := slices.IndexFunc(d.passages, func(p rated) bool { return !repeats(p) && (d.best < 0 || p.score > 0) })
	if repeats(best) && next >= 0 {
		best = d.passages[next]
	}
	h.Passage = words.First(text[len(words.First(text, best.start)):], best.end-best.start)
	h.Lines, h.Section = linesOf(text, best.start, best.end)
	return h, nil
}

// maxOutlined is the size in bytes up to which the headings of a text are read (chosen): reading that much takes 20 ms.
const maxOutlined = 1 << 20

// linesOf returns the lines of a stretch [start, end) of a text, in code points, and the path of headings above it, or both empty
// where the text has no such stretch.
func linesOf(text string, start, end int) (in, section string) {
	from := len(words.First(text, start))
	to := from + len(words.First(text[from:], end-start))
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
