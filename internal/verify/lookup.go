package verify

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// A draft may cite addresses and files that nobody has stored: its author read them with other tools, or not at all. A check
// reads them first.

// maxNamed bounds the addresses, sources and lines that one flag names. The others are counted.
const maxNamed = 12

// Lookup is what reading a cited address gave.
type Lookup struct {
	Source loopstate.Source // zero if it was not read
	Text   *Text            // if no loop has stored it
	Gone   bool             // the address leads nowhere
	Why    string           // it was not read, and what to do
	Late   bool             // reading it again may help
	url    string
}

// Unresolved returns the cited addresses that lead to no source, each once. A link to a file that nobody has read and that is in
// none of the user's folders leads nowhere.
func (v *Result) Unresolved() (out []string) {
	seen := map[string]bool{}
	for i := range v.Claims {
		for j := range v.Claims[i].Citations {
			cite := &v.Claims[i].Citations[j]
			scheme, _, absolute := strings.Cut(cite.URL, ":")
			absolute = absolute && !strings.Contains(scheme, "/") || strings.HasPrefix(cite.URL, "/") || strings.HasPrefix(cite.URL, "~")
			switch key := docid.CanonicalKey(cite.URL, ""); {
			case cite.Problem != "" || cite.SourceID != "":
			case !absolute:
				cite.Problem = cite.URL + " was never read in this loop; read it, then cite its source id"
			case !seen[key]:
				seen[key] = true
				out = append(out, cite.URL)
			}
		}
	}
	return out
}

// Settle resolves the citations of addresses by what reading them gave. An address that leads nowhere is an error. What could
// not be read is not: nobody knows what it says. looked has
// those that the check tried, by their canonical keys: it reads at most that many.
func (v *Result) Settle(looked map[string]Lookup, most int) {
	v.why = map[string]string{}
	for i := range v.Claims {
		c := &v.Claims[i]
		for j := range c.Citations {
			cite := &c.Citations[j]
			if cite.Problem != "" || cite.SourceID != "" {
				continue
			}
			key := docid.CanonicalKey(cite.URL, "")
			l, tried := looked[key]
			if !tried {
				l = Lookup{Why: fmt.Sprintf("a check reads %d addresses; check again for the next ones", most), Late: true}
			}
			switch {
			case l.Source.ID != "":
				cite.SourceID, cite.URL = l.Source.ID, cmp.Or(l.Source.FinalURL, cite.URL)
			case l.Gone:
				cite.Problem = cite.URL + ": " + l.Why
			case v.why[key] == "":
				l.url, v.why[key] = cite.URL, l.Why
				v.unread = append(v.unread, l)
			}
		}
		if c.Covered { // a dead citation is reported with the sentence that it is on
			c.Citations = slices.DeleteFunc(c.Citations, func(cite Citation) bool { return cite.Problem != "" })
		}
	}
}

// withoutTexts takes a claim from the reader while a cited text that may say it could not be read.
func (v *Result) withoutTexts(c *Claim) {
	var missing []string
	reason := ""
	for _, cite := range c.Citations {
		why := v.WhyUnread(cite)
		if cite.Problem == "" && cite.SourceID == "" && why != "" && !slices.Contains(missing, cite.URL) {
			missing, reason = append(missing, cite.URL), why
		}
	}
	if len(missing) == 0 || c.Status == loopstate.Grounded || c.Contradicted() {
		return
	}
	others := "nobody has read the other texts yet."
	if !c.Pending() {
		others = "the other texts do not say it."
		c.Status, c.Key, c.Reading = loopstate.Inferred, "", nil
		c.Flags = slices.DeleteFunc(c.Flags, func(f string) bool { return strings.HasPrefix(f, FlagQuoteAbsent) })
	}
	if c.Because = "No cited source could be read: " + reason + "."; len(c.SourceIDs()) > 0 {
		c.Because = strings.Join(missing, ", ") + " could not be read (" + reason + "), and " + others
	}
}

// unreadFlags says which addresses were not read.
func (v *Result) unreadFlags() (out []string) {
	for _, u := range v.unread[:min(len(v.unread), maxNamed)] {
		out = append(out, fmt.Sprintf("not_read: %s: %s", sanitize.Short(u.url, 100), u.Why))
	}
	if more := len(v.unread) - maxNamed; more > 0 {
		out = append(out, fmt.Sprintf("not_read: and %d more addresses that could not be read", more))
	}
	return out
}

// WhyUnread returns why the address of a citation was not read.
func (v Result) WhyUnread(cite Citation) string { return v.why[docid.CanonicalKey(cite.URL, "")] }

// Unread returns how many cited addresses were not read. Whether they say what the text states is not known.
func (v Result) Unread() int { return len(v.unread) }

// ReadAgain returns how many of them another check may read: those that were late or left.
func (v Result) ReadAgain() (n int) {
	for _, u := range v.unread {
		if u.Late {
			n++
		}
	}
	return n
}
