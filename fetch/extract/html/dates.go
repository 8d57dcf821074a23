package html

import (
	"cmp"
	_ "embed"
	"net/url"
	"slices"
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
	minDateScore   = 2
	dateLineChars  = 80     // a short block; a longer one is prose that mentions a date
	labelBytes     = 40     // looked at before a date
	datelineBytes  = 60     // of prose, within which a date with a dash behind it is a dateline
	maxDatedBlocks = 400    // blocks with digits that are looked at
	maxDatedBytes  = 600    // of each of them
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
	address, headline := addressDate(own), o.headline(title)
	day, best := map[string]string{}, map[string]int{}
	left := maxDatedBlocks
	for i := range o.parts {
		b := &o.parts[i]
		if b.times == nil && !strings.ContainsAny(b.Text, "0123456789") {
			continue
		}
		if left--; left < 0 {
			break
		}
		dates := document.DatesIn(b.Text[:min(len(b.Text), maxDatedBytes)], language)
		for _, d := range b.times {
			if d.End <= len(b.Text) && b.Kind != document.Item { // of lists of events
				dates = append(dates, d)
			}
		}
		inHistory := slices.ContainsFunc(dates, func(d document.WrittenDate) bool { return labelKind(o.before(i, d)) == "other" })
		for _, d := range dates {
			kind := labelKind(o.before(i, d))
			if kind == "other" || kind == "submitted" && inHistory || d.Date < firstWebYear { // a manuscript was submitted, and accepted
				continue
			}
			score := o.dateScore(i, headline, d, kind, address)
			if kind != "modified" {
				kind = "published"
			}
			if score >= minDateScore && score > best[kind] {
				day[kind], best[kind] = d.Date, score
			}
		}
	}
	if len(address) == len("2006-01-02") {
		day["published"] = cmp.Or(day["published"], address)
	}
	return day["published"], day["modified"]
}

// before is the text before a date, of the block before it where the date begins one.
func (o *page) before(i int, d document.WrittenDate) string {
	if d.Start == 0 && i > 0 && o.parts[i-1].chars <= labelBytes {
		return o.parts[i-1].Text
	}
	return o.parts[i].Text[max(0, d.Start-labelBytes):d.Start]
}

// headline is the first block that is most surely the page's title, or -1: an h1 whose words are in the title, else another block
// of such words, since an h1 of other words is the name of the site, else any h1.
func (o *page) headline(title string) (at int) {
	at, title = -1, strings.ToLower(title)
	best := 0
	for i := range o.parts {
		b, rank := &o.parts[i], 0
		isFirst := b.Kind == document.Heading && b.Level == 1
		if isFirst {
			rank = 1
		}
		isTitle := len(b.Text) > 10 && b.chars <= document.MaxNameChars && strings.Contains(title, strings.ToLower(b.Text))
		if isTitle && (isFirst || 2*b.linked < b.chars) {
			rank += 2
		}
		if rank > best {
			at, best = i, rank
		}
	}
	return at
}

// dateScore is how much the place of a date, the word before it and the page's address say that it is the page's.
func (o *page) dateScore(i, headline int, d document.WrittenDate, kind, address string) (score int) {
	b, behind := &o.parts[i], i-headline
	isProse, isDateline := b.chars > dateLineChars, isDateline(b.Text, d)
	isFact := false // of what the page is about
	switch o.regions[b.region].node.DataAtom {
	case atom.Td, atom.Th, atom.Tr, atom.Dd:
		isFact = true
	}
	for _, sign := range []struct {
		holds bool
		worth int
	}{
		{headline >= 0 && (behind < -6 || behind > 25), -3},
		{headline >= 0 && -2 <= behind && behind <= 8, 1},
		{b.chars <= dateLineChars/2, 1},
		{isFact, -1},
		{kind == "submitted", 2}, // to the readers of a forum, or to a journal that published it later
		{kind == "published" || kind == "modified", 3},
		{kind == "" && (i == headline || isProse && isDateline), 1},
		{kind == "" && i != headline && isProse && !isDateline, -3},
		{address != "" && strings.HasPrefix(address, d.Date[:len("2006-01")]), 2},
	} {
		if sign.holds {
			score += sign.worth
		}
	}
	return score
}

// joining are the signs and the words between a date and the word that says what it is.
var joining = lazyregexp.New(`(?:[\s:：–—|(,.•·\x{a0}-]+(?:on|at|am|le|el|il|em|in|the|den|der)?)+$`)

// labelKind is what the longest known word right before a date says it is; empty when none is there. Scripts other than Latin
// have no space before it.
func labelKind(before string) (kind string) {
	before = strings.ToLower(before)
	before = joining.ReplaceAllString(before, "")
	longest := 0
	for word, is := range dateWords() {
		rest, ok := strings.CutSuffix(before, word)
		if ok && len(word) > longest && (rest == "" || word[0] >= 0x80 || strings.IndexByte(" \u00a0(", rest[len(rest)-1]) >= 0) {
			kind, longest = is, len(word)
		}
	}
	return kind
}

var markBehind = lazyregexp.New(`^[ )\x{a0}]*[-–—|:/·•]`)

// isDateline reports a date at the start of prose with a mark behind it, or with a place before it.
func isDateline(text string, d document.WrittenDate) bool {
	return d.Start <= datelineBytes && markBehind.MatchString(text[d.End:]) && !strings.ContainsAny(text[:d.Start], ".!?")
}

var pathDate = lazyregexp.New(`/(\d{4})[/-](\d{1,2})(?:[/-](\d{1,2}))?(?:[/_-]|$)|[/_-](\d{4})-?(\d{2})-?(\d{2})(?:[/_.-]|$)`)

// addressDate is the day or the month that a page's address names, or "".
func addressDate(own *url.URL) string {
	if own == nil {
		return ""
	}
	m := pathDate.FindStringSubmatch(own.Path)
	if m == nil {
		return ""
	}
	date := document.DateOf(m[1]+m[4], m[2]+m[5], m[3]+m[6])
	if len(date) < len("2006-01") || date < firstWebYear {
		return ""
	}
	return date
}
