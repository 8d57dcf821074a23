package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/lines"
)

// An answer of fetch stays within the token limit for any pages, unless max_chars asks for more. The metadata of each page
// comes first, with long untrusted fields cut. The texts share the remaining tokens, and short ones leave theirs to the
// others.

const (
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
	// aroundTokens is reserved for the notice, and what is filled in when a source has its id.
	aroundTokens = 500
	// outlineTokens is reserved for the outline of a single page; the outlines of several take twice as much.
	outlineTokens = 600
)

// textShare is the part of an answer for texts, in tokens. Metadata is cut to keep it.
const textShare = loops.AnswerTokens / 3

// fetchLayout is what an answer shows of each page.
type fetchLayout struct {
	size  frameSize
	parts []fetchPart
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
	share := charsLeft / len(pages)
	var order []int // the shortest first: the others share what it leaves
	for i, p := range pages {
		// The outline of a long one of several pages says where to read on; a fragment would not.
		if p.Status == fetch.StatusRead && !asked.none && !(asked.plain() && len(pages) > 1 && outlined(p, share)) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(pages[a].Chars, pages[b].Chars) })
	for n, i := range order {
		rest := len(order) - n
		chars, tokens := max(charsLeft/rest, minPageChars), max(0, left)/rest
		if asked.chars > 0 {
			chars, tokens = min(asked.chars, charsLeft/rest), unlimited
		}
		l.parts[i] = partOf(pages[i], asked.of(pages[i]), share, chars, tokens)
		left -= l.parts[i].tokens()
		charsLeft -= l.parts[i].chars()
	}
	return l
}

// outlined reports whether a page is too long for its share of an answer and has headings.
func outlined(p loops.PageOutcome, share int) bool {
	return p.Status == fetch.StatusRead && p.Chars > max(share, minPageChars) && len(lines.NewPage(p.Text, p.Furniture).Outline()) > 0
}

func framesTokens(pages []loops.PageOutcome, size frameSize) int {
	sum := 0
	for _, p := range pages {
		frame := size.frame(p)
		sum += tokensOf(frame)
		if p.Status == fetch.StatusTimeout { // unread lists its address again
			sum += loops.EstimateTokens(frame.URL) + 2
		}
	}
	return sum
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
		text = lines.NewPage(p.Text, p.Furniture)
	}
	out.Lines, out.Furniture = text.Len(), p.Furniture.Count()
	shown := part.chars()
	if shown < p.Chars && !part.whole() {
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
	case part.missing:
		out.Reason, out.Offset = fmt.Sprintf("lines %s do not exist: the text has %d lines", asked.of(p).lines, text.Len()), 0
	case asked.offset > p.Chars:
		out.Reason, out.Offset = fmt.Sprintf("offset %d is beyond the end: the text has %d characters", asked.offset, p.Chars), 0
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
		if part.end < p.Chars && part.end != part.last {
			out.NextOffset = part.end
		}
	}
	return out
}
