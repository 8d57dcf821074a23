package channels

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// europePMC searches the life sciences (https://europepmc.org/RestfulWebService): PubMed, PMC, preprints, theses.
var europePMC = channel{
	Description: Description{
		Name:          "europepmc",
		Description:   "Europe PMC: medicine and life sciences, with abstracts; all of PubMed, open full texts of PMC, preprints, theses, guidelines.",
		GoodFor:       []string{"medicine and life sciences", "abstracts", "open full texts", "preprints of bioRxiv and medRxiv"},
		For:           []Kind{KindBiomedical, KindScholarly},
		SourceTypes:   []string{"peer", "primary", "press"},
		RatePerSecond: 2, // no documented number; chosen, 2 chosen
		Parallel:      2,
		Honours:       Filters{Dates: true},
		Tested:        "recorded answers of the service",
	},
	url:    "https://www.ebi.ac.uk/europepmc/webservices/rest/search",
	search: searchEuropePMC,
}

func searchEuropePMC(ctx context.Context, c *client, q Query) ([]Result, error) {
	query, err := luceneOrDOI(q.Text, "DOI")
	if err != nil {
		return nil, err
	}
	if dates := rangeTerm("FIRST_PDATE", q.Since, q.Until); dates != "" {
		query = "(" + query + ") AND (" + dates + ")"
	}
	params := url.Values{"query": {query}, "format": {"json"}, "pageSize": {strconv.Itoa(q.Limit)}, "resultType": {"core"}}
	set(params, "email", c.cfg.Contact)
	return ask(ctx, c, request{params: params, explain: explainEuropePMC}, parseEuropePMC)
}

type europePMCRecord struct {
	ID         string `json:"id"`
	Source     string `json:"source"` // MED, PMC, PPR (preprints), PAT, ETH (theses), …
	PMID       scalar `json:"pmid"`
	PMCID      string `json:"pmcid"`
	DOI        string `json:"doi"`
	Title      string `json:"title"`
	Authors    string `json:"authorString"` // "Miller A, Flut B."
	Journal    string `json:"journalTitle"` // of the lite records; the core ones have journalInfo
	Year       scalar `json:"pubYear"`
	FirstDate  string `json:"firstPublicationDate"`
	Abstract   string `json:"abstractText"`
	Language   string `json:"language"`
	OpenAccess string `json:"isOpenAccess"` // Y or N
	PubType    string `json:"pubType"`
	PubTypes   struct {
		PubType []string `json:"pubType"`
	} `json:"pubTypeList"`
	JournalInfo struct {
		Journal struct {
			Title string `json:"title"`
		} `json:"journal"`
	} `json:"journalInfo"`
	AuthorList struct {
		Author []struct {
			FullName       string `json:"fullName"`
			FirstName      string `json:"firstName"`
			LastName       string `json:"lastName"`
			CollectiveName string `json:"collectiveName"`
		} `json:"author"`
	} `json:"authorList"`
	Corrections struct {
		List []struct {
			ID     string `json:"id"`
			Source string `json:"source"`
			Type   string `json:"type"` // "Preprint in", "Preprint of"
		} `json:"commentCorrection"`
	} `json:"commentCorrectionList"`
}

func parseEuropePMC(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		ErrorCode int    `json:"errCode"`
		Error     string `json:"errMsg"`
		Count     *int   `json:"hitCount"`
		List      *struct {
			Result []json.RawMessage `json:"result"`
		} `json:"resultList"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Error != "" || reply.ErrorCode != 0:
		return nil, sourceSays(reply.Error)
	case reply.List == nil:
		return nil, failure(StatusMalformed, "the answer has no list of results")
	}
	return resultsOf(reply.List.Result, europePMCRecord.result), nil
}

func (r europePMCRecord) result() Result {
	e := Result{
		Evidence: loopstate.Evidence{
			Title: strings.TrimSuffix(r.Title, "."), DOI: r.DOI, PublishedAt: r.FirstDate, Snippet: plainText(r.Abstract), Language: bcp47(r.Language),
		},
		IDs: distinct(pmid(string(r.PMID)), pmcid(r.PMCID)),
	}
	types := append(strings.Split(r.PubType, ";"), r.PubTypes.PubType...)
	switch r.Source {
	case "PPR":
		types = append(types, "preprint")
	case "PAT":
		types = append(types, "patent")
	case "ETH":
		types = append(types, "thesis")
	}
	e.SourceType = medlineType(types)
	e.PublishedAt = cmp.Or(e.PublishedAt, string(r.Year))
	for _, a := range r.AuthorList.Author {
		name := strings.TrimSpace(a.FirstName + " " + a.LastName)
		if a.FirstName == "" {
			name = a.FullName + a.CollectiveName
		}
		e.Authors = append(e.Authors, name)
	}
	if e.Authors == nil && r.Authors != "" {
		e.Authors = strings.Split(strings.TrimSuffix(r.Authors, "."), ", ")
	}
	for _, other := range r.Corrections.List {
		if other.Source == "MED" && strings.HasPrefix(other.Type, "Preprint") {
			e.Related = distinct(append(e.Related, pmid(other.ID))...)
		}
	}
	e.URL = r.address()
	e.Snippet = cmp.Or(e.Snippet, joinSaid([]string{r.Journal + r.JournalInfo.Journal.Title, r.PubType + strings.Join(r.PubTypes.PubType, ", ")}))
	return e
}

// address is where the most of the work can be read: the open full text, else the publisher's page, else the
// abstract.
func (r europePMCRecord) address() string {
	doi := registeredURL(r.DOI)
	switch {
	case r.OpenAccess == "Y" && pmcid(r.PMCID) != "":
		return "https://pmc.ncbi.nlm.nih.gov/articles/" + strings.TrimPrefix(pmcid(r.PMCID), "pmcid:") + "/"
	case doi != "":
		return doi
	case pmid(string(r.PMID)) != "":
		return "https://pubmed.ncbi.nlm.nih.gov/" + strings.TrimPrefix(pmid(string(r.PMID)), "pmid:") + "/"
	case r.Source != "" && r.ID != "":
		return "https://europepmc.org/article/" + url.PathEscape(r.Source) + "/" + url.PathEscape(r.ID)
	}
	return ""
}

func explainEuropePMC(_ int, body []byte) (Status, string) {
	said, err := decodeJSON[struct {
		Error   string `json:"errMsg"`
		Message string `json:"message"`
	}](body)
	if err != nil {
		return "", ""
	}
	return "", said.Error + said.Message
}
