package channels

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/internal/lazyregexp"
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
func searchGitHub(ctx context.Context, c *client, q Query) ([]Result, error) {
	kind, day := "repositories", "pushed"
	switch {
	case codeWords.MatchString(q.Text):
		if kind = "code"; c.key == "" && c.base == "" {
			return nil, failure(StatusAuthRequired, "code search needs a key: set CITELOOP_GITHUB_KEY")
		}
	case issueWords.MatchString(q.Text):
		kind, day = "issues", "created"
	}
	query := gitHubQuery(q.Text)
	if kind != "code" { // code has no dates
		switch {
		case q.Since != "" && q.Until != "":
			query += " " + day + ":" + firstDay(q.Since) + ".." + lastDay(q.Until)
		case q.Since != "":
			query += " " + day + ":>=" + firstDay(q.Since)
		case q.Until != "":
			query += " " + day + ":<=" + lastDay(q.Until)
		}
	}
	req := request{params: url.Values{"q": {query}, "per_page": {strconv.Itoa(q.Limit)}}, path: []string{"search", kind}, explain: explainGitHub,
		header: http.Header{"Accept": {"application/vnd.github+json"}, "X-Github-Api-Version": {"2022-11-28"}}}
	if c.key != "" {
		req.header.Set("Authorization", "Bearer "+c.key)
	}
	return ask(ctx, c, req, parseGitHub)
}

// gitHubQuery keeps qualifiers and quoted phrases, and of the rest the keywords, because the search requires every
// word.
func gitHubQuery(text string) string {
	var terms []string
	for _, m := range phrases.FindAllStringSubmatch(text, -1) {
		terms = append(terms, m[0])
	}
	var plain, kept []string
	for _, field := range strings.Fields(phrases.ReplaceAllString(text, " ")) {
		if qualifier.MatchString(field) {
			kept = append(kept, field)
		} else {
			plain = append(plain, field)
		}
	}
	rest := strings.Join(plain, " ")
	for _, w := range keywords(rest) {
		if !slices.Contains(hubNouns, strings.ToLower(w)) {
			terms = append(terms, w)
		}
	}
	if len(terms) == 0 {
		terms = words(rest)
	}
	query := strings.Join(terms, " ")
	if len([]rune(query)) > maxGitHubChars {
		query = string([]rune(query)[:maxGitHubChars])
	}
	return strings.TrimSpace(query + " " + strings.Join(kept, " "))
}

var gitHubItems = records{
	of:    "items",
	paths: paths{List: "items", URL: "html_url"},
	more: func(r gjson.Result, e *Result) {
		switch file, repository := text(r, "path"), text(r, "full_name"); {
		case file != "":
			e.Title, e.SourceType = text(r, "repository.full_name")+": "+file, sourceTypes["software"]
			e.Snippet = text(r, "repository.description")
		case repository != "":
			e.Title, e.SourceType, e.PublishedAt = repository, sourceTypes["software"], text(r, "pushed_at")
			e.Authors = texts(r, "owner.login")
			e.Snippet = joinMessages([]string{plainText(text(r, "description")), text(r, "language"), fmt.Sprintf("%d stars", r.Get("stargazers_count").Int()), strings.Join(texts(r, "topics"), ", ")})
		default:
			e.Title, e.SourceType, e.PublishedAt = text(r, "title"), "practitioner", text(r, "created_at")
			e.Authors = texts(r, "user.login")
			e.Snippet = joinMessages([]string{text(r, "state"), fmt.Sprintf("%d comments", r.Get("comments").Int()), plainText(text(r, "body"))})
		}
	},
}

func parseGitHub(body []byte) ([]Result, error) {
	found, err := gitHubItems.read(body)
	if err == nil && gjson.GetBytes(body, "incomplete_results").Bool() {
		err = failure(StatusDegraded, "it timed out; the results are incomplete")
	}
	return found, err
}

// explainGitHub recognises the secondary limit, which is 403 with or without a Retry-After.
var explainGitHub = explains(
	errorRule{http.StatusForbidden, "rate limit", StatusRateLimited},
	errorRule{http.StatusForbidden, "abuse detection", StatusRateLimited})
