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

// maxUnreadNamed bounds the unread addresses that a verification names. The others are counted.
const maxUnreadNamed = 10

// Lookup is what reading a cited address gave.
type Lookup struct {
	Source loopstate.Source // zero if it was not read
	Text   *Text            // if no loop has stored it
	Gone   bool             // the address leads nowhere
	Why    string           // it was not read, and what to do
}

// A draft may cite addresses and files that nobody has stored: its author read them with other tools, or not at all. A check
// reads them first, by the same way as [Service.Read].

// FlagAtCheck is the kind of the flag of a claim that cites a source which the check read, and not the author.
const FlagAtCheck = "read_at_check"

// Unresolved returns the cited addresses that lead to no source, each once. A link to a file that nobody has read and that is in
// none of the user's folders leads nowhere.
func (v *Result) Unresolved() []string {
	var out []string
	seen := map[string]bool{}
	for i := range v.Claims {
		for j := range v.Claims[i].Citations {
			cite := &v.Claims[i].Citations[j]
			if cite.Problem != "" || cite.SourceID != "" {
				continue
			}
			if !isAddress(cite.URL) {
				cite.Problem = cite.URL + " was never read in this loop; read it, then cite its source id"
				continue
			}
			if key := docid.CanonicalKey(cite.URL, ""); !seen[key] {
				seen[key] = true
				out = append(out, cite.URL)
			}
		}
	}
	return out
}

// isAddress reports whether a link has a scheme, or is an absolute path.
func isAddress(link string) bool {
	scheme, _, ok := strings.Cut(link, ":")
	return ok && !strings.Contains(scheme, "/") || strings.HasPrefix(link, "/") || strings.HasPrefix(link, "~")
}

// Settle resolves the citations of addresses by what reading them gave. An address that leads nowhere is an error. What could
// not be read is not: nobody knows what it says. ok is false for one that the check did not try, because it reads at most that many.
func (v *Result) Settle(looked func(Citation) (l Lookup, ok bool), most int) {
	byKey := map[string]string{}
	left := 0
	for i := range v.Claims {
		c := &v.Claims[i]
		for j := range c.Citations {
			cite := &c.Citations[j]
			if cite.Problem != "" || cite.SourceID != "" {
				continue
			}
			key := docid.CanonicalKey(cite.URL, "")
			switch l, ok := looked(*cite); {
			case l.Source.ID != "":
				cite.SourceID, cite.URL = l.Source.ID, cmp.Or(l.Source.FinalURL, cite.URL)
			case l.Gone:
				cite.Problem = cite.URL + ": " + l.Why
			default:
				if _, known := byKey[key]; !known {
					if !ok {
						left++
					} else {
						v.unread = append(v.unread, unreadAddress{cite.URL, l.Why})
					}
				}
				byKey[key] = cmp.Or(l.Why, fmt.Sprintf("a check reads %d addresses; check again for the next ones", most))
			}
		}
		if c.Covered { // a dead citation is reported with the sentence that it is on
			c.Citations = slices.DeleteFunc(c.Citations, func(cite Citation) bool { return cite.Problem != "" })
		}
	}
	v.why, v.left, v.most = byKey, left, most
	v.Mistitled = WrongTitles(v.References, func(address string) (loopstate.Source, bool) {
		cite := v.Follow(address)
		if cite.SourceID != "" {
			return v.state.library.ByAddress(cite.URL)
		}
		l, _ := looked(cite)
		return l.Source, l.Source.ID != ""
	})
}

// takeUnread takes the claims from the reader that an unread address may support, and marks those whose sources only the
// check has read.
func (v *Result) takeUnread() {
	for i := range v.Claims {
		c := &v.Claims[i]
		if len(v.why) > 0 {
			c.WithoutTexts(func(cite Citation) string {
				if cite.SourceID != "" {
					return ""
				}
				return v.why[docid.CanonicalKey(cite.URL, "")]
			})
		}
		var ids []string
		for _, id := range c.SourceIDs() {
			if v.Sources[id].AtCheck {
				ids = append(ids, id)
			}
		}
		if len(ids) > 0 {
			c.Flags = append(c.Flags, FlagAtCheck+": "+strings.Join(ids, ", "))
		}
	}
}

// citedFlags says which sources only the check has read, and which addresses were not read.
func (v *Result) citedFlags() []string {
	var ids, out []string
	for _, c := range v.Claims {
		for _, id := range c.SourceIDs() {
			if v.Sources[id].AtCheck && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	if n := len(ids); n > 0 {
		more := ""
		if n > maxLinesNamed {
			ids, more = ids[:maxLinesNamed], ", …"
		}
		out = append(out, fmt.Sprintf("%s: %d cited sources (%s) were read at the check, and the author was not shown them", FlagAtCheck, n, strings.Join(ids, ", ")+more))
	}
	for i, u := range v.unread {
		if i == maxUnreadNamed {
			out = append(out, fmt.Sprintf("not_read: and %d more addresses that could not be read", len(v.unread)-i))
			break
		}
		out = append(out, fmt.Sprintf("not_read: %s: %s", sanitize.Short(u.url, 100), u.why))
	}
	if v.left > 0 {
		out = append(out, fmt.Sprintf("not_read: %d cited addresses are left, because one check reads %d; check again for the next ones", v.left, v.most))
	}
	return out
}
