package channels

import "slices"

// catalog is every channel there is, in the order of every list.
func catalog() []entry {
	return []entry{
		{"local", newLocal},

		// Reference and scholarship.
		{"wikipedia", newWikipedia},
		{"wikidata", newWikidata},
		{"crossref", newCrossref},
		{"arxiv", newArxiv},
		{"europepmc", newEuropePMC},
		{"pubmed", newPubMed},
		{"dblp", newDBLP},
		{"datacite", newDataCite},
		{"zenodo", newZenodo},
		{"doaj", newDOAJ},
		{"unpaywall", newUnpaywall},
		{"huggingface", newHuggingFace},
		{"openalex", newOpenAlex},
		{"semantic-scholar", newSemanticScholar},
		{"core", newCORE},

		// The web, people, news, archives and public records.
		{"searxng", newSearXNG},
		{"hackernews", newHackerNews},
		{"stackexchange", newStackExchange},
		{"github", newGitHub},
		{"feeds", newFeeds},
		{"wayback", newWayback},
		{"edgar", newEDGAR},
		{"kiwix", newKiwix},
		{"courtlistener", newCourtListener},
		{"federalregister", newFederalRegister},

		// Best effort, off unless the user switches them on.
		{"gdelt", newGDELT},
		{"duckduckgo", newDuckDuckGo},
		{"lobsters", newLobsters},
		{"devto", newDevto},

		// With a key.
		{"brave", newBrave},
		{"tavily", newTavily},
		{"exa", newExa},
		{"serper", newSerper},
		{"marginalia", newMarginalia},
		{"jina", newJina},
		{"reddit", newReddit},
		{"youtube", newYouTube},
	}
}

type entry struct {
	name string
	open func(*door) Channel
}

// Names lists the channels that are built in, in their fixed order, and then those of the user's own.
func Names(own ...Own) []string { return namesOf(withOwn(catalog(), own)) }

func namesOf(entries []entry) []string {
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.name
	}
	return names
}

// withOwn is a catalog with the channels of the user's own after it.
func withOwn(entries []entry, own []Own) []entry {
	for _, o := range own {
		entries = append(entries, entry{o.name, func(d *door) Channel { return &ownChannel{o, d} }})
	}
	return entries
}

func known(name string) bool { return slices.Contains(Names(), name) }
