package source

import (
	"bytes"
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
)

// searchPubMed searches PubMed through the E-utilities (https://www.ncbi.nlm.nih.gov/books/NBK25499/): esearch finds ids,
// esummary describes them. At most fifty ids are sent, far below the length at which the service answers 414.
func searchPubMed(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	// PubMed maps plain words to its own fields and headings, and ignores stop words.
	params := url.Values{"db": {"pubmed"}, "term": {q.Text}, "retmax": {strconv.Itoa(q.Limit)}, "retmode": {"json"}, "sort": {"relevance"}}
	if q.Since+q.Until != "" {
		// The service rejects a range with one end.
		from, to := cmp.Or(strings.ReplaceAll(q.Since, "-", "/"), "1000/01/01"), cmp.Or(strings.ReplaceAll(q.Until, "-", "/"), "2999/12/31")
		params.Set("datetype", "pdat")
		params.Set("mindate", from)
		params.Set("maxdate", to)
	}
	ids, err := askPubMed(ctx, c, "esearch.fcgi", params, parsePubMedIDs)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	ids = ids[:min(len(ids), channels.MaxLimit)]
	return askPubMed(ctx, c, "esummary.fcgi",
		url.Values{"db": {"pubmed"}, "id": {strings.Join(ids, ",")}, "retmode": {"json"}, "version": {"2.0"}}, parsePubMed)
}

func askPubMed[T any](ctx context.Context, c *channels.Client, tool string, params url.Values, read func([]byte) (T, error)) (T, error) {
	params.Set("tool", "citeloop")
	channels.Set(params, "email", c.Config.Contact)
	channels.Set(params, "api_key", c.Key) // the service accepts it only here; addresses are never logged
	return channels.Ask(ctx, c, channels.Request{Params: params, Path: []string{tool}, Want: channels.WantJSONOrXML, Explain: explainPubMed}, read)
}

// isXML reports whether an answer is XML, as from a service that does not know retmode=json.
func isXML(body []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) }

func parsePubMedIDs(body []byte) ([]string, error) {
	var ids *[]string
	var said string
	if isXML(body) {
		list, err := channels.DecodeXML[struct {
			XMLName struct{} `xml:"eSearchResult"`
			Error   string   `xml:"ERROR"`
			List    *struct {
				IDs []string `xml:"Id"`
			} `xml:"IdList"`
		}](body)
		if err != nil {
			return nil, err
		}
		if said = list.Error; list.List != nil {
			ids = &list.List.IDs
		}
	} else {
		answer, err := channels.ReadJSON(body)
		if err != nil {
			return nil, err
		}
		said = normal.Text(answer, "error") + normal.Text(answer, "esearchresult.ERROR")
		if list := answer.Get("esearchresult.idlist"); list.IsArray() {
			all := normal.Texts(list, "@this")
			ids = &all
		}
	}
	switch {
	case said != "":
		return nil, pubMedFailure(said)
	case ids == nil:
		return nil, channels.Fail(channels.StatusMalformed, "the answer has no list of ids")
	}
	var found []string
	for _, id := range *ids {
		if normal.PMID(id) != "" {
			found = append(found, strings.TrimPrefix(normal.PMID(id), "pmid:"))
		}
	}
	return found, nil
}

// pubMedFailure returns the failure for an error sent with status 200. "API rate limit exceeded" comes with 429 and with 200.
func pubMedFailure(said string) *channels.Failure {
	fail := channels.SourceSays(said)
	low := strings.ToLower(said)
	switch {
	case strings.Contains(low, "rate limit"):
		fail.Status, fail.Retry = channels.StatusRateLimited, true
	case strings.Contains(low, "api key"):
		fail.Status = channels.StatusAuthRequired
	case strings.Contains(low, "backend failed"), strings.Contains(low, "temporarily unavailable"):
		fail.Status, fail.Retry = channels.StatusUnavailable, true
	}
	return fail
}

func explainPubMed(_ int, body []byte) (channels.Status, string) {
	said := channels.MessageIn(body, "error")
	if said == "" {
		return "", ""
	}
	fail := pubMedFailure(said)
	if fail.Status == channels.StatusError {
		return "", said
	}
	return fail.Status, said
}

// pubMedRecord is a summary, from JSON or XML.
type pubMedRecord struct {
	UID     string
	Title   string
	Authors []string
	Dates   []string // best first
	Journal string
	Types   []string
	IDs     map[string]string // kind -> value: doi, pubmed or pmid, pmc or pmcid
	Lang    string
}

func (r pubMedRecord) result() channels.Result {
	e := channels.Result{Evidence: channels.Evidence{
		Title: strings.TrimSuffix(r.Title, "."), DOI: r.IDs["doi"], Authors: r.Authors,
		SourceType: normal.MedlineType(r.Types), Language: normal.Language(r.Lang),
		Snippet: normal.Join(r.Journal, strings.Join(r.Types, ", ")),
	}}
	for _, date := range r.Dates {
		e.PublishedAt = cmp.Or(e.PublishedAt, normal.Date(pubMedDate(date)))
	}
	number, central := normal.PMID(r.IDs["pubmed"]+r.IDs["pmid"]), normal.PMCID(r.IDs["pmc"]+r.IDs["pmcid"])
	if number == "" && central == "" {
		number = normal.PMID(r.UID)
	}
	e.IDs = normal.Distinct(number, central)
	switch {
	case number != "":
		e.URL = "https://pubmed.ncbi.nlm.nih.gov/" + strings.TrimPrefix(number, "pmid:") + "/"
	case central != "":
		e.URL = "https://pmc.ncbi.nlm.nih.gov/articles/" + strings.TrimPrefix(central, "pmcid:") + "/"
	}
	return e
}
