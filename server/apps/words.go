package apps

import (
	"github.com/citeloop/citeloop/internal/report/drawing"
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
	out := []string{drawing.Plural(r.Rounds, "round"), drawing.FormatNumber(r.Tokens) + " tokens"}
	if r.CostUSD != nil {
		out = append(out, drawing.FormatDollars(*r.CostUSD))
	}
	if r.LatencySeconds != nil {
		out = append(out, drawing.Plural((*r.LatencySeconds+59)/60, "minute"))
	}
	return out
}
