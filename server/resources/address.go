package resources

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/server/apps"
)

// The addresses of resources. Only the exact spellings below are valid: no escapes, no dots, no other case.
const (
	// Root is the resource that lists the caller's loops, and the prefix of all other addresses.
	Root            = "citeloop://loops"
	maxAddressBytes = 256 // ours have at most 90
)

// part is the part of a loop that a resource shows.
type part string

const (
	partIndex      part = "index" // resources/list, which has no address
	partList       part = "list"  // of all loops
	partLoop       part = ""
	partBrief      part = "brief"
	partRounds     part = "rounds"
	partReport     part = "report"
	partReportHTML part = "report.html"
	partSources    part = "sources"
	partSource     part = "source"
	partSpan       part = "span"
	partApp        part = "app"
)

// address is a parsed resource URI.
type address struct {
	part       part
	loop       string
	source     string
	start, end int // of a span, in code points of the stored text
}

var (
	idSegment   = lazyregexp.New(`^[A-Za-z0-9-]{1,64}$`)
	spanSegment = lazyregexp.New(`^(0|[1-9][0-9]{0,8})-([1-9][0-9]{0,8})$`)
)

// ours reports whether a URI has a scheme of this package, valid or not. The shell of the apps belongs to no loop.
func ours(uri string) bool {
	if uri == apps.ShellURI {
		return false
	}
	for _, begins := range []string{"citeloop:", "ui:"} {
		if len(uri) >= len(begins) && strings.EqualFold(uri[:len(begins)], begins) {
			return true
		}
	}
	return false
}

// parseAddress parses a URI. It accepts only the output of String.
func parseAddress(uri string) (address, bool) {
	if uri == Root {
		return address{part: partList}, true
	}
	if loop, ok := apps.LoopOf(uri); ok {
		return address{part: partApp, loop: loop}, true
	}
	rest, ok := strings.CutPrefix(uri, Root+"/")
	if !ok || len(uri) > maxAddressBytes {
		return address{}, false
	}
	segments := strings.Split(rest, "/")
	a := address{loop: segments[0]}
	if !idSegment.MatchString(a.loop) {
		return address{}, false
	}
	switch len(segments) {
	case 1:
		return a, true
	case 2:
		switch a.part = part(segments[1]); a.part {
		case partBrief, partRounds, partReport, partReportHTML, partSources:
			return a, true
		}
	case 3, 4:
		a.part, a.source = partSource, segments[2]
		if segments[1] != string(partSources) || !idSegment.MatchString(a.source) {
			break
		}
		if len(segments) == 3 {
			return a, true
		}
		span := spanSegment.FindStringSubmatch(segments[3])
		if span == nil {
			break
		}
		a.part = partSpan
		a.start, _ = strconv.Atoi(span[1]) // at most nine digits
		a.end, _ = strconv.Atoi(span[2])
		return a, true
	}
	return address{}, false
}

// String returns the URI.
func (a address) String() string {
	switch a.part {
	case partList:
		return Root
	case partApp:
		return apps.URI(a.loop)
	case partLoop:
		return Root + "/" + a.loop
	case partSource:
		return Root + "/" + a.loop + "/sources/" + a.source
	case partSpan:
		return fmt.Sprintf("%s/%s/sources/%s/%d-%d", Root, a.loop, a.source, a.start, a.end)
	}
	return Root + "/" + a.loop + "/" + string(a.part)
}

// of returns the address of another part of the same loop.
func (a address) of(p part) address { return address{part: p, loop: a.loop} }

// fixed reports whether a resource never changes.
func (a address) fixed() bool { return a.part == partSource || a.part == partSpan }
