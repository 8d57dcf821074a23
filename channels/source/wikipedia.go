package source

import (
	"context"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/channels/recipe"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/tidwall/gjson"
)

// searchWikipedia searches the edition of the query's language through the MediaWiki action API
// (https://www.mediawiki.org/wiki/API:Search). A mirror of Wikipedia answers with Wikipedia's own addresses.
func searchWikipedia(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	lang, err := edition(q.Language)
	if err != nil {
		return nil, err
	}
	found, err := askWikipedia(ctx, c, lang, q.Text, q.Limit)
	if err == nil && len(found) == 0 && lang == "en" {
		found, err = recipe.RetryWithKeywords(q.Text, func(text string) ([]channels.Result, error) { return askWikipedia(ctx, c, lang, text, q.Limit) })
	}
	if err == nil && q.Language != "" && c.FixedLanguage() {
		err = channels.Fail(channels.StatusOK, "the configured address determines the language")
	}
	return found, err
}

func askWikipedia(ctx context.Context, c *channels.Client, lang, text string, limit int) ([]channels.Result, error) {
	u, err := c.Address(lang, url.Values{
		"action": {"query"}, "list": {"search"}, "format": {"json"}, "utf8": {"1"},
		"srsearch": {text}, "srlimit": {strconv.Itoa(limit)}, "srprop": {"snippet|timestamp"},
	})
	if err != nil {
		return nil, err
	}
	return channels.Ask(ctx, c, channels.Request{URL: u, PaceAs: "wikimedia", Explain: explainMediaWiki},
		func(body []byte) ([]channels.Result, error) { return parseWikipedia(body, lang) })
}

func parseWikipedia(body []byte, lang string) ([]channels.Result, error) {
	hits, err := mediaWikiList(body, "query.search", "results")
	var found []channels.Result
	for _, hit := range hits {
		e := channels.Result{Evidence: channels.Evidence{
			Title: normal.Text(hit, "title"), Snippet: normal.Text(hit, "snippet"), Language: lang,
			PublishedAt: normal.Text(hit, "timestamp"), // of the last edit
		}}
		if e.Title != "" {
			e.URL = articleURL(lang, e.Title)
		}
		found = append(found, e)
	}
	return found, err
}

// mediaWikiList returns the list at a path of an answer.
func mediaWikiList(body []byte, path, of string) ([]gjson.Result, error) {
	answer, err := channels.ReadJSON(body)
	if err != nil {
		return nil, err
	}
	if fail := mediaWikiFailure(answer); fail != nil {
		return nil, fail
	}
	list := answer.Get(path)
	if !list.IsArray() {
		_, words := channels.ExplainMessage(http.StatusOK, body)
		return nil, channels.NoList(words, of)
	}
	return list.Array(), nil
}

// mediaWikiFailure returns the failure for an error sent with status 200. It knows the error codes that a search can
// return (https://www.mediawiki.org/wiki/API:Errors_and_warnings).
func mediaWikiFailure(answer gjson.Result) *channels.Failure {
	if !answer.Get("error").IsObject() {
		return nil
	}
	code := normal.Text(answer, "error.code")
	fail := channels.Fail(channels.StatusError, "the source says %s: %s", normal.Clip(code, 60), normal.Clip(normal.Plain(normal.Text(answer, "error.info")), channels.MaxWords))
	switch {
	case code == "ratelimited" || code == "maxlag" || strings.Contains(code, "too-busy"):
		fail.Status, fail.Retry = channels.StatusRateLimited, true
	case code == "readonly" || strings.HasPrefix(code, "internal_api_error") || strings.Contains(code, "backend-error"):
		fail.Status, fail.Retry = channels.StatusUnavailable, true
	case strings.Contains(code, "blocked"):
		fail.Status = channels.StatusBlocked
	case code == "readapidenied":
		fail.Status = channels.StatusAuthRequired
	}
	return fail
}

var explainMediaWiki = channels.MessageAt("error.info")

var editionCode = lazyregexp.New(`^[a-z-]{2,12}$`)

// edition returns the host label of the Wikipedia in a language. Most labels are the primary tag; the exceptions are
// listed.
func edition(language string) (string, error) {
	tag := strings.ToLower(language)
	switch tag {
	case "":
		return "en", nil
	case "be-tarask", "bat-smg", "cbk-zam", "fiu-vro", "map-bms", "nds-nl", "roa-rup", "roa-tara", "zh-classical", "zh-min-nan", "zh-yue":
		return tag, nil
	}
	code := normal.PrimaryLanguage(tag)
	switch code {
	case "nb":
		code = "no"
	case "yue":
		code = "zh-yue"
	case "nan":
		code = "zh-min-nan"
	case "lzh":
		code = "zh-classical"
	}
	if !editionCode.MatchString(code) {
		return "", channels.Fail(channels.StatusError, "no edition for the language %q", language)
	}
	return code, nil
}

// articleURL writes a title as Wikipedia's own links do: underscores, and only what must be escaped escaped.
func articleURL(lang, title string) string {
	u := url.URL{Scheme: "https", Host: lang + ".wikipedia.org", Path: "/wiki/" + strings.ReplaceAll(title, " ", "_")}
	return u.String()
}
