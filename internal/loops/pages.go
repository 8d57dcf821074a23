package loops

import (
	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/loopstate"
)

// pagesOf are the pages of those sources that have some, by their ids.
func pagesOf(sources []loopstate.Source) map[string]loopstate.Pages {
	pages := map[string]loopstate.Pages{}
	for _, src := range sources {
		if len(src.Pages) > 0 {
			pages[src.ID] = src.Pages
		}
	}
	return pages
}

// PageOf is the page of its PDF on which a passage of this verification begins, counted from 1; else 0.
func (v Verification) PageOf(e grounding.Evidence) int {
	return v.state.sources[e.SourceID].Pages.At(e.Start)
}
