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

// pageText is the longest part of a page's text that may be shown.
type pageText struct {
	fetchPart
	runes    []rune // of the page; without passages, from offset on
	want     int    // in tokens
	subjects []string
	subject  []int // of each passage: the one that it answers
	firsts   int   // the best passages of several subjects, which come first and share the characters
}

// textOf selects the passages for a query. Without a query, after the beginning, and if the whole text has at most share
// characters or the text says nothing of the query, it selects the text from the offset on.
func textOf(p loops.PageOutcome, asked fetchAsked, share int) pageText {
	t := pageText{runes: []rune(p.Text), fetchPart: fetchPart{lines: lines.NewPage(p.Text, p.Furniture)}}
	if len(asked.lines) > 0 {
		for _, r := range asked.lines {
			if r.First > t.lines.Len() {
				break
			}
			start, end, text := t.lines.Span(r)
			t.passages = append(t.passages, passageOut{Start: start, End: end, Text: text, Page: p.Pages.At(start)})
		}
		if t.want, t.missing = t.tokens(), len(t.passages) == 0; t.missing {
			t.runes = nil
		}
		return t
	}
	if asked.query != "" && asked.offset == 0 && len(t.runes) > share {
		most := passagesShown
		if asked.chars > 0 {
			most = maxPassages
		}
		t.subjects = loops.Subjects(asked.query)
		for _, s := range selectParts(p.Furniture.Mask(p.Text), asked.query, most) {
			t.subject = append(t.subject, s.subject)
			t.passages = append(t.passages, passageOut{Start: s.Start, End: s.End, Text: s.Text, Section: s.Section, Page: p.Pages.At(s.Start)})
		}
		for t.firsts < len(t.subject) && !slices.Contains(t.subject[:t.firsts], t.subject[t.firsts]) {
			t.firsts++
		}
		if t.firsts == 1 {
			t.firsts = 0
		}
		t.beginning = len(t.passages) == 0
	}
	if len(t.passages) == 0 {
		t.first, t.last = contentOf(t.lines, p, t.runes)
		if t.offset = min(asked.offset, len(t.runes)); t.offset == 0 {
			t.offset = t.first
		}
		if t.offset < t.last {
			t.runes = t.runes[:t.last]
		}
		t.runes = t.runes[t.offset:]
		t.text = string(t.runes[:min(len(t.runes), max(defaultPageChars, asked.chars))])
	}
	t.want = t.tokens()
	return t
}

// within returns the part of the text within limits of characters and tokens. It keeps whole passages in the order of the
// text, and cuts the best one if not even that fits. Of the best passage of each of several subjects it keeps the sentences
// with most words of the subject, so that every subject has its share.
func (t pageText) within(chars, tokens int) fetchPart {
	out := t.fetchPart
	if len(t.passages) == 0 {
		n := shrink(min(len(t.runes), chars), tokens, func(n int) int {
			out.text = string(t.runes[:n])
			return out.tokens()
		})
		out.text, out.end = string(t.runes[:n]), t.offset+n
		return out
	}
	out.passages = nil
	for i, p := range t.passages {
		if share := chars / max(1, t.firsts-i); i < t.firsts && share >= leastSubjectChars {
			part := passage.Excerpt(p.Text, t.subjects[t.subject[i]], share)
			p.Start, p.End, p.Text = p.Start+part.Start, p.Start+part.End, part.Text
		}
		cost := tokensOf(p)
		if (p.End-p.Start > chars || cost > tokens) && len(out.passages) > 0 {
			continue // a shorter one may fit
		}
		if cost > tokens { // this is the best one
			runes := []rune(p.Text)
			n := shrink(len(runes), tokens, func(n int) int {
				p.Text = string(runes[:n])
				return tokensOf(p)
			})
			p.End, p.Text = p.Start+n, string(runes[:n])
		}
		out.passages = append(out.passages, p)
		chars, tokens = chars-(p.End-p.Start)-paragraphGap, tokens-cost
	}
	out.passages = joinAdjacent(out.passages, t.runes)
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

// selectedPart is a part of a text that answers a query: whole paragraphs, with the heading that is directly above them.
type selectedPart struct {
	passage.Passage
	subject int // of the query that it answers, from 0
}

const (
	// paragraphChars is the length up to which an answer keeps a paragraph or a list whole.
	paragraphChars = 1_500
	// leastSubjectShare is exceeded by the share of a query's words that a part has which answers it (chosen).
	leastSubjectShare = 0.25
	// leastScore of a selected part is a share of the best one's (chosen).
	leastScore = 0.35
)

// selectParts returns the parts of a text that answer a query, best first, at most limit. Each subject of a query ("attach a pier;
// detach a pier") has parts of its own: the best ones of all subjects come first, then the second ones. A subject of whose words
// no part has enough has none; nil if that holds for all.
func selectParts(text, query string, limit int) (out []selectedPart) {
	ix := passage.NewIndex()
	ix.Add("", passage.Split(text, paragraphChars))
	subjects := loops.Subjects(query)
	lists := make([][]passage.Hit, len(subjects))
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
		}
	}
	seen := map[int]bool{}
	for rank := range limit {
		for i, list := range lists {
			if rank < len(list) && !seen[list[rank].Passage.Start] && len(out) < limit {
				seen[list[rank].Passage.Start] = true
				out = append(out, selectedPart{list[rank].Passage, i})
			}
		}
	}
	return out
}
