package channels

import (
	"bytes"
	"cmp"
	"context"
	"net/url"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// gdeltLanguages maps primary language tags to GDELT's names.
var gdeltLanguages = map[string]string{
	"ar": "Arabic", "bg": "Bulgarian", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
	"es": "Spanish", "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian",
	"hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese", "ko": "Korean", "nb": "Norwegian", "nl": "Dutch",
	"no": "Norwegian", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sr": "Serbian",
	"sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
}

// searchGDELT searches the news of the last years in sixty-five languages
// (https://blog.gdeltproject.org/gdelt-doc-2-0-api-debuts/). It reports errors as plain text with status 200.
func searchGDELT(ctx context.Context, c *client, q Query) ([]Result, error) {
	text := allWords(q.Text) // phrases and words, all required
	if q.Language != "" {
		name := gdeltLanguages[primaryLanguage(q.Language)]
		if name == "" {
			return nil, failure(StatusError, "unsupported language %q", q.Language)
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
		return nil, messageInText(body)
	}
	return gdeltArticles.read(body)
}

var gdeltArticles = records{
	of:    "articles",
	paths: paths{List: "articles", Title: "title", URL: "url"},
	none:  func(answer gjson.Result) bool { return len(answer.Map()) == 0 },
	more: func(r gjson.Result, e *Result) {
		e.PublishedAt, _, _ = strings.Cut(text(r, "seendate"), "T") // 20240131T084500Z
		e.Snippet = joinMessages([]string{text(r, "domain"), text(r, "sourcecountry")})
		for code, name := range gdeltLanguages {
			if name == text(r, "language") && code != "nb" {
				e.Language = code
			}
		}
		bySite(r, e)
	},
}
