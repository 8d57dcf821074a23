package channels

import "slices"

// catalog has all built-in channels, in the order of every list.
var catalog = []channel{
	localFolders,
	zotero,

	// Reference and scholarship.
	wikipedia,
	wikidata,
	crossref,
	arxiv,
	europePMC,
	pubMed,
	dblp,
	datacite,
	zenodo,
	doaj,
	unpaywall,
	huggingFace,
	openAlex,
	semanticScholar,
	core,

	// The web, people, news, archives and public records.
	searxng,
	hackerNews,
	stackExchange,
	gitHub,
	feeds,
	wayback,
	edgar,
	kiwix,
	courtListener,
	federalRegister,

	// Best effort, off unless the user enables them.
	gdelt,
	duckDuckGo,
	lobsters,
	devto,

	// With a key.
	brave,
	tavily,
	exa,
	serper,
	marginalia,
	jina,
	reddit,
	youTube,
}

// Names lists the built-in channels in their fixed order, then the user's own.
func Names(own ...Custom) []string {
	names := namesOf(catalog)
	for _, o := range own {
		names = append(names, o.name)
	}
	return names
}

func namesOf(catalog []channel) []string {
	names := make([]string, len(catalog))
	for i, c := range catalog {
		names[i] = c.Name
	}
	return names
}

func known(name string) bool { return slices.Contains(Names(), name) }
