package channels

import (
	"bytes"
	_ "embed" // catalog.toml
	"fmt"
	"sync"

	"github.com/pelletier/go-toml/v2"
)

//go:embed catalog.toml
var catalogText []byte

// searches has the search function of each channel that catalog.toml describes.
var searches = map[string]searchFunc{
	"arxiv":         searchArxiv,
	"duckduckgo":    searchDuckDuckGo,
	"feeds":         searchFeeds,
	"gdelt":         searchGDELT,
	"github":        searchGitHub,
	"huggingface":   searchHuggingFace,
	"kiwix":         searchKiwix,
	"lobsters":      searchLobsters,
	"local":         searchLocal,
	"pubmed":        searchPubMed,
	"reddit":        searchReddit,
	"searxng":       searchSearXNG,
	"stackexchange": searchStackExchange,
	"unpaywall":     searchUnpaywall,
	"wayback":       searchWayback,
	"wikidata":      searchWikidata,
	"wikipedia":     searchWikipedia,
	"zotero":        searchZotero,
}

// catalog returns all built-in channels, in the order of every list. A test checks catalog.toml.
var catalog = sync.OnceValue(func() []channel {
	all, _ := readCatalog()
	return all
})

func readCatalog() ([]channel, error) {
	var described struct {
		Channel []struct {
			Description
			recipeText
			URL     string
			KeyRate float64 `toml:"key_rate"`
			Needs   string
		}
	}
	if err := toml.NewDecoder(bytes.NewReader(catalogText)).DisallowUnknownFields().Decode(&described); err != nil {
		return nil, err
	}
	var all []channel
	for _, d := range described.Channel {
		search := searches[d.Name]
		if d.Paths != nil {
			d.Address = d.URL
			r, err := d.compile()
			if err != nil {
				return nil, fmt.Errorf("channel %s: %w", d.Name, err)
			}
			search = r.search
		}
		all = append(all, channel{Description: d.Description, url: d.URL, keyRate: d.KeyRate, needs: d.Needs, search: search})
	}
	return all, nil
}

func namesOf(catalog []channel) []string {
	names := make([]string, len(catalog))
	for i, c := range catalog {
		names[i] = c.Name
	}
	return names
}
