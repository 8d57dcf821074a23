package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/loopstate"
)

// An answer of fetch stays within the token limit for any pages, unless max_chars asks for more. The metadata of each page
// comes first, with long untrusted fields cut. The texts share the remaining tokens, and short ones leave theirs to the
// others.

const (
	// defaultPageChars is the text of one page that an answer shows; several pages share it.
	defaultPageChars = 4_400
	// outlinedPageChars are shown of a single page that is longer than defaultPageChars and has headings: its outline says where
	// to read on (chosen: a long abstract).
	outlinedPageChars = 1_600
	// minPageChars of each page are shown even if many pages share the answer.
	minPageChars = 800
	// maxOutline bounds the listed headings of a page that is shown in part, wholeOutline those of one whose text is not.
	maxOutline, wholeOutline = 12, 60
	// leastOutline headings of each of many pages are listed.
	leastOutline = 4
	// maxPageChars is the largest value of max_chars.
	maxPageChars = 100_000
	// wholeChars is what an answer has at most unless more is asked for: a max_chars above it asks for more.
	wholeChars = 16_000
	// unlimited tokens are more than maxPageChars need.
	unlimited = 4 * maxPageChars
	// queryChars is the text of one page that an answer to a query shows: the whole page if it is that short.
	queryChars = 3_500
	// furtherPageChars are added for each further page.
	furtherPageChars = 1_000
	// passagesShown bounds the passages of each page for a query, unless max_chars asks for more or less.
	passagesShown = 8
	// paragraphGap is the white space after a paragraph: a part of what is shown if the next one is shown too.
	paragraphGap = 2
	// maxHeadChars bounds the shown head of a source, in code points (chosen).
	maxHeadChars = 600
	// maxPassages bounds the passages of each page that max_chars selects from.
	maxPassages = 400
	// aroundTokens is reserved for the notice, the links, and what is filled in when a source has its id.
	aroundTokens = 500
	// outlineTokens is reserved for the outline of a single page; the outlines of several take twice as much.
	outlineTokens = 600
)

// frameSize limits the metadata of each page: code points of a title, a reason and a DOI, the numbers of authors and
// flags, and code points of an address and of the head.
type frameSize struct{ title, authors, flags, address, head int }

// frameSizes are tried in this order until the metadata of all pages leaves textShare for the texts.
func frameSizes() []frameSize {
	return []frameSize{{300, 20, 8, loopstate.MaxURLChars, maxHeadChars}, {120, 4, 3, 400, 200}, {60, 0, 1, 80, 0}, {30, 0, 1, 60, 0}}
}

// textShare is the part of an answer for texts, in tokens. Metadata is cut to keep it.
const textShare = loops.AnswerTokens / 3

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

// fetchLayout is what an answer shows of each page.
type fetchLayout struct {
	size  frameSize
	parts []fetchPart
}

// fetchPart is what an answer shows of one page's text: passages, or the text from offset to end.
type fetchPart struct {
	passages    []passageOut
	text        string
	offset, end int
	beginning   bool // shows the beginning, because no passage fits the query
	lines       *lines.Text
}

// layOut decides what an answer shows of its pages.
func layOut(pages []loops.PageOutcome, asked fetchAsked) fetchLayout {
	l := fetchLayout{parts: make([]fetchPart, len(pages))}
	left, charsLeft := 0, defaultPageChars
	switch {
	case asked.chars > 0:
		charsLeft = min(asked.chars*len(pages), maxPageChars)
	case len(asked.lines)+len(asked.places) > 0:
		charsLeft = wholeChars
	case asked.query != "":
		charsLeft = queryChars + furtherPageChars*(len(pages)-1)
	case asked.plain() && len(pages) == 1 && outlined(pages[0], charsLeft):
		charsLeft = outlinedPageChars
	}
	for _, l.size = range frameSizes() {
		left = loops.AnswerTokens - aroundTokens - framesTokens(pages, l.size)
		if len(pages) == 1 {
			left -= outlineTokens
		} else if asked.plain() && slices.ContainsFunc(pages, func(p loops.PageOutcome) bool { return outlined(p, charsLeft/len(pages)) }) {
			left -= 2 * outlineTokens
		}
		if left >= textShare {
			break
		}
	}
	texts := make([]pageText, len(pages))
	var order []int // the shortest first: the others share what it leaves
	for i, p := range pages {
		if p.Status != fetch.StatusRead || asked.none {
			continue
		}
		share := charsLeft / len(pages)
		if asked.plain() && len(pages) > 1 && outlined(p, share) {
			continue // its outline says where to read on; a fragment would not
		}
		texts[i] = textOf(p, asked.of(p), share)
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(texts[a].want, texts[b].want) })
	for n, i := range order {
		if asked.chars > 0 {
			l.parts[i] = texts[i].within(min(asked.chars, charsLeft/(len(order)-n)), unlimited)
			charsLeft -= l.parts[i].chars()
			continue
		}
		share, chars := max(0, left)/(len(order)-n), max(charsLeft/(len(order)-n), minPageChars)
		l.parts[i] = texts[i].within(chars, share)
		left -= l.parts[i].tokens()
		charsLeft -= l.parts[i].chars()
	}
	return l
}

