package lines

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

const maxFrontLines = 200 // bounds a head: beyond it, an opening --- was a rule (chosen)

var (
	mark      = lazyregexp.New(`^(?:---|\+\+\+|\.\.\.)[ \t\r]*$`)                         // before and after YAML and TOML
	key       = lazyregexp.New(`^["']?[\pL\pN_][\pL\pM\pN_ .-]*["']?[ \t]*[:=]`)          // of them
	statement = lazyregexp.New(`^(?:#\+|:)?[A-Za-z][\w-]*(?: [\w-]+){0,3}:(?:[ \t\r]|$)`) // of Org and reStructuredText too
	// after a statement: its next line, a list, a comment
	goesOn     = lazyregexp.New(`^(?:[ \t\r#-]|% |$)`)
	identifies = lazyregexp.New(`(?i)^[#+:]*(title|subject|authors?|from|status|date|created|doi):`) // one of them makes a preamble
	memo       = lazyregexp.New(`(?i)^(?:request for comments:|internet-draft\b)`)
)

// Head cuts a text behind the lines of [Text.Front]. head is "" without them.
func Head(text string) (head, rest string) {
	all := strings.SplitN(text, "\n", 2*maxFrontLines+2)
	first, end := front(all)
	return strings.Join(all[first:end], "\n"), strings.Join(all[end:], "\n")
}

// front returns the lines [first, end), from 0, of front matter between two marks, or up to a blank line of a preamble, a title
// block or the head of an RFC, or of a file of such statements alone, with which a text begins. end is 0 without them.
func front(all []string) (first, end int) {
	empty := func(line string) bool { return strings.TrimSpace(line) == "" }
	first = max(0, slices.IndexFunc(all[:min(len(all), maxFrontLines)], func(line string) bool { return !empty(line) }))
	head := all[first:min(len(all), first+maxFrontLines)]
	end = slices.IndexFunc(append(slices.Clone(head), ""), empty)
	switch n := stated(head[:end]); {
	case mark.MatchString(head[0]):
		if end = 2 + slices.IndexFunc(head[1:], mark.MatchString); end < 2 || !slices.ContainsFunc(head[:end], key.MatchString) {
			return 0, 0
		}
	case slices.ContainsFunc(head[:end], memo.MatchString):
	// more are comments of TeX
	case n == 0 && strings.HasPrefix(head[0], "% ") && strings.Count("\n"+strings.Join(head[:end], "\n"), "\n%") < 4:
	case n < 2 || end == maxFrontLines || !statement.MatchString(head[0]) || !slices.ContainsFunc(head[:end], identifies.MatchString):
		return 0, 0
	case first+len(head) == len(all) && stated(head) > n:
		end = len(strings.Split(strings.TrimSpace(strings.Join(head, "\n")), "\n"))
	}
	return first, first + end
}

// stated counts the statements among lines, or returns -1 if anything but what goes on with one is among them.
func stated(head []string) (n int) {
	for _, line := range head {
		if statement.MatchString(line) {
			n++
		} else if !goesOn.MatchString(line) {
			return -1
		}
	}
	return n
}
