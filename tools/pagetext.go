package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// defaultPageChars is the text of one page that an answer shows; several pages share it.
	defaultPageChars = 4_400
	// passagesShown bounds the passages of each page for a query, unless max_chars asks for more or less.
	passagesShown = 8
	// paragraphGap is the white space after a paragraph: a part of what is shown if the next one is shown too.
	paragraphGap = 2
	// leastSubjectChars of characters is what a subject of a query needs for a part of its own.
	leastSubjectChars = 200
	// maxPassages bounds the passages of each page that max_chars selects from.
	maxPassages = 400
)

// fetchAsked holds the arguments of a call about what to show.
type fetchAsked struct {
	query         string
	offset, chars int // chars of each page; 0: as many as fit
	lines         lines.Ranges
	places        map[string]lines.Ranges // those of a source, instead of lines
	none          bool                    // no text
}

// plain reports whether a call asks for no part of a text.
func (asked fetchAsked) plain() bool {
	return asked.query == "" && asked.chars == 0 && asked.offset == 0 && len(asked.lines) == 0 && len(asked.places) == 0
}

// place is the citation of lines as an address.
var place = lazyregexp.New(`^(S[1-9]\d*):([\d,\s–-]+)$`)

// placesOf splits addresses such as S1:120-128 into the source, once, and its lines.
func placesOf(urls []string) (sources []string, places map[string]lines.Ranges) {
	refs := map[string]string{}
	for _, u := range urls {
		m := place.FindStringSubmatch(strings.TrimSpace(u))
		if m != nil {
			if _, ok := lines.ParseRanges(m[2]); !ok {
				m = nil // as an address it gets an error, not other lines
			}
		}
		if m == nil {
			sources = append(sources, u)
			continue
		}
		if refs[m[1]] == "" {
			sources = append(sources, m[1])
		}
		refs[m[1]] += "," + m[2]
	}
	places = map[string]lines.Ranges{}
	for id, ref := range refs {
		if ranges, ok := lines.ParseRanges(ref[1:]); ok {
			places[id] = ranges
		}
	}
	return sources, places
}

// of returns what a call asks for of one page.
func (asked fetchAsked) of(p loops.PageOutcome) fetchAsked {
	if ranges, ok := asked.places[p.ID]; ok {
		asked.lines = ranges
	}
	return asked
}

// fetchPart is what an answer shows of one page's text: passages, or the text from offset to end.
type fetchPart struct {
	passages    []passageOut
	text        string
	offset, end int
	first, last int  // where the content begins and ends, between furniture
	beginning   bool // shows the beginning, because no passage fits the query
	missing     bool // the lines that were asked for do not exist
	lines       *lines.Text
}

// whole reports whether all of the content is shown.
func (p fetchPart) whole() bool {
	return len(p.passages) == 0 && p.end >= p.last && p.offset <= p.first && p.end > p.offset
}

// numbered returns the shown text with the number of each block's first line before it. Furniture in it is left out.
func (p fetchPart) numbered() string {
	at := p.lines.At(p.offset)
	rows := strings.Split(p.text, "\n")
	left := make([]bool, len(rows))
	for _, b := range p.lines.Blocks(lines.Ranges{{First: at, Last: at + len(rows) - 1}}) {
		if i := max(b.First-at, 0); i >= len(rows) {
			continue
		} else if left[i] = b.Kind == lines.Furniture && p.offset < p.last; !left[i] {
			rows[i] = fmt.Sprintf("%d| %s", at+i, rows[i])
		}
	}
	shown := rows[:0]
	for i, row := range rows {
		if !left[i] && (row != "" || i == 0 || !left[i-1]) {
			shown = append(shown, row)
		}
	}
	return strings.Join(shown, "\n")
}

// contentOf returns where the content of a page begins and ends, between furniture.
func contentOf(t *lines.Text, p loops.PageOutcome, runes []rune) (first, last int) {
	if len(p.Furniture) == 0 {
		return 0, len(runes)
	}
	from, to := 1, t.Len()
	for _, r := range p.Furniture {
		if r.First <= from {
			from = r.Last + 1
		}
	}
	for _, r := range slices.Backward(p.Furniture) {
		if r.Last >= to {
			to = r.First - 1
		}
	}
	if from > to { // there is nothing else
		return 0, len(runes)
	}
	first, last, _ = t.Span(lines.Range{First: from, Last: to})
	for first < last && runes[first] == '\n' {
		first++
	}
	for first < last && runes[last-1] == '\n' {
		last--
	}
	return first, last
}

// chars returns the number of characters that a part shows.
func (p fetchPart) chars() int {
	sum := utf8.RuneCountInString(p.text)
	for _, q := range p.passages {
		sum += q.End - q.Start
	}
	return sum
}

func (p fetchPart) tokens() int {
	sum := 0
	for _, q := range p.passages {
		sum += tokensOf(q)
	}
	if p.text != "" {
		sum += tokensOf(p.numbered())
	}
	return sum
}

