package loops

import (
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// pagesOf returns the pages of sources by source id, without sources that have none.
func pagesOf(sources []loopstate.Source) map[string]loopstate.Pages {
	pages := map[string]loopstate.Pages{}
	for _, src := range sources {
		if len(src.Pages) > 0 {
			pages[src.ID] = src.Pages
		}
	}
	return pages
}

// PageOf returns the PDF page on which a passage of this verification begins, from 1, or 0.
func (v Verification) PageOf(p verify.Passage) int {
	return v.sources[p.SourceID].Pages.At(p.Start)
}

// SourceURL returns the address of a cited source.
func (v Verification) SourceURL(id string) string { return v.sources[id].FinalURL }
