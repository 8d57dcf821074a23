package channels

import "strings"

// Kind is a kind of question. The Description of a channel lists the kinds that it serves, best first; Auto matches
// them with the kinds of a query.
type Kind string

const (
	KindPrivate    Kind = "private"    // the user's own documents
	KindBackground Kind = "background" // what is X, who was Y
	KindEntity     Kind = "entity"     // people, places, organisations and the facts that identify them
	KindScholarly  Kind = "scholarly"  // research literature of all fields
	KindBiomedical Kind = "biomedical" // medicine and life sciences
	KindComputing  Kind = "computing"  // research in computer science and machine learning
	KindData       Kind = "data"       // datasets, models, deposited materials
	KindOpenCopy   Kind = "open-copy"  // where a known work can be read
	KindNews       Kind = "news"       // what happened lately
	KindCode       Kind = "code"       // repositories, libraries, issues
	KindPractice   Kind = "practice"   // how people do it, and their experience
	KindLaw        Kind = "law"        // statutes, courts, regulation
	KindFinance    Kind = "finance"    // companies' filings and figures
	KindArchive    Kind = "archive"    // what a page said in the past
	KindWeb        Kind = "web"        // the general web
)

// Kinds lists all kinds.
var Kinds = []Kind{KindPrivate, KindBackground, KindEntity, KindScholarly, KindBiomedical, KindComputing, KindData, KindOpenCopy,
	KindNews, KindCode, KindPractice, KindLaw, KindFinance, KindArchive, KindWeb}

func JoinKinds(kinds []Kind, separator string) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = string(k)
	}
	return strings.Join(words, separator)
}
