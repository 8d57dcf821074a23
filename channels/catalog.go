package channels

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
	}
}

type entry struct {
	name string
	open func(*door) Channel
}

// Names lists the channels in their fixed order.
func Names() []string {
	entries := catalog()
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.name
	}
	return names
}

func known(name string) bool {
	for _, e := range catalog() {
		if e.name == name {
			return true
		}
	}
	return false
}
