package channels

import (
	"cmp"
	"context"
	"net/url"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// searchEDGAR searches the full texts of filings with the SEC since 2001 (https://efts.sec.gov/LATEST/search-index, the
// service behind https://www.sec.gov/edgar/search, which the SEC documents for people, not for programs).
func searchEDGAR(ctx context.Context, c *client, q Query) ([]Result, error) {
	params := url.Values{"q": {allWords(q.Text)}}
	if q.Since+q.Until != "" {
		from, to := cmp.Or(firstDay(q.Since), "2001-01-01"), cmp.Or(lastDay(q.Until), c.cfg.Now().UTC().Format("2006-01-02"))
		params.Set("dateRange", "custom")
		params.Set("startdt", from)
		params.Set("enddt", to)
	}
	return ask(ctx, c, request{params: params, explain: explainEDGAR}, parseEDGAR)
}

var parseEDGAR = records{
	of: "filings", more: edgarFiling,
	paths: paths{List: "hits.hits", Date: "_source.file_date"},
	explain: func(_ int, body []byte) (Status, string) {
		answer := gjson.ParseBytes(body)
		return "", cmp.Or(text(answer, "message"), text(answer, "error"), answer.Get("error").Raw)
	},
}.read

var (
	cikNote   = lazyregexp.New(`\s*\(CIK \d+\)\s*$`)
	accession = lazyregexp.New(`^\d{10}-\d{2}-\d{6}$`)
	fileName  = lazyregexp.New(`^[\w.-]{1,120}$`)
)

func edgarFiling(r gjson.Result, e *Result) {
	s := r.Get("_source")
	e.SourceType, e.Language = "primary", "en"
	number, file, _ := strings.Cut(text(r, "_id"), ":") // accession number with hyphens, a colon, the file
	number = cmp.Or(number, text(s, "adsh"))
	if cik := strings.TrimLeft(digits.FindString(firstOf(s, "ciks")), "0"); cik != "" && accession.MatchString(number) {
		folder := "https://www.sec.gov/Archives/edgar/data/" + cik + "/" + strings.ReplaceAll(number, "-", "")
		if e.URL = folder + "/" + file; !fileName.MatchString(file) {
			e.URL = folder + "/" + number + "-index.html"
		}
	}
	for _, name := range texts(s, "display_names") { // "APPLE INC  (AAPL)  (CIK 0000320193)"
		if name = sanitize.Line(cikNote.ReplaceAllString(name, "")); name != "" {
			e.Authors = append(e.Authors, name)
		}
	}
	if len(e.Authors) > 0 {
		form := cmp.Or(text(s, "form"), firstOf(s, "root_forms"))
		e.Title = e.Authors[0] + around(": ", form, "")
		if file := text(s, "file_type"); file != form { // "EX-99.1"
			e.Title += around(", ", file, "")
		}
	}
	e.Snippet = joinMessages([]string{text(s, "file_description"), around("period ending ", text(s, "period_ending"), ""), around("items ", strings.Join(texts(s, "items"), ", "), "")})
}

// explainEDGAR reads errors of the storage (XML) and of the search (JSON).
func explainEDGAR(code int, body []byte) (Status, string) {
	if words := messageInXML(body); words != "" {
		return "", words
	}
	return explainMessage(code, body)
}
