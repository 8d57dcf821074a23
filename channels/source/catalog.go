// Package source has the search sources. catalog.toml describes them all, and says of most how to ask and how to read the
// answer; the others have a file of code each. They run on the frame in package channels, which knows none of them.
package source

import (
	"bytes"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/recipe"

	_ "embed"
	"fmt"
	"slices"
	"sync"

	"github.com/citeloop/citeloop/channels/local"
	"github.com/pelletier/go-toml/v2"
)

// catalog.toml

//go:embed catalog.toml
var catalogText []byte

// searches returns the search function of each channel that catalog.toml describes without a recipe.
func searches(corpus *local.Corpus) map[string]channels.SearchFunc {
	return map[string]channels.SearchFunc{
		"arxiv":         searchArxiv,
		"duckduckgo":    searchDuckDuckGo,
		"feeds":         searchFeeds,
		"gdelt":         searchGDELT,
		"github":        searchGitHub,
		"huggingface":   searchHuggingFace,
		"kiwix":         searchKiwix,
		"lobsters":      searchLobsters,
		"local":         folders{corpus}.search,
		"pubmed":        searchPubMed,
		"reddit":        new(reddit).search,
		"searxng":       searchSearXNG,
		"stackexchange": searchStackExchange,
		"unpaywall":     searchUnpaywall,
		"wayback":       searchWayback,
		"wikidata":      searchWikidata,
		"wikipedia":     searchWikipedia,
		"zotero":        searchZotero,
	}
}

// All returns the built-in channels, in the order of every list, and then the user's own. The corpus has the user's folders,
// for the local channel; nil = none.
func All(corpus *local.Corpus, own ...channels.Channel) []channels.Channel {
	all := slices.Clone(catalog())
	code := searches(corpus)
	for i := range all {
		if c := &all[i]; c.Search == nil {
			c.Search = code[c.Name]
		}
		if all[i].Name == "local" && corpus != nil {
			all[i].Missing, all[i].State = "", corpus.Words
		}
	}
	return append(all, own...)
}

// catalog returns the channels of catalog.toml. A test reads it too and reports its mistakes.
var catalog = sync.OnceValue(func() []channels.Channel {
	all, _ := readCatalog()
	return all
})

func readCatalog() ([]channels.Channel, error) {
	var described struct {
		Channel []struct {
			channels.Description
			recipe.Text
			URL     string
			KeyRate float64 `toml:"key_rate"`
			Needs   string
		}
	}
	if err := toml.NewDecoder(bytes.NewReader(catalogText)).DisallowUnknownFields().Decode(&described); err != nil {
		return nil, err
	}
	var all []channels.Channel
	for _, d := range described.Channel {
		var search channels.SearchFunc
		if d.Paths != nil {
			d.Address = d.URL
			r, err := d.Compile()
			if err != nil {
				return nil, fmt.Errorf("channel %s: %w", d.Name, err)
			}
			search = r.Search
		}
		all = append(all, channels.Channel{Description: d.Description, URL: d.URL, KeyRate: d.KeyRate, Needs: d.Needs, Search: search})
	}
	return all, nil
}

// Names lists the built-in channels in their fixed order.
func Names() []string {
	var names []string
	for _, c := range catalog() {
		names = append(names, c.Name)
	}
	return names
}
