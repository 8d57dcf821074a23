// Package source has the search sources. catalog.toml describes them all, and says of most how to ask and how to read the
// answer; the others have a file of code each. They run on the frame in package channels, which knows none of them.
package source

import (
	"bytes"
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"github.com/pelletier/go-toml/v2"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/local"
	"github.com/citeloop/citeloop/channels/recipe"
)

//go:embed catalog.toml
var catalogText []byte

// coded returns the search functions of the channels with code of their own. Some have a recipe too.
func coded(of map[string]recipe.Recipe, corpus *local.Corpus) map[string]channels.SearchFunc {
	return map[string]channels.SearchFunc{
		"arxiv":         arxiv{of["arxiv"]}.search,
		"duckduckgo":    searchDuckDuckGo,
		"feeds":         searchFeeds,
		"gdelt":         gdelt{of["gdelt"]}.search,
		"github":        gitHub{of["github"]}.search,
		"local":         folders{corpus}.search,
		"pubmed":        pubMed{of["pubmed"]}.search,
		"reddit":        (&reddit{Recipe: of["reddit"]}).search,
		"searxng":       searxng{of["searxng"]}.search,
		"stackexchange": stackExchange{of["stackexchange"]}.search,
		"unpaywall":     unpaywall{of["unpaywall"]}.search,
		"wayback":       searchWayback,
		"wikidata":      wikidata{of["wikidata"]}.search,
		"wikipedia":     wikipedia{of["wikipedia"]}.search,
		"zotero":        zotero{Recipe: of["zotero"]}.search,
	}
}

// All returns the built-in channels, in the order of every list, and then the user's own. The corpus has the user's folders,
// for the local channel; nil = none.
func All(corpus *local.Corpus, own ...channels.Channel) []channels.Channel {
	described, _ := catalog()
	code := coded(described.recipes, corpus)
	all := slices.Clone(described.channels)
	for i := range all {
		c := &all[i]
		if c.Search = code[c.Name]; c.Search == nil {
			c.Search = described.recipes[c.Name].Search
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

// description is what catalog.toml says: channels without their search functions, and recipes by name.
type description struct {
	channels []channels.Channel
	recipes  map[string]recipe.Recipe
}

// catalog reads catalog.toml once. A test reports its mistakes.
var catalog = sync.OnceValues(func() (description, error) {
	var file struct {
		Channel []struct {
			channels.Description
			recipe.Entry
			URL     string
			KeyRate float64 `toml:"key_rate"`
			Needs   string
		}
	}
	if err := toml.NewDecoder(bytes.NewReader(catalogText)).DisallowUnknownFields().Decode(&file); err != nil {
		return description{}, err
	}
	described := description{recipes: map[string]recipe.Recipe{}}
	for _, d := range file.Channel {
		if d.Paths != nil {
			r, err := d.Compile()
			if err != nil {
				return description{}, fmt.Errorf("channel %s: %w", d.Name, err)
			}
			described.recipes[d.Name] = r
		}
		described.channels = append(described.channels, channels.Channel{Description: d.Description, URL: d.URL, KeyRate: d.KeyRate, Needs: d.Needs})
	}
	return described, nil
})
