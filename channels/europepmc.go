package channels

import (
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// searchEuropePMC searches the life sciences (https://europepmc.org/RestfulWebService): PubMed, PMC, preprints, theses.
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

var parseEuropePMC = records{
	of: "results", more: europePMCRecord,
	paths: paths{List: "resultList.result", DOI: "doi", Date: "firstPublicationDate", Language: "language"},
	said: func(answer gjson.Result) *Failure {
		if words := text(answer, "errMsg"); words != "" || answer.Get("errCode").Int() != 0 {
			return failureWithMessage(words)
		}
		return nil
	},
	none: func(answer gjson.Result) bool { return answer.Get("resultList").IsObject() },
}.read

func europePMCRecord(r gjson.Result, e *Result) {
	e.Title = strings.TrimSuffix(text(r, "title"), ".")
	e.IDs = distinct(pmid(text(r, "pmid")), pmcid(text(r, "pmcid")))
	kind, kinds := text(r, "pubType"), texts(r, "pubTypeList.pubType")
	of := map[string]string{"PPR": "preprint", "PAT": "patent", "ETH": "thesis"}[text(r, "source")]
	e.SourceType = medlineType(append(append(strings.Split(kind, ";"), kinds...), of))
	e.PublishedAt = cmp.Or(e.PublishedAt, text(r, "pubYear"))
	for _, a := range r.Get("authorList.author").Array() {
		name := text(a, "fullName") + text(a, "collectiveName")
		if given := text(a, "firstName"); given != "" {
			name = strings.TrimSpace(given + " " + text(a, "lastName"))
		}
		e.Authors = append(e.Authors, name)
	}
	if authors := text(r, "authorString"); e.Authors == nil && authors != "" { // "Miller A, Flut B."
		e.Authors = strings.Split(strings.TrimSuffix(authors, "."), ", ")
	}
	for _, other := range r.Get("commentCorrectionList.commentCorrection").Array() {
		if text(other, "source") == "MED" && strings.HasPrefix(text(other, "type"), "Preprint") { // "Preprint in", "Preprint of"
			e.Related = distinct(append(e.Related, pmid(text(other, "id")))...)
		}
	}
	e.URL = europePMCAddress(r)
	journal := text(r, "journalTitle") + text(r, "journalInfo.journal.title") // of lite and of core records
	e.Snippet = cmp.Or(plainText(text(r, "abstractText")), joinMessages([]string{journal, kind + strings.Join(kinds, ", ")}))
}

// europePMCAddress returns the address with the most text: the open full text, else the publisher's page, else the
// abstract.
func europePMCAddress(r gjson.Result) string {
	central, doi, number := pmcid(text(r, "pmcid")), registeredURL(text(r, "doi")), pmid(text(r, "pmid"))
	switch {
	case text(r, "isOpenAccess") == "Y" && central != "":
		return "https://pmc.ncbi.nlm.nih.gov/articles/" + strings.TrimPrefix(central, "pmcid:") + "/"
	case doi != "":
		return doi
	case number != "":
		return "https://pubmed.ncbi.nlm.nih.gov/" + strings.TrimPrefix(number, "pmid:") + "/"
	}
	return paths{URL: "https://europepmc.org/article/{source}/{id}"}.link(r)
}

var explainEuropePMC = messageAt("errMsg", "message")
