package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// An answer of fetch stays under the tokens of an answer whatever the pages are: what is said about each comes
// first, cut where strangers wrote at length, and the texts share what is left, each as much as it has use for.
// Only max_chars asks for more.

const (
	// defaultPageChars is the text of one page that an answer shows; several pages share it.
	defaultPageChars = 5_000
	// minPageChars is the text shown of each page, however many share the answer.
	minPageChars = 800
	// maxOutline headings are listed of the rest of a page.
	maxOutline = 25
	// maxPageChars may be asked for.
	maxPageChars = 100_000
	// maxAskedChars of text are shown in one answer, however many pages it is of: JSON and all, less than the
	// 500,000 characters of a result that Claude Code takes at most.
	maxAskedChars = 400_000
	// passageChars is the length to which sentences are joined into a passage that is shown for a query.
	passageChars = 600
	// passagesShown of each page for a query.
	passagesShown = 5
	// aroundTokens is room for the notice, the links, and what is filled in once a source has its id.
	aroundTokens = 500
	// outlineTokens is room for the outline of a page that is alone.
	outlineTokens = 600
)

// frameSize is how much is said about each page beside its text: code points of a title, a reason and a DOI, how
// many authors and flags, code points of an address.
type frameSize struct{ title, authors, flags, address int }

// frameSizes are tried in this order until the frames of all pages leave room for texts.
func frameSizes() []frameSize {
	return []frameSize{{300, 20, 8, loopstate.MaxURLChars}, {120, 4, 3, 400}, {60, 0, 1, 80}, {30, 0, 1, 60}}
}

// textShare is how much of an answer is kept for texts, in tokens, before less is said about each page.
const textShare = loops.AnswerTokens / 3

// fetchAsked is what the arguments of a call ask to be shown.
type fetchAsked struct {
	query         string
	offset, chars int // chars: of each page; 0 for as much as fits
}

// fetchLayout is what an answer shows of each page.
type fetchLayout struct {
	size  frameSize
	parts []fetchPart
}

// fetchPart is what an answer shows of one page's text: passages, or a stretch from offset to end.
type fetchPart struct {
	passages    []passageOut
	text        string
	offset, end int
	beginning   bool // of the text, because no passage answers the query
	outline     []string
}

// layOut decides what is shown of pages.
func layOut(pages []loops.PageOutcome, asked fetchAsked) fetchLayout {
	l := fetchLayout{parts: make([]fetchPart, len(pages))}
	left, charsLeft := 0, defaultPageChars
	for _, l.size = range frameSizes() {
		left = loops.AnswerTokens - aroundTokens - framesTokens(pages, l.size)
		if len(pages) == 1 {
			left -= outlineTokens
		}
		if left >= textShare {
			break
		}
	}
	texts := make([]pageText, len(pages))
	var order []int // the shortest first: what it leaves is shared by the others
	for i, p := range pages {
		if p.Status != fetch.StatusRead {
			continue
		}
		texts[i] = textOf(p, asked)
		order = append(order, i)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(texts[a].want, texts[b].want) })
	for n, i := range order {
		if asked.chars > 0 {
			l.parts[i] = texts[i].within(min(asked.chars, maxAskedChars/len(order)), maxAskedChars)
			continue
		}
		share, chars := max(0, left)/(len(order)-n), max(charsLeft/(len(order)-n), minPageChars)
		l.parts[i] = texts[i].within(chars, share)
		left -= l.parts[i].tokens()
		charsLeft -= utf8.RuneCountInString(l.parts[i].text)
		if end := l.parts[i].end; len(pages) == 1 && end > 0 {
			l.parts[i].outline = outlineOf([]rune(pages[i].Text)[end:], end)
		}
	}
	return l
}

func framesTokens(pages []loops.PageOutcome, size frameSize) int {
	sum := 0
	for _, p := range pages {
		frame := size.frame(p)
		if body, err := marshalAnswer(frame); err == nil {
			sum += loops.EstimateTokens(string(body))
		}
		if p.Status == fetch.StatusTimeout || p.Walled { // it may be named once more
			sum += loops.EstimateTokens(frame.URL) + 2
		}
	}
	return sum
}

// frame is all that is said about a page but its text.
func (size frameSize) frame(p loops.PageOutcome) sourceOut {
	out := sourceOut{SourceID: p.ID, URL: cutTo(p.URL, size.address),
		Status: string(p.Status), Reason: cutTo(p.Reason, size.title), Title: cutTo(p.Title, size.title), PublishedAt: cutTo(p.PublishedAt, 40), DOI: cutTo(p.DOI, size.title),
		SourceType: p.SourceType, ContentType: cutTo(p.ContentType, 100), Chars: p.Chars, DuplicateOf: p.DuplicateOf, Via: p.Via, RobotsIgnored: p.RobotsIgnored, Pasted: p.Pasted}
	for _, a := range p.Authors[:min(size.authors, len(p.Authors))] {
		out.Authors = append(out.Authors, cutTo(a, 80))
	}
	if p.FinalURL != p.URL {
		out.FinalURL = cutTo(p.FinalURL, size.address)
	}
	if !strings.HasPrefix(p.Key, "url:") && !strings.HasPrefix(p.Key, "urn:") {
		out.CanonicalKey = cutTo(p.Key, size.address)
	}
	out.AuthorsLeft = len(p.Authors) - len(out.Authors)
	out.Flags = p.Flags[:min(size.flags, len(p.Flags))]
	if !p.FetchedAt.IsZero() {
		out.FetchedAt = &p.FetchedAt
	}
	return out
}

