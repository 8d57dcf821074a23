package loops

import (
	"fmt"

	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/verify"
)

// listMismatches compares the reference list of a draft with the sources: it flags wrong titles, and ids with the address
// of another source.
func listMismatches(library verify.Library, d draft.Draft) []string {
	titles := map[string]int{}
	for i, src := range library.Sources {
		titles[src.ID] = i
	}
	var out []string
	for _, entry := range d.References {
		if entry.URL == "" {
			continue
		}
		src, ok := library.ByAddress(entry.URL)
		if at, is := titles[entry.Number]; is && (!ok || library.Sources[at].ID != src.ID) {
			named := library.Sources[at]
			out = append(out, fmt.Sprintf("address_mismatch: the reference list gives %s the address %s (line %d), but %s was read at %s", entry.Number, entry.URL, entry.Line, named.ID, named.FinalURL))
			continue
		}
		if ok && !entry.SameTitle(src.Title) {
			out = append(out, fmt.Sprintf("title_mismatch: the reference list calls %s %q (line %d), its page is titled %q", src.ID, shorten(entry.Title, 100), entry.Line, shorten(src.Title, 100)))
		}
	}
	return out
}
