package report

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"path"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// facts is a document with the values that Markdown and HTML share.
type facts struct {
	Document
	byID  map[string]int        // source id -> index in Sources
	cited map[string][]pageSpan // source id -> cited pages

	origin map[string][]int // Origin() of sources -> indexes in Sources
	words  messages.Table   // of the language of the report
}

// source returns a source by its id.
func (f facts) source(id string) (Source, int, bool) {
	i, ok := f.byID[id]
	if !ok {
		return Source{}, -1, false
	}
	return f.Sources[i], i, true
}

// label returns the text of a citation: the author's label, the number of the source, or its id.
func (s Source) label() string {
	if s.own != "" {
		return s.own
	}
	if s.Number > 0 && !s.ByID {
		return strconv.Itoa(s.Number)
	}
	return sanitize.Line(s.ID)
}

// address returns the final address of the source, or the requested one.
func (s Source) address() string { return cmp.Or(s.FinalURL, s.URL) }

// file returns the name of a local file: its path below the user's folder, or else the last part of its address; "" for any other
// source. Reports go to other people, whom the folders above do not concern.
func (s Source) file() string {
	at, local := strings.CutPrefix(s.address(), "file://")
	if local {
		if plain, err := url.PathUnescape(at); err == nil {
			at = plain
		}
		at = path.Base(at)
	} else if strings.Contains(at, ":") {
		return ""
	}
	return sanitize.Line(at)
}

// title is the title of the source in bibliographies, which are in English.
func (s Source) title() string { return s.titleIn(messages.Table{}) }

// titleIn is the title of the source, or its address.
func (s Source) titleIn(m messages.Table) string {
	return sanitize.Short(cmp.Or(sanitize.Line(s.Title), s.file(), sanitize.Line(s.address()), m.T("Untitled source")), titleChars)
}

// heading returns the title of a report whose text has none.
func heading(d Document) string {
	return sanitize.Short(cmp.Or(sanitize.Line(d.Query), "Research report"), 2*titleChars)
}

// draftNotice returns the warning on a report that failed the check.
func draftNotice(m messages.Table) string {
	return m.T("DRAFT, not verified. This report did not pass its verification and was written on request. Sentences that are not supported are marked; do not rely on them.")
}

// percent formats a share. It truncates, so that a share below a threshold never looks as if it reached it.
func percent(share float64) string {
	if math.IsNaN(share) || math.IsInf(share, 0) {
		return "unknown"
	}
	return fmt.Sprintf("%d\u00a0%%", int(math.Floor(share*100+1e-9)))
}

// stopped returns a heading for the last decision, and its reason.
func (f facts) stopped() (title, reason string) {
	d := f.Decision
	switch d.NextAction {
	case loopstate.Finalize, loopstate.Abort:
		title = f.words.T("Why the loop stopped")
	case "":
		return f.words.T("State of the loop"), f.words.T("No decision was recorded.")
	default:
		title = f.words.T("The loop had not stopped")
	}
	reason = sanitize.Line(d.StopReason)
	if reason == "" {
		next := "Next: " + strings.ReplaceAll(sanitize.Line(d.NextAction), "_", " ")
		reason = f.words.T(next)
	}
	return title, plainStop(capital(reason))
}

func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// day and minute format times in UTC; the zero time is "".
func day(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02")
}

func minute(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

// short returns the beginning of a hash.
func short(hash string) string {
	hash = sanitize.Line(hash)
	if len(hash) > 12 {
		return hash[:12]
	}
	return hash
}

// AsSentence returns a text on one line with a capital at its start and a full stop at its end.
func AsSentence(s string) string { return plainStop(capital(sanitize.Line(s))) }

// plainStop adds a full stop to an untrusted sentence without one.
func plainStop(s string) string {
	s = sanitize.Line(s)
	if s == "" || strings.ContainsAny(s[len(s)-1:], ".!?") || strings.HasSuffix(s, "。") || strings.HasSuffix(s, "！") || strings.HasSuffix(s, "？") {
		return s
	}
	if last, _ := utf8.DecodeLastRuneInString(s); unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana) {
		return s + "。"
	}
	return s + "."
}

// Limits of untrusted texts in Markdown and HTML. Cuts are marked, and the JSON has the whole texts.
const (
	titleChars   = 300  // of a title, in every format but JSON
	pointedChars = 120  // of a sentence in a tooltip
	saidChars    = 1200 // of a sentence beside its receipts
	passageChars = 8000 // of a passage
)

// head returns at most passageChars of a passage, and a note about the rest, or "".
func head(passage string) (shown, left string) {
	text := []rune(passage)
	if len(text) <= passageChars {
		return passage, ""
	}
	return string(text[:passageChars]), fmt.Sprintf("%d more characters of the passage are not shown.", len(text)-passageChars)
}

// pageSpan are pages from first to last.
type pageSpan struct{ first, last int }

func (s pageSpan) with(dash string) string {
	if s.first == s.last {
		return strconv.Itoa(s.first)
	}
	return strconv.Itoa(s.first) + dash + strconv.Itoa(s.last)
}