// cutTo shortens what strangers wrote.
func cutTo(s string, chars int) string {
	if r := []rune(s); len(r) > chars {
		return string(r[:chars]) + "…"
	}
	return s
}

// pageText is the part of a page's text that could be shown at most.
type pageText struct {
	fetchPart
	runes []rune // of a stretch
	want  int    // tokens
}

func textOf(p loops.PageOutcome, asked fetchAsked) pageText {
	var t pageText
	if asked.query != "" {
		index := passages.NewIndex()
		index.Add(p.ID, passages.Split(p.Text, passageChars))
		for _, hit := range index.Search(asked.query, passagesShown) {
			t.passages = append(t.passages, passageOut{Start: hit.Passage.Start, End: hit.Passage.End, Text: hit.Passage.Text, Score: rounded(hit.Score), Page: p.Pages.At(hit.Passage.Start)})
		}
		t.beginning = len(t.passages) == 0
	}
	if len(t.passages) == 0 {
		runes := []rune(p.Text)
		t.offset = min(asked.offset, len(runes))
		t.runes = runes[t.offset:]
		t.text = string(t.runes[:min(len(t.runes), max(defaultPageChars, asked.chars))])
	}
	t.want = t.tokens()
	return t
}

// within is as much of the text as has at most so many characters and tokens: passages as long as whole ones fit,
// the first of them cut where not even it does.
func (t pageText) within(chars, tokens int) fetchPart {
	out := t.fetchPart
	if len(t.passages) == 0 {
		n := fitting(t.runes[:min(len(t.runes), chars)], tokens)
		out.text, out.end = string(t.runes[:n]), t.offset+n
		return out
	}
	out.passages = nil
	for _, p := range t.passages {
		cost := passageTokens(p)
		if chars, tokens = chars-(p.End-p.Start), tokens-cost; (chars < 0 || tokens < 0) && len(out.passages) > 0 {
			break
		}
		if tokens < 0 { // the first
			runes := []rune(p.Text)
			n := fitting(runes, tokens+cost-passageTokens(passageOut{}))
			p.End, p.Text = p.Start+n, string(runes[:n])
		}
		out.passages = append(out.passages, p)
	}
	return out
}

// outlineOf lists the headings of a text that begins at an offset: short lines of their own that do not end
// like a sentence and are followed by a longer one.
func outlineOf(text []rune, offset int) []string {
	const longest = 80
	var out []string
	heading, at := "", 0
	for line := range strings.SplitSeq(string(text), "\n") {
		chars := utf8.RuneCountInString(line)
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "":
		case heading != "" && chars > longest:
			if len(out) == maxOutline {
				return append(out, "…")
			}
			out = append(out, fmt.Sprintf("%d %s", at, heading))
			heading = ""
		case chars <= longest && !strings.ContainsAny(trimmed[len(trimmed)-1:], ".,;:!?"):
			heading, at = trimmed, offset
		default:
			heading = ""
		}
		offset += chars + 1
	}
	return out
}

// fitting is how many of these characters have at most so many tokens, as a string of JSON.
func fitting(runes []rune, tokens int) int {
	quarters := 4 * tokens
	for i, r := range runes {
		switch {
		case r == '\n' || r == '\t' || r == '"' || r == '\\':
			quarters -= 2
		case r >= 0x20 && r < 0x80:
			quarters--
		case r < 0x20 || r == 0x2028 || r == 0x2029: // \u2028
			quarters -= 6
		default:
			quarters -= 4
		}
		if quarters < 0 {
			return i
		}
	}
	return len(runes)
}

func (p fetchPart) tokens() int {
	sum := 0
	for _, q := range p.passages {
		sum += passageTokens(q)
	}
	if body, err := marshalAnswer(p.text); err == nil {
		sum += loops.EstimateTokens(string(body))
	}
	return sum
}

func passageTokens(p passageOut) int {
	body, err := marshalAnswer(p)
	if err != nil {
		return 0
	}
	return loops.EstimateTokens(string(body)) + 1
}

// spans are the stretches that each page's part shows, for the read ledger.
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

// show lays out a page, with its part of the texts.
func (l fetchLayout) show(i int, p loops.PageOutcome, asked fetchAsked) sourceOut {
	out, part := l.size.frame(p), l.parts[i]
	out.Offset = asked.offset
	if p.Status != fetch.StatusRead || len(part.passages) > 0 {
		out.Passages = part.passages
		return out
	}
	if part.beginning {
		out.Reason = strings.TrimSpace(out.Reason + " no passage has words of the query; this is the text's beginning")
	}
	out.Text, out.Offset = part.text, part.offset
	if part.end < p.Chars {
		out.NextOffset = part.end
		out.Outline = part.outline
	}
	return out
}
