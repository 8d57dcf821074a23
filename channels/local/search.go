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
	s := &search{index: ix, ctx: context.WithoutCancel(ctx)} // waiting may have taken all of the time: a search takes a tenth of a second
	for _, d := range s.find(query, limit) {
		for _, text := range read(s, packed, `SELECT text FROM documents WHERE id = ?`, d.id) { // none if it was read again since
			hits = append(hits, d.hit(text))
		}
	}
	c.mend(ix, s.err)
	return hits, report, s.err
}

// search answers one query, up to its first error.
type search struct {
	*index
	ctx context.Context
	err error
}

// read returns what one makes of each row of a query; nothing after an error.
func read[T any](s *search, one func(scanner) (T, error), query string, args ...any) (out []T) {
	if s.err == nil {
		out, s.err = rows(s.ctx, s.index, one, query, args...)
	}
	return out
}

// firstShare is what the best document that a query names is above the best other one, as a share of the score (chosen).
const firstShare = 0.25

// find returns the best documents. Those that the query names come before all others.
func (s *search) find(text string, limit int) []*candidate {
	all := s.rank(parseQuery(text), limit)
	top := 1.0
	if len(all) > 0 {
		top = all[0].score
	}
	named := s.named(text)
	for i, id := range named {
		is := func(d *candidate) bool { return d.id == id }
		if !slices.ContainsFunc(all, is) {
			all = append(all, s.load(`id = ?`, id)...)
		}
		if at := slices.IndexFunc(all, is); at >= 0 {
			all[at].score = top * (1 + firstShare*float64(len(named)-i)/float64(len(named)))
		}
	}
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(b.score, a.score) })
	return bounded(all, limit)
}

const (
	maxLinked   = 60    // candidates that the links to them suggest
	maxLinkHits = 1_000 // links among which those are looked for
)

// candidates finds the documents that a query may mean: the best ones by FTS5's BM25, and those of the best links. The order of the
// words of phrases is left to [question.accepts].
func (s *search) candidates(asked *question, limit int) []*candidate {
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
		ids := []int64{}
		for _, d := range meeting(s.documents(`true`), asked.filters) {
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

const (
	rowsOf = `SELECT id, folder, path, about`
	// thatHave is of the documents that were read, and meet a condition.
	thatHave = ` FROM documents WHERE problem = '' AND `
)

// row reads rowsOf, and the columns behind them.
func (s *search) row(scan scanner, more ...any) (d row, err error) {
	var about []byte
	err = scan(append([]any{&d.id, &d.folder, &d.path, &about}, more...)...)
	if err == nil && json.Unmarshal(about, &d.About) != nil {
		err = errDamaged
	}
	d.Path = s.full(d.place)
	return d, err
}

// documents returns the documents that meet a condition.
func (s *search) documents(where string, args ...any) []row {
	return read(s, func(scan scanner) (row, error) { return s.row(scan) }, rowsOf+thatHave+where, args...)
}

// maxLinks bounds the links to one document whose terms are read (chosen).
const maxLinks = 2_000

// load reads the documents that meet a condition, with their terms and those of the links to them.
func (s *search) load(where string, args ...any) []*candidate {
	return read(s, func(scan scanner) (d *candidate, err error) {
		var packed []byte
		d = &candidate{}
		if d.row, err = s.row(scan, &packed, &d.linked); err == nil {
			d.digest, err = unpack(packed)
		}
		if err == nil {
			d.read()
		}
		return d, err
	}, rowsOf+`, digest, coalesce((SELECT group_concat(terms, ' ') FROM (SELECT terms FROM links
		WHERE folder = documents.folder AND target = stem LIMIT `+strconv.Itoa(maxLinks)+`)), '')`+thatHave+where, args...)
}

// hit describes a document with its best passage. One that only repeats the title is replaced by the next one with words of the query.
func (d *candidate) hit(text string) Hit {
	h := Hit{About: d.About, Score: d.score}
	if len(d.passages) == 0 {
		return h
	}
	best := d.passages[max(0, d.best)]
	repeats := func(p rated) bool { return strings.HasPrefix(d.title, p.terms) }
	next := slices.IndexFunc(d.passages, func(p rated) bool { return !repeats(p) && (d.best < 0 || p.score > 0) })
	if repeats(best) && next >= 0 {
		best = d.passages[next]
	}
	h.Passage = words.First(text[len(words.First(text, best.start)):], best.end-best.start)
	h.Lines, h.Section = linesOf(text, best.start, best.end)
	return h
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
