package resources

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Root begins all addresses.
const Root = "citeloop://loops/"

// address is a parsed resource URI.
type address struct {
	loop       string
	part       string // partBrief, partReport, or "" for a source
	source     string
	start, end int // of a span, in code points of the stored text; end 0: the whole source
}

const (
	partBrief  = "brief"
	partReport = "report"
)

var addressPattern = lazyregexp.New(`^` + Root + `([A-Za-z0-9-]{1,64})/` +
	`(?:(brief|report)|sources/([A-Za-z0-9-]{1,64})(?:/(0|[1-9][0-9]{0,8})-([1-9][0-9]{0,8}))?)$`)

// ours reports whether a URI has the scheme of this package, valid or not.
func ours(uri string) bool {
	scheme, _, _ := strings.Cut(Root, "/")
	return len(uri) >= len(scheme) && strings.EqualFold(uri[:len(scheme)], scheme)
}

// parseAddress parses a URI. It accepts only the output of String: no escapes, no dots, no other case.
func parseAddress(uri string) (address, bool) {
	m := addressPattern.FindStringSubmatch(uri)
	if m == nil {
		return address{}, false
	}
	a := address{loop: m[1], part: m[2], source: m[3]}
	a.start, _ = strconv.Atoi(m[4]) // nothing, or at most nine digits
	a.end, _ = strconv.Atoi(m[5])
	return a, true
}

// String returns the URI.
func (a address) String() string {
	switch {
	case a.part != "":
		return Root + a.loop + "/" + a.part
	case a.end == 0:
		return Root + a.loop + "/sources/" + a.source
	}
	return fmt.Sprintf("%s%s/sources/%s/%d-%d", Root, a.loop, a.source, a.start, a.end)
}
