package channels

// What a source's own word for a kind of document says about its strength (research-synthesis-loop,
// "bySourceType": peer-reviewed, primary or official, reputable press, practitioner). One table for all
// channels; a kind that is not here is unknown, and an unknown kind is the empty source type, not a guess.
// Books and their chapters are left out: some are refereed and some are not, and the record does not say.
var sourceTypes = map[string]string{
	// Crossref's type names; other scholarly channels translate into them.
	"journal-article":     "peer",
	"proceedings-article": "peer",
	"posted-content":      "primary", // preprints: the authors' own word, not refereed
	"dissertation":        "primary",
	"report":              "primary",
	"report-component":    "primary",
	"standard":            "primary",
	"dataset":             "primary",
	"database":            "primary",
	"grant":               "primary",
}
