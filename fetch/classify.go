package fetch

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/datafile"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

const (
	// Shells, error pages and challenge pages are shorter than this, in code points. In a longer text the phrases may be
	// its subject. Chosen.
	shellChars = 1000
	// Previews of paywalled pages are shorter than this. Many sites declare a page as not free and serve all of it, so a
	// longer text counts as read.
	previewChars = 1500
)

// phraseFiles have one regular expression a line, and are named after the kind of page that matches. They are used only with a
// limit on the length of the text, because articles about these subjects contain them as well.
//
//go:embed phrases
var phraseFiles embed.FS

var (
	challengeWords = phrases("challenge")
	deniedWords    = phrases("denied")
	missingWords   = phrases("missing")
	paywallWords   = phrases("paywall")
	offerWords     = phrases("offer")
	cookieWords    = phrases("cookies")
	loginWords     = phrases("login")
	formWords      = phrases("form")
)

// phrases returns one of phraseFiles as an expression that ignores case.
func phrases(name string) *lazyregexp.Regexp {
	return lazyregexp.From(func() string {
		text, _ := phraseFiles.ReadFile("phrases/" + name + ".txt") // the file is embedded
		return "(?i)" + strings.Join(slices.Collect(datafile.Lines(string(text))), "|")
	})
}

// evidence is the input of the classification of an extracted page.
type evidence struct {
	document.Extraction
	shown      string // everything that the page shows: the phrase may be outside the extracted text
	shownChars int
	html       bool
	text       string // without furniture
	content    int    // its code points
	short      bool   // the text is short enough to be a barrier instead of the page
	bare       bool   // and the page around it is small too
}

func evidenceOf(x document.Extraction) evidence {
	e := evidence{Extraction: x, shown: x.Shown, shownChars: x.ShownChars, html: x.ContentType == document.TypeHTML}
	if e.shown == "" {
		e.shown, e.shownChars = x.Text, x.Chars
	}
	e.text = x.Content()
	e.content = utf8.RuneCountInString(strings.TrimSpace(e.text))
	e.short = e.content < shellChars
	e.bare = e.short && e.shownChars < 3*shellChars
	return e
}

// says reports phrases in the text of a short page, or anywhere in a bare one.
func (e evidence) says(match func(string) bool) bool {
	return e.short && match(e.text) || e.bare && match(e.shown)
}

// names reports phrases in the title of a short page, or where says looks.
func (e evidence) names(match func(string) bool) bool {
	return e.short && match(e.Title) || e.says(match)
}

// barriers are the kinds of pages that are no source although their server answered 200, in the order in which they are tried.
var barriers = []struct {
	status Status
	reason string
	met    func(evidence) bool
}{
	{StatusBlocked, challengeReason, func(e evidence) bool { return e.names(challengeWords.MatchString) }},
	{StatusBlocked, deniedReason, func(e evidence) bool { return e.names(deniedWords.MatchString) }},
	{StatusNotFound, "the page says that it does not exist", func(e evidence) bool {
		return e.short && missingWords.MatchString(e.Title) || e.says(saysMissing)
	}},
	{StatusBlocked, loginReason, func(e evidence) bool {
		return e.html && e.content < MinChars && e.bare && e.says(loginWords.MatchString)
	}},
	{StatusPaywalled, "the site shows only a preview", func(e evidence) bool {
		return e.NotFree && e.content < previewChars ||
			e.html && (e.short && offerWords.MatchString(e.text) || e.says(paywallWords.MatchString))
	}},
	{StatusBlocked, loginReason, func(e evidence) bool {
		return e.html && (e.short && (loginWords.MatchString(e.Title) || loginWords.MatchString(e.text)) ||
			e.content < MinChars && e.shownChars < shellChars && formWords.MatchString(e.shown))
	}},
	{StatusBlocked, shellReason, func(e evidence) bool {
		return e.content < shellChars/2 && e.says(document.AsksForScripts)
	}},
	{StatusBlocked, "the site shows a cookie consent form instead of the page", func(e evidence) bool {
		return e.html && e.short && cookieShare(e.text) >= 0.5
	}},
}

// classify reports whether an extracted text is a source, or why not.
func classify(x document.Extraction) (Status, string) {
	e := evidenceOf(x)
	for _, b := range barriers {
		if b.met(e) {
			if b.status == StatusPaywalled {
				b.reason += fmt.Sprintf(" of %d characters", e.content)
			}
			return b.status, b.reason
		}
	}
	if e.content >= MinChars {
		return StatusRead, ""
	}
	reason := fmt.Sprintf("only %d characters of text, a source has at least %d", e.content, MinChars)
	if x.NeedsScript {
		reason += "; the page needs JavaScript to show its text"
	}
	return StatusTooShort, reason
}

// saysMissing looks for phrases of error pages in the first lines of a text.
func saysMissing(text string) bool {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' })
	return slices.ContainsFunc(lines[:min(len(lines), 6)], missingWords.MatchString)
}

// cookieShare is the share of a text's blocks that ask for consent to cookies.
func cookieShare(text string) float64 {
	asks, all := 0, 1
	for block := range strings.SplitSeq(text, "\n\n") {
		all += len(block)
		if cookieWords.MatchString(block) {
			asks += len(block)
		}
	}
	return float64(asks) / float64(all)
}

// needsScript reports whether a page shows its text only after its scripts run: it says so, or it has scripts and almost
// no text.
func needsScript(x document.Extraction, status Status, reason string) bool {
	return status == StatusBlocked && reason == shellReason || status == StatusTooShort && x.ContentType == document.TypeHTML &&
		(x.NeedsScript || x.HasScripts && x.ShownChars < shellChars)
}
