package resources

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Root is the resource that lists the caller's loops, and the prefix of all other addresses.
const Root = "citeloop://loops"

// part is the part of a loop that a resource shows.
type part string

const (
	partList       part = "list" // of all loops
	partLoop       part = ""
	partBrief      part = "brief"
	partRounds     part = "rounds"
	partReport     part = "report"
	partReportHTML part = "report.html"
	partSources    part = "sources"
	partSource     part = "source"
	partSpan       part = "span"
)

// address is a parsed resource URI.
type address struct {
	part       part
	loop       string
	source     string
	start, end int // of a span, in code points of the stored text
}

var addressPattern = lazyregexp.New(`^` + Root + `(?:/([A-Za-z0-9-]{1,64})` +
	`(?:/(brief|rounds|report|report\.html|sources)|/sources/([A-Za-z0-9-]{1,64})(?:/(0|[1-9][0-9]{0,8})-([1-9][0-9]{0,8}))?)?)?$`)

// ours reports whether a URI has the scheme of this package, valid or not.
func ours(uri string) bool {
	return strings.HasPrefix(strings.ToLower(uri[:min(len(uri), 9)]), "citeloop:")
}

// parseAddress parses a URI. It accepts only the output of String: no escapes, no dots, no other case.
func parseAddress(uri string) (address, bool) {
	m := addressPattern.FindStringSubmatch(uri)
	if m == nil {
		return address{}, false
	}
	a := address{part: part(m[2]), loop: m[1], source: m[3]}
	switch {
	case a.loop == "":
		a.part = partList
	case m[5] != "":
		a.part = partSpan
		a.start, _ = strconv.Atoi(m[4]) // at most nine digits
		a.end, _ = strconv.Atoi(m[5])
	case a.source != "":
		a.part = partSource
	}
	return a, true
}

// String returns the URI.
func (a address) String() string {
	switch a.part {
	case partList:
		return Root
	case partLoop:
		return Root + "/" + a.loop
	case partSource:
		return Root + "/" + a.loop + "/sources/" + a.source
	case partSpan:
		return fmt.Sprintf("%s/%s/sources/%s/%d-%d", Root, a.loop, a.source, a.start, a.end)
	}
	return Root + "/" + a.loop + "/" + string(a.part)
}
