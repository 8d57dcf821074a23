package source

import (
	"context"
	"net/url"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// wikipedia searches the edition of the query's language through the MediaWiki action API
// (https://www.mediawiki.org/wiki/API:Search). A mirror of Wikipedia answers with Wikipedia's own addresses.
type wikipedia struct{ Recipe }

func (s wikipedia) search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	lang, err := edition(q.Language)
	if err != nil {
		return nil, err
	}
	ask := func(text string) ([]channels.Result, error) {
		q.Text = text
		found, err := s.Ask(ctx, c, q, Code{Lang: lang})
		for i := range found {
			if found[i].Language = lang; found[i].Title != "" {
				found[i].URL = articleURL(lang, found[i].Title)
			}
		}
		return found, err
	}
	whole := q.Text
	found, err := ask(whole)
	if err == nil && len(found) == 0 && lang == "en" {
		found, err = RetryWithKeywords(whole, ask)
	}
	if err == nil && q.Language != "" && c.FixedLanguage() {
		err = channels.Fail(channels.StatusOK, "the configured address determines the language")
	}
	return found, err
}

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
