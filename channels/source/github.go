package source

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/channels/recipe"
	"github.com/citeloop/citeloop/internal/lazyregexp"
	"github.com/tidwall/gjson"
)

// maxGitHubChars is the longest query that the API takes, in characters without qualifiers.
const maxGitHubChars = 256

var (
	qualifier  = lazyregexp.New(`^-?[a-z][a-z-]{1,20}:\S+$`)
	codeWords  = lazyregexp.New(`(?:^|\s)(?:in:file|in:path|path:|filename:|extension:)`)
	issueWords = lazyregexp.New(`(?i)(?:^|\s)(?:is:issue|is:pr|is:open|is:closed|type:issue|type:pr|issues?|bugs?|errors?|crash(?:es)?|exception|traceback|panic|regression|segfault|workaround|pull request|deadlock|leak)\b`)
	// hubNouns say where to search; they are not part of the results' texts.
	hubNouns = []string{"github", "repository", "repositories", "repo", "repos", "issue", "issues", "project", "projects"}
)

// searchGitHub searches repositories, issues or code (https://docs.github.com/en/rest/search/search). A query is one request;
// its words select one of the three.
func searchGitHub(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	kind, day := "repositories", "pushed"
	switch {
	case codeWords.MatchString(q.Text):
		if kind = "code"; c.Key == "" && c.Base == "" {
			return nil, channels.Fail(channels.StatusAuthRequired, "code search needs a key: set CITELOOP_GITHUB_KEY")
		}
	case issueWords.MatchString(q.Text):
		kind, day = "issues", "created"
	}
	query := gitHubQuery(q.Text)
	if kind != "code" { // code has no dates
		switch {
		case q.Since != "" && q.Until != "":
			query += " " + day + ":" + normal.FirstDay(q.Since) + ".." + normal.LastDay(q.Until)
		case q.Since != "":
			query += " " + day + ":>=" + normal.FirstDay(q.Since)
		case q.Until != "":
			query += " " + day + ":<=" + normal.LastDay(q.Until)
		}
	}
	req := channels.Request{Params: url.Values{"q": {query}, "per_page": {strconv.Itoa(q.Limit)}}, Path: []string{"search", kind}, Explain: explainGitHub,
		Header: http.Header{"Accept": {"application/vnd.github+json"}, "X-Github-Api-Version": {"2022-11-28"}}}
	if c.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.Key)
	}
	return channels.Ask(ctx, c, req, parseGitHub)
}

// gitHubQuery keeps qualifiers and quoted phrases, and of the rest the keywords, because the search requires every
// word.
func gitHubQuery(text string) string {
	var terms []string
	for _, m := range normal.Phrases.FindAllStringSubmatch(text, -1) {
		terms = append(terms, m[0])
	}
	var plain, kept []string
	for _, field := range strings.Fields(normal.Phrases.ReplaceAllString(text, " ")) {
		if qualifier.MatchString(field) {
			kept = append(kept, field)
		} else {
			plain = append(plain, field)
		}
	}
	rest := strings.Join(plain, " ")
	for _, w := range normal.Keywords(rest) {
		if !slices.Contains(hubNouns, strings.ToLower(w)) {
			terms = append(terms, w)
		}
	}
	if len(terms) == 0 {
		terms = normal.Words(rest)
	}
	query := strings.Join(terms, " ")
	if len([]rune(query)) > maxGitHubChars {
		query = string([]rune(query)[:maxGitHubChars])
	}
	return strings.TrimSpace(query + " " + strings.Join(kept, " "))
}

var gitHubItems = recipe.Records{
	Of:    "items",
	Paths: recipe.Paths{List: "items", URL: "html_url"},
	More: func(r gjson.Result, e *channels.Result) {
		switch file, repository := normal.Text(r, "path"), normal.Text(r, "full_name"); {
		case file != "":
			e.Title, e.SourceType = normal.Text(r, "repository.full_name")+": "+file, normal.CrossrefTypes["software"]
			e.Snippet = normal.Text(r, "repository.description")
		case repository != "":
			e.Title, e.SourceType, e.PublishedAt = repository, normal.CrossrefTypes["software"], normal.Text(r, "pushed_at")
			e.Authors = normal.Texts(r, "owner.login")
			e.Snippet = normal.Join(normal.Plain(normal.Text(r, "description")), normal.Text(r, "language"), fmt.Sprintf("%d stars", r.Get("stargazers_count").Int()), strings.Join(normal.Texts(r, "topics"), ", "))
		default:
			e.Title, e.SourceType, e.PublishedAt = normal.Text(r, "title"), "practitioner", normal.Text(r, "created_at")
			e.Authors = normal.Texts(r, "user.login")
			e.Snippet = normal.Join(normal.Text(r, "state"), fmt.Sprintf("%d comments", r.Get("comments").Int()), normal.Plain(normal.Text(r, "body")))
		}
	},
}

func parseGitHub(body []byte) ([]channels.Result, error) {
	found, err := gitHubItems.Read(body)
	if err == nil && gjson.GetBytes(body, "incomplete_results").Bool() {
		err = channels.Fail(channels.StatusDegraded, "it timed out; the results are incomplete")
	}
	return found, err
}

// explainGitHub recognises the secondary limit, which is 403 with or without a Retry-After.
var explainGitHub = channels.Explains(
	channels.ErrorRule{Code: http.StatusForbidden, Words: "rate limit", Status: channels.StatusRateLimited},
	channels.ErrorRule{Code: http.StatusForbidden, Words: "abuse detection", Status: channels.StatusRateLimited})
