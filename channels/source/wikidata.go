package source

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/tidwall/gjson"
)

var wikidataID = lazyregexp.New(`^[QP][1-9]\d{0,11}$`)

// searchWikidata finds entities by name (https://www.wikidata.org/w/api.php?action=help&modules=wbsearchentities), and
// an entity by its number (wbgetentities, whose records are those of Special:EntityData).
func searchWikidata(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	lang := "en"
	if q.Language != "" {
		lang = strings.ToLower(q.Language)
	}
	if id := strings.ToUpper(strings.TrimPrefix(strings.ToLower(q.Text), "wikidata:")); wikidataID.MatchString(id) {
		return askWikidata(ctx, c, lang, url.Values{"action": {"wbgetentities"}, "ids": {id}, "props": {"info|labels|descriptions|aliases"}})
	}
	found, err := namedWikidata(ctx, c, lang, q.Text, q.Limit)
	// The search matches the beginning of a name. A whole question finds nothing; the name in it may.
	if name := normal.ProperName(q.Text); err == nil && len(found) == 0 && name != "" && name != q.Text {
		if found, err = namedWikidata(ctx, c, lang, name, q.Limit); err == nil && len(found) > 0 {
			err = channels.Fail(channels.StatusOK, "no results for the whole query; searched for %q", normal.Clip(name, channels.MaxWords))
		}
	}
	return found, err
}

func namedWikidata(ctx context.Context, c *channels.Client, lang, name string, limit int) ([]channels.Result, error) {
	return askWikidata(ctx, c, lang, url.Values{"action": {"wbsearchentities"}, "search": {name}, "type": {"item"}, "limit": {strconv.Itoa(limit)}})
}

func askWikidata(ctx context.Context, c *channels.Client, lang string, params url.Values) ([]channels.Result, error) {
	params.Set("format", "json")
	params.Set("language", lang)
	params.Set("uselang", lang)
	if params.Get("action") == "wbgetentities" {
		params.Del("language")
	}
	return channels.Ask(ctx, c, channels.Request{Params: params, PaceAs: "wikimedia", Explain: explainMediaWiki},
		func(body []byte) ([]channels.Result, error) { return parseWikidata(body, lang) })
}

// parseWikidata reads the list of a search, or the entities of a look-up.
func parseWikidata(body []byte, lang string) ([]channels.Result, error) {
	answer, err := channels.ReadJSON(body)
	if err != nil {
		return nil, err
	}
	if entities := answer.Get("entities"); entities.IsObject() && !answer.Get("search").Exists() && !answer.Get("error").Exists() {
		var found []channels.Result
		byID := entities.Map()
		for _, id := range slices.Sorted(maps.Keys(byID)) {
			e := byID[id]
			if e.Get("missing").Exists() {
				continue
			}
			r := wikidataHit(normal.Text(e, "id"), inLanguage(e.Get("labels"), lang), inLanguage(e.Get("descriptions"), lang), lang)
			r.PublishedAt = normal.Text(e, "modified")
			found = append(found, r)
		}
		return found, nil
	}
	hits, err := mediaWikiList(body, "search", "entities")
	var found []channels.Result
	for _, hit := range hits {
		aliases := normal.Texts(hit, "aliases")
		about := normal.Join(normal.Text(hit, "description"), normal.Around("also known as ", strings.Join(aliases[:min(len(aliases), 5)], ", "), ""))
		found = append(found, wikidataHit(normal.Text(hit, "id"), normal.Text(hit, "label"), about, lang))
	}
	return found, err
}

// inLanguage returns the text in lang, else in English, else in the first language.
func inLanguage(texts gjson.Result, lang string) string {
	all := texts.Map()
	for _, l := range append([]string{lang, normal.PrimaryLanguage(lang), "mul", "en"}, slices.Sorted(maps.Keys(all))...) {
		if words := normal.Text(all[l], "value"); words != "" {
			return words
		}
	}
	return ""
}

func wikidataHit(id, label, about, lang string) channels.Result {
	e := channels.Result{Evidence: channels.Evidence{Title: label, Snippet: about, Language: lang}}
	switch {
	case !wikidataID.MatchString(id): // lexemes and invalid ids are dropped
	case id[0] == 'P':
		e.URL = "https://www.wikidata.org/wiki/Property:" + id
	default:
		e.URL = "https://www.wikidata.org/wiki/" + id
	}
	return e
}
