package channels

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// semanticScholarFields are asked for by name: the service answers with nothing else than the title.
const semanticScholarFields = "title,url,abstract,externalIds,publicationTypes,publicationDate,year,venue,authors"

// semanticScholar searches the Academic Graph (https://api.semanticscholar.org/api-docs/graph). It works
// without a key, but all callers without one share a pool that often answers 429; a key has one request a
// second of its own.
var semanticScholar = channel{
	Description: Description{
		Name:          "semantic-scholar",
		Description:   "Semantic Scholar: papers of all fields with abstracts. Without a key (CITELOOP_SEMANTIC_SCHOLAR_KEY) it often answers rate_limited.",
		GoodFor:       []string{"scholarly literature", "abstracts", "computer science and medicine"},
		For:           []Kind{KindComputing, KindScholarly, KindBiomedical},
		SourceTypes:   []string{"peer", "primary"},
		BestEffort:    true, // without a key: the shared pool refuses more than it answers
		KeyFrom:       "free: https://www.semanticscholar.org/product/api",
		RatePerSecond: 1, // with a key, by its terms; the shared pool promises nothing
		Parallel:      1,
		Honours:       Filters{Dates: true},
		Tested:        "its documented format, and recorded answers of the sibling endpoint paper/search/match",
	},
	url:    "https://api.semanticscholar.org/graph/v1/paper/search",
	search: searchSemanticScholar,
}

func searchSemanticScholar(ctx context.Context, c *client, q Query) ([]Result, error) {
	params := url.Values{"query": {q.Text}, "limit": {strconv.Itoa(q.Limit)}, "fields": {semanticScholarFields}}
	if q.Since != "" || q.Until != "" {
		params.Set("publicationDateOrYear", q.Since+":"+q.Until)
	}
	return ask(ctx, c, request{params: params, explain: explainSemanticScholar, header: c.keyIn("X-Api-Key", "")}, parseSemanticScholar)
}

type semanticScholarPaper struct {
	PaperID         string   `json:"paperId"`
	Title           string   `json:"title"`
	URL             string   `json:"url"`
	Abstract        string   `json:"abstract"`
	Types           []string `json:"publicationTypes"`
	PublicationDate string   `json:"publicationDate"`
	Year            int      `json:"year"`
	Venue           string   `json:"venue"`
	ExternalIDs     struct {
		DOI   string `json:"DOI"`
		ArXiv string `json:"ArXiv"`

		PubMed        scalar `json:"PubMed"`
		PubMedCentral scalar `json:"PubMedCentral"`
	} `json:"externalIds"`
	Authors []struct {
		Name string `json:"name"`
	} `json:"authors"`
}

func parseSemanticScholar(body []byte) ([]Result, error) {
	list, err := decodeJSON[struct {
		Total *int               `json:"total"`
		Data  *[]json.RawMessage `json:"data"`
		Error string             `json:"error"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case list.Error != "":
		return nil, sourceSays(list.Error)
	case list.Data == nil && list.Total != nil && *list.Total == 0: // nothing found: there is no list at all
		return nil, nil
	case list.Data == nil:
		return nil, failure(StatusMalformed, "the answer has no list of papers")
	}
	return resultsOf(*list.Data, semanticScholarPaper.result), nil
}

func (p semanticScholarPaper) result() Result {
	e := Result{Evidence: loopstate.Evidence{Title: p.Title, URL: p.URL, Snippet: plainText(p.Abstract), DOI: p.ExternalIDs.DOI, PublishedAt: p.PublicationDate}}
	e.IDs = distinct(arxivKey(p.ExternalIDs.ArXiv), pmid(string(p.ExternalIDs.PubMed)), pmcid(string(p.ExternalIDs.PubMedCentral)), s2ID(p.PaperID))
	if e.URL == "" && s2ID(p.PaperID) != "" {
		e.URL = "https://www.semanticscholar.org/paper/" + p.PaperID
	}
	e.PublishedAt = cmp.Or(e.PublishedAt, partialDate(p.Year, 0, 0))
	// The page of Semantic Scholar itself has an abstract only; where the work can be read is better.
	switch doi := registeredURL(p.ExternalIDs.DOI); {
	case doi != "":
		e.URL = doi
	case p.ExternalIDs.ArXiv != "":
		e.URL = "https://arxiv.org/abs/" + p.ExternalIDs.ArXiv
	}
	switch {
	case slices.Contains(p.Types, "JournalArticle"), slices.Contains(p.Types, "Conference"):
		e.SourceType = sourceTypes["journal-article"]
	case slices.Contains(p.Types, "Dataset"):
		e.SourceType = sourceTypes["dataset"]
	}
	if p.ExternalIDs.ArXiv != "" && p.ExternalIDs.DOI == "" { // the copy that can be read is the preprint
		e.SourceType = sourceTypes["posted-content"]
	}
	for _, a := range p.Authors {
		e.Authors = append(e.Authors, a.Name)
	}
	e.Snippet = cmp.Or(e.Snippet, joinSaid([]string{p.Venue, strings.Join(p.Types, ", ")}))
	return e
}

// explainSemanticScholar reads {"message": …} of the gateway and {"error": …} of the service. It answers 404
// to a search that matches nothing on some of its endpoints.
func explainSemanticScholar(status int, body []byte) (Status, string) {
	said, err := decodeJSON[struct{ Message, Error string }](body)
	if err != nil {
		return "", ""
	}
	if status == http.StatusForbidden && strings.EqualFold(said.Message, "Forbidden") {
		return StatusAuthRequired, "its key is not accepted: " + said.Message
	}
	return "", said.Message + said.Error
}
