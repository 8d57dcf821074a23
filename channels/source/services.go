package source

import (
	"cmp"
	"context"
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/tidwall/gjson"
)

// Code of services that have more than their file can say.

// maxGitHubChars is the longest query that GitHub takes, in characters without qualifiers.
const maxGitHubChars = 256

// qualifier matches a condition of GitHub's search, such as language:go.
var qualifier = lazyregexp.New(`^-?[a-z][a-z-]{1,20}:\S+$`)

// hubNouns say where to search on GitHub; they are not part of the results' texts.
var hubNouns = []string{"github", "repository", "repositories", "repo", "repos", "issue", "issues", "project", "projects"}

// gitHubQuery keeps qualifiers and quoted phrases, and of the rest the keywords, because the search requires every
// word.
func gitHubQuery(text string) string {
	var plain, kept []string
	for _, field := range strings.Fields(text) {
		if qualifier.MatchString(field) {
			kept = append(kept, field)
		} else {
			plain = append(plain, field)
		}
	}
	terms := slices.DeleteFunc(allTerms(strings.Join(plain, " ")), func(term string) bool {
		return slices.Contains(hubNouns, strings.ToLower(term))
	})
	if len(terms) == 0 {
		terms = plain
	}
	query := []rune(strings.Join(terms, " "))
	return strings.TrimSpace(string(query[:min(len(query), maxGitHubChars)]) + " " + strings.Join(kept, " "))
}

// pubMed searches PubMed through the E-utilities (https://www.ncbi.nlm.nih.gov/books/NBK25499/): esearch finds ids, esummary
// describes them. At most fifty ids are sent, far below the length at which the service answers 414.
type pubMed struct{ Recipe }

func (s pubMed) search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	var ids []string
	// PubMed maps plain words to its own fields and headings, and ignores stop words.
	_, err := s.Ask(ctx, c, q, Code{Values: map[string]string{"kind": "esearch.fcgi", "words": q.Text},
		Read: func(body []byte) (_ []channels.Result, err error) {
			ids, err = s.readIDs(body)
			return nil, err
		}})
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	ids = ids[:min(len(ids), channels.MaxLimit)]
	return s.Ask(ctx, c, q, Code{Values: map[string]string{"kind": "esummary.fcgi", "ids": strings.Join(ids, ",")}})
}

// readIDs reads the answer of esearch. An error comes with status 200, and may come with an empty list.
func (s pubMed) readIDs(body []byte) (ids []string, err error) {
	answer, err := s.Decode(body)
	if err != nil {
		return nil, err
	}
	if !answer.Get("esearchresult.idlist").Exists() ||
		normal.Text(answer, "[error,esearchresult.ERROR,esearchresult.error]|@flatten") != "" {
		return nil, s.NoList(body)
	}
	for _, id := range normal.Texts(answer, "[esearchresult.idlist,esearchresult.idlist.id]|@flatten") {
		if number, ok := strings.CutPrefix(normal.ID("pmid", id), "pmid:"); ok {
			ids = append(ids, number)
		}
	}
	return ids, nil
}

const redditTokens = "https://www.reddit.com"

// reddit searches posts with the user's own application (https://www.reddit.com/dev/api#GET_search); Reddit blocks programs
// without one.
type reddit struct{ Recipe }

func (r reddit) search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	token, err := r.token(ctx, c)
	if err != nil {
		return nil, err
	}
	return r.Ask(ctx, c, q, Code{Values: map[string]string{"key": token}})
}

// token returns the configured token, or requests one for the configured application.
func (r reddit) token(ctx context.Context, c *channels.Client) (string, error) {
	if !strings.Contains(c.Key, ":") {
		return c.Key, nil
	}
	u, err := url.Parse(cmp.Or(c.Base, redditTokens)) // a mirror serves both addresses
	if err != nil {
		return "", err
	}
	u.Path, u.RawQuery = "/api/v1/access_token", ""
	req := channels.Request{URL: u, Explain: r.explain, Body: url.Values{"grant_type": {"client_credentials"}},
		Header: http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(c.Key))}}}
	return channels.Ask(ctx, c, req, func(body []byte) (string, error) {
		answer, err := channels.ReadJSON(body)
		token := normal.Text(answer, "access_token")
		if err == nil && token == "" {
			err = channels.Fail(channels.StatusAuthRequired, "no token for CITELOOP_REDDIT_KEY: %s",
				normal.Clip(normal.Text(answer, "error"), 60))
		}
		return token, err
	})
}

// inLanguage returns the text of Wikibase in a language, else in English, else in the first language.
func inLanguage(texts gjson.Result, lang string) string {
	all := texts.Map()
	for _, l := range append([]string{lang, normal.PrimaryLanguage(lang), "mul", "en"}, slices.Sorted(maps.Keys(all))...) {
		if words := normal.Text(all[l], "value"); words != "" {
			return words
		}
	}
	return ""
}

// maxAbstractWords bounds an abstract; the longest have a few thousand words.
const maxAbstractWords = 5_000

// uninverted assembles an abstract from the positions of its words.
func uninverted(index gjson.Result) string {
	placed := make([]string, 0, 256)
	for word, places := range index.Map() {
		for _, place := range places.Array() {
			at := int(place.Int())
			if at < 0 || at >= maxAbstractWords {
				continue
			}
			for len(placed) <= at {
				placed = append(placed, "")
			}
			// The index may have two words at one position; the order of the map must not decide.
			if placed[at] < word {
				placed[at] = word
			}
		}
	}
	return strings.Join(placed, " ")
}
