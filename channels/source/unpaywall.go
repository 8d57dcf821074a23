package source

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/channels/recipe"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/tidwall/gjson"
)

// maxDOIs bounds the look-ups of one query: at one a second they must end within a call.
const maxDOIs = 5

// searchUnpaywall finds open copies of works (https://unpaywall.org/products/api). For each DOI in the query it returns one
// record: its address is the open copy, and its snippet names the host and the version, or says that no copy is known.
// Other queries search titles.
func searchUnpaywall(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	var dois []string
	for _, m := range normal.DoisInText.FindAllString(q.Text, -1) {
		dois = normal.Distinct(append(dois, docid.NormalizeDOI(m))...)
	}
	if len(dois) == 0 {
		return askUnpaywall(ctx, c, false, url.Values{"query": {q.Text}}, "search")
	}
	var found []channels.Result
	unknown := 0
	for _, doi := range dois[:min(len(dois), maxDOIs)] {
		got, err := askUnpaywall(ctx, c, true, url.Values{}, doi)
		if fail, ok := errors.AsType[*channels.Failure](err); ok && fail.Status == channels.StatusEmpty {
			unknown++
			continue
		}
		if err != nil && len(found) > 0 {
			return found, channels.Fail(channels.StatusDegraded, "%d of %d DOIs were looked up; then: %s", len(found)+unknown, len(dois), channels.AsFailure(err).Message)
		}
		if err != nil {
			return nil, err
		}
		found = append(found, got...)
	}
	switch {
	case len(dois) > maxDOIs:
		return found, channels.Fail(channels.StatusDegraded, "the first %d of %d DOIs were looked up", maxDOIs, len(dois))
	case unknown > 0:
		return found, channels.Fail(channels.StatusOK, "%d of %d DOIs are unknown", unknown, len(dois))
	}
	return found, nil
}

func askUnpaywall(ctx context.Context, c *channels.Client, lookUp bool, params url.Values, element string) ([]channels.Result, error) {
	channels.Set(params, "email", c.Config.Contact)
	return channels.Ask(ctx, c, channels.Request{Params: params, Path: []string{element}, LookUp: lookUp, Explain: explainUnpaywall}, parseUnpaywall)
}

// parseUnpaywall reads the list of a search or the one record of a look-up.
var parseUnpaywall = recipe.Records{
	Of: "records", Explain: explainUnpaywall, Paths: recipe.Paths{List: "results"},
	One: recipe.RecordAt("@this", "doi"),
	More: func(r gjson.Result, e *channels.Result) {
		snippet := normal.Plain(normal.Text(r, "snippet")) // of the title, with the words in bold
		if found := r.Get("response"); found.IsObject() {
			r = found
		}
		e.Title, e.DOI, e.SourceType = normal.Text(r, "title"), normal.Text(r, "doi"), normal.CrossrefTypes[normal.Text(r, "genre")] // Crossref's types
		e.PublishedAt = cmp.Or(normal.Text(r, "published_date"), normal.YearAt(r, "year"))
		for _, a := range r.Get("z_authors").Array() {
			name := cmp.Or(strings.TrimSpace(normal.Text(a, "given")+" "+normal.Text(a, "family")), normal.Text(a, "name")+normal.Text(a, "raw_author_name"))
			e.Authors = append(e.Authors, name)
		}
		copyOf := "no open copy is known"
		if best := r.Get("best_oa_location"); best.IsObject() {
			e.URL = normal.FirstValid(normal.Text(best, "url_for_pdf"), normal.Text(best, "url"), normal.Text(best, "url_for_landing_page"))
			version := normal.Text(best, "version")
			copyOf = normal.Join("open copy at a "+normal.Text(best, "host_type"), version, normal.Text(best, "license"))
			if version == "submittedVersion" {
				e.SourceType = normal.CrossrefTypes["posted-content"] // the copy is the manuscript before review
			}
		}
		e.URL = cmp.Or(e.URL, normal.RegisteredURL(e.DOI))
		if strings.Contains(normal.Plain(e.Title), snippet) {
			snippet = ""
		}
		e.Snippet = normal.Join(copyOf, normal.Text(r, "oa_status"), normal.Text(r, "journal_name"), normal.Text(r, "publisher"), snippet)
	},
}.Read

// explainUnpaywall recognises the refusal of an invalid email address, 422.
var explainUnpaywall = channels.Explains(
	channels.ErrorRule{Code: http.StatusUnprocessableEntity, Status: channels.StatusAuthRequired},
	channels.ErrorRule{Words: "email", Status: channels.StatusAuthRequired})
