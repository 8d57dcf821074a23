package channels

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// gdelt searches the news of the last years in sixty-five languages
// (https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/). It answers mistakes in plain text with a 200.
var gdelt = channel{
	Description: Description{
		Name:          "gdelt",
		Description:   "GDELT: news of all countries since 2017, by the words of the articles; the last three months where no dates are given.",
		GoodFor:       []string{"news in many languages", "how an event was reported where"},
		For:           []Kind{KindNews},
		SourceTypes:   []string{"press"},
		BestEffort:    true,
		RatePerSecond: 1.0 / 5, // it refuses more than one request in five seconds
		Parallel:      1,
		Honours:       Filters{Dates: true, Language: true},
		Tested:        "its documented format",
	},
	url:    "https://api.gdeltproject.org/api/v2/doc/doc",
	search: searchGDELT,
}

// gdeltLanguages are GDELT's names of languages by BCP 47's.
var gdeltLanguages = map[string]string{
	"ar": "Arabic", "bg": "Bulgarian", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
	"es": "Spanish", "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian",
	"hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean", "nb": "Norwegian", "nl": "Dutch",
	"no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sr": "Serbian",
	"sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}

func searchGDELT(ctx context.Context, c *client, q Query) ([]Result, error) {
	text := allWords(q.Text) // phrases and words, every one wanted
	if q.Language != "" {
		name := gdeltLanguages[primaryLanguage(q.Language)]
		if name == "" {
			return nil, failure(StatusError, "it has no name for the language %q", q.Language)
		}
		text += " sourcelang:" + strings.ToLower(name)
	}
	params := url.Values{"query": {text}, "mode": {"artlist"}, "format": {"json"}, "maxrecords": {strconv.Itoa(q.Limit)}, "sort": {"hybridrel"}}
	if q.Since+q.Until != "" {
		from, to := cmp.Or(firstDay(q.Since), "2017-01-01"), cmp.Or(lastDay(q.Until), c.cfg.Now().UTC().Format("2006-01-02"))
		params.Set("startdatetime", strings.ReplaceAll(from, "-", "")+"000000")
		params.Set("enddatetime", strings.ReplaceAll(to, "-", "")+"235959")
	}
	return ask(ctx, c, request{params: params, want: wantText}, parseGDELT)
}

func parseGDELT(body []byte) ([]Result, error) {
	body = bytes.TrimSpace(body)
	if len(body) == 0 || body[0] != '{' {
		return nil, saidInText(body)
	}
	reply, err := decodeJSON[map[string]json.RawMessage](body)
	if err != nil {
		return nil, err
	}
	if len(reply) == 0 { // {} where nothing fits
		return nil, nil
	}
	var articles []json.RawMessage
	if raw, ok := reply["articles"]; !ok || json.Unmarshal(raw, &articles) != nil || articles == nil {
		return nil, failure(StatusMalformed, "the answer has no list of articles")
	}
	var found []Result
	for _, a := range each[struct {
		URL      string `json:"url"`
		Title    string `json:"title"`
		Seen     string `json:"seendate"` // 20240131T084500Z
		Domain   string `json:"domain"`
		Language string `json:"language"`
		Country  string `json:"sourcecountry"`
	}](articles) {
		e := Result{Evidence: loopstate.Evidence{Title: a.Title, URL: a.URL, SourceType: typeOfSite(a.URL), Snippet: joinSaid([]string{a.Domain, a.Country})}}
		if day, _, ok := strings.Cut(a.Seen, "T"); ok {
			e.PublishedAt = day
		}
		for code, name := range gdeltLanguages {
			if name == a.Language && code != "nb" {
				e.Language = code
			}
		}
		found = append(found, e)
	}
	return found, nil
}
