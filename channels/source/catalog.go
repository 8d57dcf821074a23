// Package source has the search sources, one TOML file each, in the format of docs/channels.md#a-channel-of-your-own: a request with
// placeholders, and paths into the answer. Code has only what the files cannot say. A user's own channels are files of the same
// keys. All run on the frame in package channels, which knows none of them.
//
//   - catalog.go reads the files, custom.go the user's
//   - recipe.go compiles a file; template.go and filter.go make texts of values; request.go asks, answer.go reads
package source

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/local"
)

//go:embed *.toml
var files embed.FS

// withCode returns the search functions of the channels with code of their own. Some have a recipe too.
func withCode(of map[string]Recipe, corpus *local.Corpus) map[string]channels.SearchFunc {
	return map[string]channels.SearchFunc{
		"duckduckgo": searchDuckDuckGo,
		"feeds":      searchFeeds,
		"github":     gitHub{of["github"]}.search,
		"local":      folders{corpus}.search,
		"pubmed":     pubMed{of["pubmed"]}.search,
		"reddit":     (&reddit{Recipe: of["reddit"]}).search,
		"wayback":    searchWayback,
		"zotero":     zotero{Recipe: of["zotero"]}.search,
	}
}

// All returns the built-in channels, in the order of every list, and then the user's own. The corpus has the user's folders,
// for the local channel; nil = none.
func All(corpus *local.Corpus, own ...channels.Channel) []channels.Channel {
	described, _ := catalog()
	code := withCode(described.recipes, corpus)
	all := slices.Clone(described.channels)
	for i := range all {
		c := &all[i]
		r := described.recipes[c.Name]
		c.Again = r.Again
		if c.Search = code[c.Name]; c.Search == nil {
			c.Search = r.Search
		}
		if c.Name == "local" && corpus != nil {
			c.Missing, c.State = "", corpus.Words
		}
	}
	return append(all, own...)
}

// Names lists the built-in channels in their fixed order.
func Names() []string {
	described, _ := catalog()
	var names []string
	for _, c := range described.channels {
		names = append(names, c.Name)
	}
	return names
}

// description is what the files say: channels without their search functions, and recipes by name.
type description struct {
	channels []channels.Channel
	recipes  map[string]Recipe
}

// catalog reads the files once. A test reports their mistakes.
var catalog = sync.OnceValues(func() (description, error) {
	type entry struct {
		channels.Description
		Entry
		Order   int // in every list
		URL     string
		KeyRate float64 `toml:"key_rate"`
		Needs   string
	}
	described := description{recipes: map[string]Recipe{}}
	paths, err := fs.Glob(files, "*.toml")
	var all []entry
	for _, path := range paths {
		text, _ := files.ReadFile(path) // embedded
		e := entry{}
		if wrong := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&e); wrong != nil {
			return described, fmt.Errorf("%s: %w", path, wrong)
		}
		e.Name = strings.TrimSuffix(path, ".toml")
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b entry) int { return a.Order - b.Order })
	for _, e := range all {
		if e.Paths != nil {
			r, err := e.Compile()
			if err != nil {
				return described, fmt.Errorf("%s.toml: %w", e.Name, err)
			}
			described.recipes[e.Name] = r
		}
		described.channels = append(described.channels, channels.Channel{Description: e.Description, URL: e.URL, KeyRate: e.KeyRate,
			Needs: e.Needs})
	}
	return described, err
})