// outlined reports whether a page is too long for its share of an answer and has headings.
func outlined(p loops.PageOutcome, share int) bool {
	return p.Status == fetch.StatusRead && p.Chars > max(share, minPageChars) && len(lines.New(p.Text).Outline()) > 0
}

func framesTokens(pages []loops.PageOutcome, size frameSize) int {
	sum := 0
	for _, p := range pages {
		frame := size.frame(p)
		sum += tokensOf(frame)
		if p.Status == fetch.StatusTimeout || p.AccessRestricted { // unread lists its address again
			sum += loops.EstimateTokens(frame.URL) + 2
		}
	}
	return sum
}

// frame returns the metadata of a page, without its text.
func (size frameSize) frame(p loops.PageOutcome) sourceOut {
	out := sourceOut{SourceID: p.ID, URL: cutTo(p.URL, size.address),
		Status: string(p.Status), Reason: cutTo(p.Reason, size.title), Title: cutTo(p.Title, size.title), PublishedAt: cutTo(p.PublishedAt, 40), DOI: cutTo(p.DOI, size.title),
		SourceType: p.SourceType, Chars: p.Chars, DuplicateOf: p.DuplicateOf, Via: p.Via, RobotsIgnored: p.RobotsIgnored, Pasted: p.Pasted, File: p.File}
	for _, a := range p.Authors[:min(size.authors, len(p.Authors))] {
		out.Authors = append(out.Authors, cutTo(a, 80))
	}
	if p.FinalURL != p.URL && p.FinalURL != "file://"+p.URL {
		out.FinalURL = cutTo(p.FinalURL, size.address)
	}
	if out.URL == "file://"+p.File { // the host knows the path
		out.File = ""
	}
	if p.ContentType != "text/html" && p.ContentType != "text/plain" && p.ContentType != "text/markdown" {
		out.ContentType = cutTo(p.ContentType, 100)
	}
	if !strings.HasPrefix(p.Key, "url:") && !strings.HasPrefix(p.Key, "urn:") && !strings.HasPrefix(p.Key, "file:") {
		out.CanonicalKey = cutTo(p.Key, size.address)
	}
	if p.Status == fetch.StatusRead && size.head > 0 {
		out.Head = cutTo(headOf(p), size.head)
	}
	out.AuthorsLeft = len(p.Authors) - len(out.Authors)
	out.Flags = p.Flags[:min(size.flags, len(p.Flags))]
	return out
}

// pageText is the longest part of a page's text that may be shown.
type pageText struct {
	fetchPart
	runes    []rune // of the page; without passages, from offset on
	want     int    // in tokens
	subjects []string
	subject  []int // of each passage: the one that it answers
}

// textOf selects the passages for a query. Without a query, after the beginning, and if the whole text has at most share
// characters or the text says nothing of the query, it selects the text from the offset on.
func textOf(p loops.PageOutcome, asked fetchAsked, share int) pageText {
	t := pageText{runes: []rune(p.Text), fetchPart: fetchPart{lines: lines.New(p.Text)}}
	if len(asked.lines) > 0 {
		for _, r := range asked.lines {
			if r.First > t.lines.Len() {
				break
			}
			start, end, text := t.lines.Span(r)
			t.passages = append(t.passages, passageOut{Start: start, End: end, Text: text, Page: p.Pages.At(start)})
		}
		t.want = t.tokens()
		if len(t.passages) > 0 {
			return t
		}
	}
	if asked.query != "" && asked.offset == 0 && len(t.runes) > share {
		most := passagesShown
		if asked.chars > 0 {
			most = maxPassages
		}
		t.subjects = loops.Subjects(asked.query)
		for _, s := range selectParts(p.Text, asked.query, most) {
			t.subject = append(t.subject, s.subject)
			t.passages = append(t.passages, passageOut{Start: s.Start, End: s.End, Text: s.Text, Section: s.Section, Page: p.Pages.At(s.Start)})
		}
		t.beginning = len(t.passages) == 0
	}
	if len(t.passages) == 0 {
		t.offset = min(asked.offset, len(t.runes))
		t.runes = t.runes[t.offset:]
		t.text = string(t.runes[:min(len(t.runes), max(defaultPageChars, asked.chars))])
	}
	t.want = t.tokens()
	return t
}

