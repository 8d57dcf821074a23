package channels

import (
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"regexp"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// edgar searches the full texts of filings with the SEC since 2001 (https://efts.sec.gov/LATEST/search-index, the
// service behind https://www.sec.gov/edgar/search, which the SEC describes for people and not for programs).
var edgar = channel{
	Description: Description{
		Name:          "edgar",
		Description:   "SEC EDGAR: full texts of companies' filings in the United States since 2001: annual and quarterly reports, events, exhibits.",
		GoodFor:       []string{"companies' figures and risks in their own words", "mergers, contracts, events", "who owns what"},
		For:           []Kind{KindFinance},
		SourceTypes:   []string{"primary"},
		RatePerSecond: 5, // below 10 a second, which the SEC allows an address
		Parallel:      2,
		Honours:       Filters{Dates: true},
		Tested:        "the format that its search page reads; recorded answers of its neighbours",
	},
	url:     "https://efts.sec.gov/LATEST/search-index",
	search:  searchEDGAR,
	missing: needsContact("the SEC refuses programs that name no contact: set CITELOOP_CONTACT to a mail address of yours"),
}

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

type edgarHit struct {
	ID     string `json:"_id"` // accession number with hyphens, a colon, the file
	Source struct {
		CIKs        []string  `json:"ciks"`
		Names       []string  `json:"display_names"` // "APPLE INC  (AAPL)  (CIK 0000320193)"
		Form        string    `json:"form"`
		Roots       []string  `json:"root_forms"`
		FileType    string    `json:"file_type"` // "EX-99.1"
		Description string    `json:"file_description"`
		Filed       string    `json:"file_date"`
		Period      string    `json:"period_ending"`
		Accession   string    `json:"adsh"`
		Items       oneOrMany `json:"items"` // of an 8-K
	} `json:"_source"`
}

func parseEDGAR(body []byte) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Hits    *struct {
			Hits *[]json.RawMessage `json:"hits"`
		} `json:"hits"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Hits == nil && (len(reply.Error) > 0 || reply.Message != ""):
		words := cmp.Or(reply.Message, strings.Trim(string(reply.Error), `"`))
		return nil, sourceSays(words)
	case reply.Hits == nil || reply.Hits.Hits == nil:
		return nil, failure(StatusMalformed, "the answer has no list of filings")
	}
	return resultsOf(*reply.Hits.Hits, edgarHit.result), nil
}

var (
	cikNote   = regexp.MustCompile(`\s*\(CIK \d+\)\s*$`)
	accession = regexp.MustCompile(`^\d{10}-\d{2}-\d{6}$`)
	fileName  = regexp.MustCompile(`^[\w.-]{1,120}$`)
)

func (h edgarHit) result() Result {
	s := h.Source
	number, file, _ := strings.Cut(h.ID, ":")
	if number == "" {
		number = s.Accession
	}
	e := Result{Evidence: loopstate.Evidence{PublishedAt: s.Filed, SourceType: "primary", Language: "en"}}
	if len(s.CIKs) > 0 && accession.MatchString(number) && digits.MatchString(s.CIKs[0]) {
		cik := strings.TrimLeft(digits.FindString(s.CIKs[0]), "0")
		folder := "https://www.sec.gov/Archives/edgar/data/" + cik + "/" + strings.ReplaceAll(number, "-", "")
		if e.URL = folder + "/" + file; !fileName.MatchString(file) {
			e.URL = folder + "/" + number + "-index.html"
		}
	}
	var names []string
	for _, name := range s.Names {
		if name = strings.Join(strings.Fields(cikNote.ReplaceAllString(name, "")), " "); name != "" {
			names = append(names, name)
		}
	}
	form := s.Form
	if form == "" && len(s.Roots) > 0 {
		form = s.Roots[0]
	}
	if len(names) > 0 {
		e.Title = joinSaid([]string{names[0]})
		if form != "" {
			e.Title += ": " + form
		}
		if s.FileType != "" && s.FileType != form {
			e.Title += ", " + s.FileType
		}
		e.Authors = names
	}
	period := ""
	if s.Period != "" {
		period = "period ending " + s.Period
	}
	items := ""
	if len(s.Items) > 0 {
		items = "items " + strings.Join(s.Items, ", ")
	}
	e.Snippet = joinSaid([]string{s.Description, period, items})
	return e
}

// explainEDGAR reads the storage's error in XML, and the search's in JSON.
func explainEDGAR(code int, body []byte) (Status, string) {
	if words := saidInXML(body); words != "" {
		return "", words
	}
	return explainMessage(code, body)
}
