// Package source has the search sources, one TOML file each, in the format of docs/channels.md#a-channel-of-your-own: a request with
// placeholders, and paths into the answer. Code has only what the files cannot say. A user's own channels have the same keys, in JSON. All
// run on the frame in package channels, which knows none of them.
//
//   - catalog.go has the channels, own.go reads the user's
//   - recipe.go reads a file; template.go and filter.go make texts of values; request.go asks, answer.go reads
package source

import (
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/local"
)

//go:embed *.toml
var files embed.FS

// All returns the built-in channels, in the order of every list, and then the user's own. The corpus has the user's folders,
// for the local channel; nil = none.
func All(corpus *local.Corpus, own ...channels.Channel) (all []channels.Channel) {
	entries, _ := catalog()
	for _, e := range entries {
		c := e.channel()
		switch c.Name { // those with code of their own, some of which have a recipe too
		case "feeds":
			c.Search = feeds{e.Recipe}.search
		case "local":
			if c.Search = (folders{corpus}).search; corpus != nil {
				c.Missing, c.State = "", corpus.Words
			}
		case "pubmed":
			c.Search = pubMed{e.Recipe}.search
		case "reddit":
			c.Search = reddit{e.Recipe}.search
		case "zotero":
			c.Search = zotero{e.Recipe}.search
		}
		all = append(all, c)
	}
	return append(all, own...)
}

// Names lists the built-in channels in their fixed order.
func Names() (names []string) {
	entries, _ := catalog()
	for _, e := range entries {
		names = append(names, e.Name)
	}
	return names
}

// catalog reads the files once. A test reports their mistakes.
var catalog = sync.OnceValues(func() (all []entry, err error) {
	paths, err := fs.Glob(files, "*.toml")
	for _, path := range paths {
		text, _ := files.ReadFile(path) // embedded
		e, wrong := readEntry(strings.TrimSuffix(path, ".toml"), text)
		if wrong != nil {
			return nil, fmt.Errorf("%s: %w", path, wrong)
		}
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b entry) int { return a.Order - b.Order })
	return all, err
})
