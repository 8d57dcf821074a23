package channels

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/internal/docid"
)

// maxDOIs bounds the look-ups of one query: at one a second they must end within a call.
const maxDOIs = 5

// searchUnpaywall finds open copies of works (https://unpaywall.org/products/api). For each DOI in the query it returns one
// record: its address is the open copy, and its snippet names the host and the version, or says that no copy is known.
// Other queries search titles.
func searchUnpaywall(ctx context.Context, c *client, q Query) ([]Result, error) {
	var dois []string
	for _, m := range doisInText.FindAllString(q.Text, -1) {
		dois = distinct(append(dois, docid.NormalizeDOI(m))...)
	}
	if len(dois) == 0 {
		return askUnpaywall(ctx, c, false, url.Values{"query": {q.Text}}, "search")
	}
	var found []Result
	unknown := 0
	for _, doi := range dois[:min(len(dois), maxDOIs)] {
		got, err := askUnpaywall(ctx, c, true, url.Values{}, doi)
		if fail, ok := errors.AsType[*Failure](err); ok && fail.Status == StatusEmpty {
			unknown++
			continue
		}
		if err != nil && len(found) > 0 {
			return found, failure(StatusDegraded, "%d of %d DOIs were looked up; then: %s", len(found)+unknown, len(dois), asFailure(err).Message)
		}
		if err != nil {
			return nil, err
		}
		found = append(found, got...)
	}
	switch {
	case len(dois) > maxDOIs:
		return found, failure(StatusDegraded, "the first %d of %d DOIs were looked up", maxDOIs, len(dois))
	case unknown > 0:
		return found, failure(StatusOK, "%d of %d DOIs are unknown", unknown, len(dois))
	}
	return found, nil
}

func askUnpaywall(ctx context.Context, c *client, lookUp bool, params url.Values, element string) ([]Result, error) {
	set(params, "email", c.cfg.Contact)
	return ask(ctx, c, request{params: params, path: []string{element}, lookUp: lookUp, explain: explainUnpaywall}, parseUnpaywall)
}

// parseUnpaywall reads the list of a search or the one record of a look-up.
var parseUnpaywall = records{
	of: "records", explain: explainUnpaywall, paths: paths{List: "results"},
	one: recordAt("@this", "doi"),
	more: func(r gjson.Result, e *Result) {
		snippet := plainText(text(r, "snippet")) // of the title, with the words in bold
		if found := r.Get("response"); found.IsObject() {
			r = found
		}
		e.Title, e.DOI, e.SourceType = text(r, "title"), text(r, "doi"), sourceTypes[text(r, "genre")] // Crossref's types
		e.PublishedAt = cmp.Or(text(r, "published_date"), yearAt(r, "year"))
		for _, a := range r.Get("z_authors").Array() {
			name := cmp.Or(strings.TrimSpace(text(a, "given")+" "+text(a, "family")), text(a, "name")+text(a, "raw_author_name"))
			e.Authors = append(e.Authors, name)
		}
		copyOf := "no open copy is known"
		if best := r.Get("best_oa_location"); best.IsObject() {
			e.URL = firstValid(text(best, "url_for_pdf"), text(best, "url"), text(best, "url_for_landing_page"))
			version := text(best, "version")
			copyOf = joinMessages([]string{"open copy at a " + text(best, "host_type"), version, text(best, "license")})
			if version == "submittedVersion" {
				e.SourceType = sourceTypes["posted-content"] // the copy is the manuscript before review
			}
		}
		e.URL = cmp.Or(e.URL, registeredURL(e.DOI))
		if strings.Contains(plainText(e.Title), snippet) {
			snippet = ""
		}
		e.Snippet = joinMessages([]string{copyOf, text(r, "oa_status"), text(r, "journal_name"), text(r, "publisher"), snippet})
	},
}.read

// explainUnpaywall recognises the refusal of an invalid email address, 422.
var explainUnpaywall = explains(
	errorRule{http.StatusUnprocessableEntity, "", StatusAuthRequired},
	errorRule{0, "email", StatusAuthRequired})
