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
	"github.com/citeloop/citeloop/channels/recipe"
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
func searchGDELT(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	text := normal.AllWords(q.Text) // phrases and words, all required
	if q.Language != "" {
		name := gdeltLanguages[normal.PrimaryLanguage(q.Language)]
		if name == "" {
			return nil, channels.Fail(channels.StatusError, "unsupported language %q", q.Language)
		}
		text += " sourcelang:" + strings.ToLower(name)
	}
	params := url.Values{"query": {text}, "mode": {"artlist"}, "format": {"json"}, "maxrecords": {strconv.Itoa(q.Limit)}, "sort": {"hybridrel"}}
	if q.Since+q.Until != "" {
		from, to := cmp.Or(normal.FirstDay(q.Since), "2017-01-01"), cmp.Or(normal.LastDay(q.Until), c.Config.Now().UTC().Format("2006-01-02"))
		params.Set("startdatetime", strings.ReplaceAll(from, "-", "")+"000000")
		params.Set("enddatetime", strings.ReplaceAll(to, "-", "")+"235959")
	}
	return channels.Ask(ctx, c, channels.Request{Params: params, Want: channels.WantText}, parseGDELT)
}

func parseGDELT(body []byte) ([]channels.Result, error) {
	body = bytes.TrimSpace(body)
	if len(body) == 0 || body[0] != '{' {
		return nil, channels.MessageInText(body)
	}
	return gdeltArticles.Read(body)
}

var gdeltArticles = recipe.Records{
	Of:    "articles",
	Paths: recipe.Paths{List: "articles", Title: "title", URL: "url"},
	None:  func(answer gjson.Result) bool { return len(answer.Map()) == 0 },
	More: func(r gjson.Result, e *channels.Result) {
		e.PublishedAt, _, _ = strings.Cut(normal.Text(r, "seendate"), "T") // 20240131T084500Z
		e.Snippet = normal.Join(normal.Text(r, "domain"), normal.Text(r, "sourcecountry"))
		for code, name := range gdeltLanguages {
			if name == normal.Text(r, "language") && code != "nb" {
				e.Language = code
			}
		}
		recipe.BySite(r, e)
	},
}
