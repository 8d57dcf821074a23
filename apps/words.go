package apps

import (
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/loopstate"
)

// turns reports whether r changes the direction of the text after it: in foreign text it could make the page say
// something else than it does.
func turns(r rune) bool { return r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 }

// short is foreign text on one line, without control characters and those that turn the direction, cut where it is
// longer than so many code points.
func short(chars int, s string) string {
	var b strings.Builder
	n, blank := 0, false
	for _, r := range s { // stops early: a text may be long
		switch {
		case unicode.IsSpace(r):
			blank = b.Len() > 0
			continue
		case turns(r) || r == 0xFEFF || unicode.IsControl(r):
			continue
		}
		if blank {
			if n++; n < chars {
				b.WriteByte(' ')
			}
			blank = false
		}
		if n++; n > chars {
			return strings.TrimRight(b.String(), " ") + "…"
		}
		b.WriteRune(r)
	}
	return b.String()
}

// maxLinkBytes: a longer address is shown by its title alone.
const maxLinkBytes = 500

// webLink is an address that a host may be asked to open: http or https with a host and without a password; else "".
func webLink(raw string) string {
	raw = strings.TrimSpace(raw)
	if len(raw) > maxLinkBytes || !utf8.ValidString(raw) || strings.ContainsFunc(raw, func(r rune) bool { return unicode.IsControl(r) || turns(r) }) {
		return ""
	}
	u, err := url.Parse(raw)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return u.String()
}

// actions are the next actions in words for a person.
func actions() map[string]string {
	return map[string]string{
		loopstate.SearchMore:     "Search on",
		loopstate.FetchMore:      "Read what was found",
		loopstate.Finalize:       "Write the result",
		loopstate.EscalateBudget: "Your word is needed",
		loopstate.Abort:          "Stopped",
	}
}

// verdict says a verdict by class, sign and word, so that colour is never alone.
type verdict struct{ Class, Sign, Word string }

// verdicts are in the order in which they are counted.
func verdicts() []verdict {
	return []verdict{
		{loopstate.Grounded, "✓", "grounded"},
		{loopstate.Inferred, "≈", "inferred"},
		{loopstate.Unsupported, "✗", "unsupported"},
		{"unchecked", "?", "not checked"},
	}
}

func verdictOf(c loopstate.Claim) verdict {
	all := verdicts()
	for _, v := range all {
		if c.Check != nil && c.Check.Status == v.Class {
			return v
		}
	}
	return all[len(all)-1]
}

func remaining(r loopstate.Remaining) []string {
	out := []string{plural(r.Rounds, "round"), thousands(r.Tokens) + " tokens"}
	if r.CostUSD != nil {
		out = append(out, "$"+strconv.FormatFloat(*r.CostUSD, 'f', 2, 64))
	}
	if r.LatencySeconds != nil {
		out = append(out, plural((*r.LatencySeconds+59)/60, "minute"))
	}
	return out
}

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return thousands(n) + " " + noun + "s"
}

// thousands writes 1234567 as 1,234,567.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

func when(t time.Time) string { return t.UTC().Format("2006-01-02 15:04 UTC") }
