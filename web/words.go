package web

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/loopstate"
)

// turns reports whether r changes the direction of the text after it (embeddings, overrides, isolates): in foreign
// text it could make the page say something else than it does.
func turns(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }

// plain is foreign text for one line: white space becomes single spaces; control characters and those that turn
// the direction are dropped.
func plain(s string) string {
	return strings.Join(strings.FieldsFunc(strings.Map(func(r rune) rune {
		if turns(r) || r == 0xFEFF || unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s), unicode.IsSpace), " ")
}

// short is plain, cut where it is long.
func short(chars int, s string) string {
	if s = plain(s); utf8.RuneCountInString(s) > chars {
		return string([]rune(s)[:chars]) + "…"
	}
	return s
}

// webLink is an address that the page may lead to: http or https with a host and without a password; else "".
func webLink(raw string) string {
	raw = strings.TrimSpace(raw)
	if strings.ContainsFunc(raw, func(r rune) bool { return unicode.IsControl(r) || turns(r) }) {
		return ""
	}
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}

// sentence begins with a capital and ends with a full stop.
func sentence(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(s)
	s = string(unicode.ToUpper(r)) + s[n:]
	if !strings.ContainsAny(s[len(s)-1:], ".!?") {
		s += "."
	}
	return s
}

func when(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.UTC().Format("2006-01-02 15:04 UTC")
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

// thousands writes 1234567 as 1,234,567.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func percent(share float64) string { return fmt.Sprintf("%.0f %%", share*100) }

// verdictView says a verdict by class, sign and word, so that colour is never alone.
type verdictView struct{ Class, Sign, Word string }

func verdictOf(status string) verdictView {
	switch status {
	case loopstate.Grounded:
		return verdictView{"grounded", "✓", "grounded"}
	case loopstate.Inferred:
		return verdictView{"inferred", "≈", "inferred"}
	case loopstate.Unsupported:
		return verdictView{"unsupported", "✗", "unsupported"}
	case uncited:
		return verdictView{"uncited", "∅", "cites nothing"}
	}
	return verdictView{"unchecked", "?", "not checked"}
}

// uncited is the status of a sentence that claims something and cites nothing.
const uncited = "uncited"

func isUnknown(e *loopstate.ArgumentError) bool {
	return strings.HasPrefix(e.Problem, "there is no loop") || strings.HasSuffix(e.Problem, "was never read in this loop")
}