// partOf returns the part of a page's text that a call asks for, within limits of characters and tokens: the lines, the passages for
// a query, or the text from the offset on. A text of at most share characters, or that says nothing of the query, needs no passages.
func partOf(p loops.PageOutcome, asked fetchAsked, share, chars, tokens int) fetchPart {
	part := fetchPart{lines: lines.NewPage(p.Text, p.Furniture)}
	runes := []rune(p.Text)
	var found []passage.Passage // best first
	switch {
	case len(asked.lines) > 0:
		for _, r := range asked.lines {
			if start, end, text := part.lines.Span(r); r.First <= part.lines.Len() {
				found = append(found, passage.Passage{Start: start, End: end, Text: text})
			}
		}
		if part.missing = len(found) == 0; part.missing {
			return part
		}
	case asked.query != "" && asked.offset == 0 && len(runes) > share:
		most := passagesShown
		if asked.chars > 0 {
			most = maxPassages
		}
		found = selectParts(p.Furniture.Mask(p.Text), asked.query, most, chars)
		part.beginning = len(found) == 0
	}
	if len(found) > 0 {
		part.passages = joinAdjacent(fitting(found, p.Pages, chars, tokens), runes)
		return part
	}
	part.first, part.last = contentOf(part.lines, p, runes)
	if part.offset = min(asked.offset, len(runes)); part.offset == 0 {
		part.offset = part.first
	}
	end := part.last
	if part.offset >= end {
		end = len(runes)
	}
	n := shrink(min(end-part.offset, chars), tokens, func(n int) int {
		part.text = string(runes[part.offset : part.offset+n])
		return part.tokens()
	})
	part.end = part.offset + n
	part.text = string(runes[part.offset:part.end])
	return part
}

// fitting returns the passages that fit into limits of characters and tokens, whole. The best one is cut if not even that fits.
func fitting(found []passage.Passage, pages loopstate.Pages, chars, tokens int) (out []passageOut) {
	for _, f := range found {
		p := passageOut{Start: f.Start, End: f.End, Text: f.Text, Section: f.Section, Page: pages.At(f.Start)}
		cost := tokensOf(p)
		if (p.End-p.Start > chars || cost > tokens) && len(out) > 0 {
			continue // a shorter one may fit
		}
		if cost > tokens {
			runes := []rune(p.Text)
			n := shrink(len(runes), tokens, func(n int) int {
				p.Text = string(runes[:n])
				return tokensOf(p)
			})
			p.End, p.Text = p.Start+n, string(runes[:n])
		}
		out = append(out, p)
		chars, tokens = chars-(p.End-p.Start)-paragraphGap, tokens-cost
	}
	return out
}

// joinAdjacent sorts passages by their place in a text, and joins those with nothing but white space between them.
func joinAdjacent(found []passageOut, text []rune) []passageOut {
	slices.SortFunc(found, func(a, b passageOut) int { return cmp.Compare(a.Start, b.Start) })
	var out []passageOut
	for _, p := range found {
		if last := len(out) - 1; last >= 0 && out[last].End <= p.Start && strings.TrimSpace(string(text[out[last].End:p.Start])) == "" {
			before := &out[last]
			before.End, before.Text = p.End, string(text[before.Start:p.End])
			continue
		}
		out = append(out, p)
	}
	return out
}

const (
	// paragraphChars is the length up to which an answer keeps a paragraph or a list whole.
	paragraphChars = 1_500
	// leastSubjectShare is exceeded by the share of a query's words that a part has which answers it (chosen).
	leastSubjectShare = 0.25
	// leastScore of a selected part is a share of the best one's (chosen).
	leastScore = 0.35
)

// selectParts returns the parts of a text that answer a query, best first, at most limit: whole paragraphs, with the heading that is
// directly above them. Each subject of a query ("attach a pier; detach a pier") has parts of its own: the best ones of all subjects
// come first, in their best sentences if the characters are few, then the second ones. A subject of whose words no part has enough
// has none; nil if that holds for all.
func selectParts(text, query string, limit, chars int) (out []passage.Passage) {
	ix := passage.NewIndex()
	ix.Add("", passage.Split(text, paragraphChars))
	subjects := loops.Subjects(query)
	lists := make([][]passage.Hit, len(subjects))
	answered := 0
	for i, subject := range subjects {
		hits := ix.Search(subject, limit, nil)
		share := 0.0
		for n, h := range hits {
			if share = max(share, h.Share); h.Score >= leastScore*hits[0].Score {
				lists[i] = hits[:n+1]
			}
		}
		if share <= leastSubjectShare {
			lists[i] = nil
		} else {
			answered++
		}
	}
	seen := map[int]bool{}
	for rank := range limit {
		for i, list := range lists {
			if rank >= len(list) || seen[list[rank].Passage.Start] || len(out) >= limit {
				continue
			}
			p := list[rank].Passage
			seen[p.Start] = true
			if share := chars / max(1, answered); rank == 0 && answered > 1 && share >= leastSubjectChars {
				best := passage.Excerpt(p.Text, subjects[i], share)
				p.Start, p.End, p.Text = p.Start+best.Start, p.Start+best.End, best.Text
			}
			out = append(out, p)
		}
	}
	return out
}