// within returns the part of the text within limits of characters and tokens. It keeps whole passages in the order of the
// text, and cuts the best one if not even that fits.
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
	best := t.bestOfSubjects(chars)
	for i, p := range t.passages {
		if part, is := best[i]; is {
			p = part
			delete(best, i)
		}
		waiting := 0 // characters of what is the best of a later subject
		for _, later := range best {
			waiting += later.End - later.Start
		}
		cost := tokensOf(p)
		if (p.End-p.Start > chars-waiting || cost > tokens) && len(out.passages) > 0 {
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

// leastSubjectChars of characters is what a subject of a query needs for a part of its own.
const leastSubjectChars = 200

// bestOfSubjects returns the best passage of each subject of a query, by its index. They share a number of characters; a
// short one leaves its rest to the others, and of one that is too long the sentences with most words of the subject are kept.
func (t pageText) bestOfSubjects(chars int) map[int]passageOut {
	first := map[int]int{} // by subject
	var order []int
	for i, subject := range t.subject {
		if _, has := first[subject]; !has {
			first[subject] = i
			order = append(order, i)
		}
	}
	if len(order) < 2 || chars/len(order) < leastSubjectChars {
		return nil
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(t.passages[a].End-t.passages[a].Start, t.passages[b].End-t.passages[b].Start)
	})
	best := map[int]passageOut{}
	for n, i := range order {
		p := t.passages[i]
		part := passage.Excerpt(p.Text, t.subjects[t.subject[i]], chars/(len(order)-n))
		p.Start, p.End, p.Text = p.Start+part.Start, p.Start+part.End, part.Text
		chars -= p.End - p.Start
		best[i] = p
	}
	return best
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

// outlineOf lists at most so many headings of a text, evenly thinned: of a book the parts before its sections.
func outlineOf(text *lines.Text, most int) []string {
	const longest = 80
	all := text.Outline()
	for level := 6; len(all) > most && level > 0; level-- {
		upper := slices.DeleteFunc(slices.Clone(all), func(h lines.OutlineEntry) bool { return h.Level > level })
		if len(upper) == 0 {
			break
		}
		all = upper
	}
	var out []string
	for i, h := range all {
		if len(all) <= most || i%(1+len(all)/max(most, 1)) == 0 {
			out = append(out, fmt.Sprintf("%d| %s", h.Line, cutTo(h.Heading, longest)))
		}
	}
	return out
}

// numbered returns the shown text with the number of each block's first line before it.
func (p fetchPart) numbered() string {
	at := p.lines.At(p.offset)
	rows := strings.Split(p.text, "\n")
	for _, b := range p.lines.Blocks(lines.Ranges{{First: at, Last: at + len(rows) - 1}}) {
		if i := max(b.First-at, 0); i < len(rows) {
			rows[i] = fmt.Sprintf("%d| %s", at+i, rows[i])
		}
	}
	return strings.Join(rows, "\n")
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

// spans returns the shown spans of each page, for the record of what was read.
func (l fetchLayout) spans() []loopstate.Spans {
	all := make([]loopstate.Spans, len(l.parts))
	for i, part := range l.parts {
		for _, p := range part.passages {
			all[i] = append(all[i], loopstate.Span{p.Start, p.End})
		}
		if len(part.passages) == 0 {
			all[i] = loopstate.Spans{{part.offset, part.end}}
		}
	}
	return all
}

// show returns a page of the answer.
func (l fetchLayout) show(i int, p loops.PageOutcome, asked fetchAsked) sourceOut {
	out, part := l.size.frame(p), l.parts[i]
	out.Offset = asked.offset
	if asked.offset > 0 {
		out.Head = ""
	}
	if p.Status != fetch.StatusRead {
		return out
	}
	text := part.lines
	if text == nil { // nothing is shown
		text = lines.New(p.Text)
	}
	out.Lines = text.Len()
	shown := part.chars()
	if shown < p.Chars {
		out.Shown = shown
		switch {
		case shown == 0:
			out.Outline = outlineOf(text, max(leastOutline, wholeOutline/len(l.parts)))
		case len(l.parts) == 1:
			out.Outline = outlineOf(text, maxOutline)
		}
		if len(out.Outline) > 0 && strings.HasSuffix(out.Outline[0], "| "+p.Title) { // the title is shown beside it
			out.Outline = out.Outline[1:]
		}
	}
	switch {
	case shown == 0:
		out.Offset = 0
	case len(part.passages) > 0:
		out.Passages, out.Offset = part.passages, 0
		section := p.Title
		for i := range out.Passages {
			at := &out.Passages[i]
			at.Lines = lines.Ranges{text.Lines(at.Start, at.End)}.String()
			if at.Section == section {
				at.Section = "" // the host knows it
			} else if at.Section != "" {
				section = at.Section
			}
		}
	default:
		if part.beginning {
			out.Reason = strings.TrimSpace(out.Reason + " few words of the query are in the text; this is its beginning")
		}
		out.Text, out.Offset = part.numbered(), part.offset
		if part.end < p.Chars {
			out.NextOffset = part.end
		}
	}
	return out
}
