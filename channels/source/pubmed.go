package source

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/tidwall/gjson"
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

// parsePubMed reads summaries in either form of esummary's version 2.0.
func parsePubMed(body []byte) ([]channels.Result, error) {
	read := pubMedJSON
	if isXML(body) {
		read = pubMedXML
	}
	records, err := read(body)
	if err != nil {
		return nil, err
	}
	var found []channels.Result
	for _, r := range records[:min(len(records), maxSummaries)] {
		found = append(found, r.result())
	}
	return found, nil
}

// maxSummaries bounds the records that are read from one answer; at most MaxLimit are requested.
const maxSummaries = 500

func pubMedJSON(body []byte) ([]pubMedRecord, error) {
	answer, err := channels.ReadJSON(body)
	if err != nil {
		return nil, err
	}
	if said := normal.Text(answer, "error") + strings.Join(normal.Texts(answer, "esummaryresult"), "; "); said != "" { // such as "Invalid uid … at position=0"
		return nil, pubMedFailure(said)
	}
	uids := answer.Get("result.uids")
	if !uids.IsArray() {
		return nil, channels.Fail(channels.StatusMalformed, "the answer has no summaries")
	}
	var records []pubMedRecord
	for _, uid := range uids.Array() {
		var r pubMedRecord
		summary := answer.Get("result." + gjson.Escape(uid.String()))
		_ = json.Unmarshal([]byte(summary.Raw), &r) // a field of another type stays empty
		if r.UID = uid.String(); !summary.IsObject() || r.Error != "" {
			r = pubMedRecord{} // invalid or deleted: cleaning drops and counts it
		}
		records = append(records, r)
	}
	return records, nil
}

func pubMedXML(body []byte) ([]pubMedRecord, error) {
	reply, err := channels.DecodeXML[struct {
		XMLName struct{} `xml:"eSummaryResult"`
		Error   string   `xml:"ERROR"`
		Set     *struct {
			Records []pubMedRecord `xml:"DocumentSummary"`
		} `xml:"DocumentSummarySet"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Error != "":
		return nil, pubMedFailure(reply.Error)
	case reply.Set == nil:
		return nil, channels.Fail(channels.StatusMalformed, "the answer has no summaries")
	}
	return reply.Set.Records, nil
}

// pubMedRecord is a summary, in JSON or XML.
type pubMedRecord struct {
	UID     string   `json:"uid" xml:"uid,attr"`
	Error   string   `json:"error" xml:"-"`
	Title   string   `json:"title" xml:"Title"`
	EPub    string   `json:"epubdate" xml:"EPubDate"`
	PubDate string   `json:"pubdate" xml:"PubDate"`
	Sort    string   `json:"sortpubdate" xml:"SortPubDate"`
	Full    string   `json:"fulljournalname" xml:"FullJournalName"`
	Source  string   `json:"source" xml:"Source"`
	Types   []string `json:"pubtype" xml:"PubType>flag"`
	Lang    []string `json:"lang" xml:"Lang>string"`
	Authors []struct {
		Name string `json:"name" xml:"Name"`
	} `json:"authors" xml:"Authors>Author"`
	IDs []struct {
		Kind  string `json:"idtype" xml:"IdType"`
		Value string `json:"value" xml:"Value"`
	} `json:"articleids" xml:"ArticleIds>ArticleId"`
}

// id returns the first id of some kinds. Of "pmc" and "pmcid", and of "pubmed" and "pmid", one is enough: the second
// repeats the first, sometimes as "pmc-id: PMC1762328;".
func (r pubMedRecord) id(kinds ...string) string {
	for _, id := range r.IDs {
		if slices.Contains(kinds, id.Kind) {
			return id.Value
		}
	}
	return ""
}

func (r pubMedRecord) result() channels.Result {
	e := channels.Result{Evidence: channels.Evidence{
		Title: strings.TrimSuffix(sanitize.Line(r.Title), "."), DOI: r.id("doi"), SourceType: normal.MedlineType(r.Types),
		Snippet: normal.Join(cmp.Or(r.Full, r.Source), strings.Join(r.Types, ", ")), Container: cmp.Or(r.Full, r.Source),
	}}
	if slices.Contains(r.Types, "Retracted Publication") {
		e.Update.Kind = "retracted"
	}
	for _, a := range r.Authors {
		e.Authors = append(e.Authors, a.Name)
	}
	if len(r.Lang) > 0 {
		e.Language = normal.Language(r.Lang[0])
	}
	for _, date := range []string{r.EPub, r.PubDate, r.Sort} { // best first
		e.PublishedAt = cmp.Or(e.PublishedAt, normal.Date(pubMedDate(date)))
	}
	number, central := normal.PMID(r.id("pubmed", "pmid")), normal.PMCID(r.id("pmc", "pmcid"))
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

var pubMedRange = lazyregexp.New(`^(\d{4}(?: [A-Z][a-z]{2})?(?: \d{1,2})?)\s*-.*$`)

// pubMedDate returns the first day of "2019 Nov-Dec" and "2020 Jan 1-7", the year of "1998 Winter", and "2006/12/20
// 00:00" without the time.
func pubMedDate(s string) string {
	s = strings.TrimSpace(s)
	if m := pubMedRange.FindStringSubmatch(s); m != nil {
		s = m[1]
	}
	if day, _, ok := strings.Cut(s, " "); ok && strings.Contains(day, "/") {
		return day
	}
	if normal.Date(s) == "" && len(s) > 4 {
		return s[:4]
	}
	return s
}
