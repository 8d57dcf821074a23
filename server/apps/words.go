package apps

import (
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// maxLinkBytes: a longer address is shown by its title alone.
const maxLinkBytes = 500

// webLink returns an address that a host may open, or "".
func webLink(raw string) string {
	if len(raw) > maxLinkBytes {
		return ""
	}
	return sanitize.Link(raw)
}

func remaining(r loopstate.Remaining) []string {
	out := []string{style.Plural(r.Rounds, "round"), style.FormatNumber(r.Tokens) + " tokens"}
	if r.CostUSD != nil {
		out = append(out, style.FormatDollars(*r.CostUSD))
	}
	if r.LatencySeconds != nil {
		out = append(out, style.Plural((*r.LatencySeconds+59)/60, "minute"))
	}
	return out
}
