package channels

import (
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/loopstate"
)

// wikidata finds entities by name (https://www.wikidata.org/w/api.php?action=help&modules=wbsearchentities), and
// an entity by its number (wbgetentities, whose records are those of Special:EntityData).
var wikidata = channel{
	Description: Description{
		Name:          "wikidata",
		Description:   "Wikidata: people, places, organisations, works and concepts by name, with a line that tells namesakes apart.",
		GoodFor:       []string{"which entity is meant", "other names of an entity", "any language"},
		For:           []Kind{KindEntity},
		RatePerSecond: 3, // as for Wikipedia: one etiquette and one pace for all of Wikimedia
		Parallel:      3,
		Honours:       Filters{Language: true},
		Plain:         true,
		Tested:        "recorded answers of the service",
	},
	url:    "https://www.wikidata.org/w/api.php",
	search: searchWikidata,
}

var wikidataID = regexp.MustCompile(`^[QP][1-9]\d{0,11}$`)

func searchWikidata(ctx context.Context, c *client, q Query) ([]Result, error) {
	lang := "en"
	if q.Language != "" {
		lang = strings.ToLower(q.Language)
	}
	if id := strings.ToUpper(strings.TrimPrefix(strings.ToLower(q.Text), "wikidata:")); wikidataID.MatchString(id) {
		return askWikidata(ctx, c, lang, url.Values{"action": {"wbgetentities"}, "ids": {id}, "props": {"info|labels|descriptions|aliases"}})
	}
	found, err := namedWikidata(ctx, c, lang, q.Text, q.Limit)
	// The search is by name, from its beginning. A question has none; the names in it have.
	if name := properName(q.Text); err == nil && len(found) == 0 && name != "" && name != q.Text {
		if found, err = namedWikidata(ctx, c, lang, name, q.Limit); err == nil && len(found) > 0 {
			err = failure(StatusOK, "nothing for the whole query; asked for %q", clip(name, maxWords))
		}
	}
	return found, err
}

func namedWikidata(ctx context.Context, c *client, lang, name string, limit int) ([]Result, error) {
	return askWikidata(ctx, c, lang, url.Values{"action": {"wbsearchentities"}, "search": {name}, "type": {"item"}, "limit": {strconv.Itoa(limit)}})
}

func askWikidata(ctx context.Context, c *client, lang string, params url.Values) ([]Result, error) {
	params.Set("format", "json")
	params.Set("language", lang)
	params.Set("uselang", lang)
	if params.Get("action") == "wbgetentities" {
		params.Del("language")
	}
	return ask(ctx, c, request{params: params, paceAs: "wikimedia", explain: explainMediaWiki},
		func(body []byte) ([]Result, error) { return parseWikidata(body, lang) })
}

type wikidataHit struct {
	ID          string   `json:"id"`
	Label       string   `json:"label"`
	Description string   `json:"description"`
	Aliases     []string `json:"aliases"`
}

// parseWikidata reads the list of a search, or the entities of a look-up.
func parseWikidata(body []byte, lang string) ([]Result, error) {
	reply, err := decodeJSON[struct {
		Error    *mediaWikiError    `json:"error"`
		Search   *[]json.RawMessage `json:"search"`
		Entities *loose             `json:"entities"`
	}](body)
	switch {
	case err != nil:
		return nil, err
	case reply.Error != nil: // errors arrive with 200
		return nil, reply.Error.failure()
	case reply.Search == nil && reply.Entities == nil:
		return nil, failure(StatusMalformed, "the answer has no list of entities")
	}
	var found []Result
	if reply.Search != nil {
		for _, hit := range each[wikidataHit](*reply.Search) {
			found = append(found, hit.result(lang))
		}
		return found, nil
	}
	for _, id := range slices.Sorted(maps.Keys(*reply.Entities)) {
		if e, ok := wikidataEntity((*reply.Entities)[id], lang); ok {
			found = append(found, e)
		}
	}
	return found, nil
}

// wikidataEntity reads a record; false says that there is no such entity.
func wikidataEntity(raw json.RawMessage, lang string) (Result, bool) {
	var e struct {
		ID           string           `json:"id"`
		Missing      *json.RawMessage `json:"missing"`
		Modified     string           `json:"modified"`
		Labels       loose            `json:"labels"` // an empty one is a list
		Descriptions loose            `json:"descriptions"`
	}
	if json.Unmarshal(raw, &e) != nil {
		return Result{}, true // odd: cleaning drops and counts it
	}
	r := wikidataHit{ID: e.ID, Label: inLanguage(e.Labels, lang), Description: inLanguage(e.Descriptions, lang)}.result(lang)
	r.PublishedAt = e.Modified
	return r, e.Missing == nil
}

// inLanguage picks the text in lang, else in English, else in the first language there is.
func inLanguage(texts loose, lang string) string {
	order := append([]string{lang, primaryLanguage(lang), "mul", "en"}, slices.Sorted(maps.Keys(texts))...)
	for _, l := range order {
		var text struct{ Value string }
		if json.Unmarshal(texts[l], &text) == nil && text.Value != "" {
			return text.Value
		}
	}
	return ""
}

func (h wikidataHit) result(lang string) Result {
	e := Result{Evidence: loopstate.Evidence{Title: h.Label, Snippet: h.Description, Language: lang}}
	if len(h.Aliases) > 0 {
		e.Snippet = joinSaid([]string{h.Description, "also known as " + strings.Join(h.Aliases[:min(len(h.Aliases), 5)], ", ")})
	}
	switch {
	case !wikidataID.MatchString(h.ID): // lexemes and what is odd: dropped
	case h.ID[0] == 'P':
		e.URL = "https://www.wikidata.org/wiki/Property:" + h.ID
	default:
		e.URL = "https://www.wikidata.org/wiki/" + h.ID
	}
	return e
}

// properName is the first run of capitalised words in a query, question words aside; "" where there is none.
func properName(text string) string {
	var run []string
	for _, w := range words(text) {
		first, _ := utf8.DecodeRuneInString(w)
		if unicode.IsUpper(first) && !questionWord(strings.ToLower(w)) || len(run) > 0 && unicode.IsNumber(first) {
			run = append(run, w)
		} else if len(run) > 0 {
			break
		}
	}
	return strings.Join(run, " ")
}
