package html

import (
	_ "embed"
	"net/url"
	"strings"
	"sync"

	"golang.org/x/net/html/atom"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// The dates that a page shows and does not declare: beside its title, in a short line, with a word before
// them that tells what they are. Each sign adds to the score of a date; the best is believed from minDateScore on.
const (
	minDateScore   = 5.0
	farFromTitle   = 25     // blocks; a date further away is of something else
	dateLineChars  = 80     // a short block; a longer one is prose that mentions a date
	labelBytes     = 40     // looked at before a date
	datelineBytes  = 60     // of prose, within which a date with a dash behind it is a dateline
	maxDatedBlocks = 400    // blocks with digits that are looked at
	minDateDigits  = 5      // of "1 May 2026", the shortest form that document.DatesIn reads
	firstWebYear   = "1990" // an earlier date on a page is of what it is about
)

//go:embed datewords.txt
var dateWordList string

// dateWords maps words before dates to "published", "submitted", "modified" or "other".
var dateWords = sync.OnceValue(func() map[string]string {
	words := map[string]string{}
	for line := range datafile.Lines(dateWordList) {
		kind, word, _ := strings.Cut(line, " ")
		words[word] = kind
	}
	return words
})

// shownDates are the days of publication and of the last change that a page shows, empty when it shows none that is
// believed. language is the page's, own its address or nil.
func (o *page) shownDates(title, language string, own *url.URL) (published, modified string) {
	address := addressDate(own)
	headline := o.headline(title)
	best, bestModified := float32(0), float32(0)
	looked := 0
	for i := range o.parts {
		b := &o.parts[i]
		if b.digits < 2 {
			continue
		}
		if looked++; looked > maxDatedBlocks {
			break
		}
		around := o.dateScore(i, headline)
		for _, d := range datesOf(b, language) {
			score := around
			before := strings.ToLower(strings.TrimSpace(b.Text[max(0, d.Start-labelBytes):d.Start]))
			if d.Start == 0 && i > 0 && o.parts[i-1].chars <= labelBytes {
				before = strings.ToLower(o.parts[i-1].Text)
			}
			kind := labelKind(before)
			switch {
			case kind == "other", d.Date < firstWebYear:
				continue
			case kind == "submitted": // to the readers of a forum, or to a journal that published it later
				score += 2.5
			case kind != "":
				score += 3
			case i == headline:
				score += 2
			case b.chars > dateLineChars && !isDateline(b.Text, d):
				score -= 4
			case b.chars > dateLineChars:
				score += 2
			}
			switch {
			case address == "" || !strings.HasPrefix(d.Date, address[:len("2006-01")]):
			case d.Date == address:
				score += 4
			default:
				score += 2
			}
			if kind == "modified" {
				if score >= minDateScore && score > bestModified {
					modified, bestModified = d.Date, score
				}
			} else if score >= minDateScore && score > best {
				published, best = d.Date, score
			}
		}
	}
	if published == "" && len(address) == len("2006-01-02") {
		published = address
	}
	return published, modified
}

// headline is the block that is the page's title: the first h1 whose words are in the title, else the first h1, else the
// first block that the title begins with, or -1.
func (o *page) headline(title string) int {
	title = strings.ToLower(title)
	first, named := -1, -1
	for i := range o.parts {
		b := &o.parts[i]
		if b.chars > document.MaxNameChars {
			continue
		}
		low := strings.ToLower(b.Text)
		inTitle := len(low) > 10 && strings.Contains(title, low)
		if b.Kind == document.Heading && b.Level == 1 {
			if inTitle {
				return i
			}
			if first < 0 {
				first = i
			}
		}
		if named < 0 && inTitle && 2*b.linked < b.chars {
			named = i
		}
	}
	if first >= 0 && named < 0 {
		return first
	}
	return named // an h1 that is not in the title is the name of the site
}

// dateScore is how much the place of a block says that a date in it is the page's.
func (o *page) dateScore(i, headline int) float32 {
	b := &o.parts[i]
	var score float32
	switch distance := i - headline; {
	case headline < 0:
		score++
	case distance >= 0 && distance <= 8:
		score += 3
	case distance < 0 && distance >= -6:
		score += 2
	case distance > 0 && distance <= farFromTitle:
		score++
	default:
		score--
	}
	switch {
	case b.chars <= dateLineChars/2 && headline >= 0 && i >= headline-2 && i <= headline+2:
		score += 3
	case b.chars <= dateLineChars/2:
		score += 2
	case b.chars <= dateLineChars:
		score++
	}
	switch o.regions[b.region].node.DataAtom {
	case atom.Td, atom.Th, atom.Tr, atom.Dd: // a fact of what the page is about
		score -= 2
	}
	return score
}

// datesOf are the dates of a block's text.
func datesOf(b *part, language string) []document.WrittenDate {
	if b.digits < minDateDigits {
		return nil
	}
	text := b.Text
	if len(text) > 600 {
		text = strings.ToValidUTF8(text[:600], "")
	}
	return document.DatesIn(text, language)
}

// labelKind is what the words right before a date say it is; empty when they say nothing.
func labelKind(before string) string {
	before = strings.TrimRight(before, " :-–—|(,.•·\u00a0")
	for _, link := range []string{" on", " at", " am", " le", " el", " il", " em", " in", " the", " den", " der"} {
		before = strings.TrimRight(strings.TrimSuffix(before, link), " :")
	}
	words := strings.Fields(before)
	for take := min(3, len(words)); take > 0; take-- {
		if kind := dateWords()[strings.Join(words[len(words)-take:], " ")]; kind != "" {
			return kind
		}
	}
	if len(words) > 0 {
		for word, kind := range dateWords() { // scripts without spaces between words
			if word[0] >= 0x80 && strings.HasSuffix(before, word) {
				return kind
			}
		}
	}
	return ""
}

// isDateline reports a date at the start of prose with a mark behind it, or with a place before it.
func isDateline(text string, d document.WrittenDate) bool {
	if d.Start > datelineBytes {
		return false
	}
	rest := strings.TrimLeft(text[d.End:], " )\u00a0")
	marked := false
	for _, mark := range []string{"-", "–", "—", "|", ":", "/", "·", "•"} {
		marked = marked || strings.HasPrefix(rest, mark)
	}
	return marked && !strings.ContainsAny(text[:d.Start], ".!?")
}

var (
	archivedAddress = lazyregexp.New(`^/web/\d{4,14}[a-z_]*/`)
	pathDate        = lazyregexp.New(`/(\d{4})[/-](\d{1,2})(?:[/-](\d{1,2}))?(?:[/_-]|$)|[/_-](\d{4})-?(\d{2})-?(\d{2})(?:[/_.-]|$)`)
)

// addressDate is the day or the month that a page's address names, or "".
func addressDate(own *url.URL) string {
	if own == nil {
		return ""
	}
	m := pathDate.FindStringSubmatch(archivedAddress.ReplaceAllString(own.Path, "/"))
	if m == nil {
		return ""
	}
	date := document.DateOf(m[1]+m[4], m[2]+m[5], m[3]+m[6])
	if len(date) < len("2006-01") || date < firstWebYear {
		return ""
	}
	return date
}
