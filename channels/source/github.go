package source

import (
	"context"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
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

// gitHub searches repositories, issues or code (https://docs.github.com/en/rest/search/search). A query is one request;
// its words select one of the three.
type gitHub struct{ Recipe }

func (s gitHub) search(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
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
	return s.Ask(ctx, c, q, Code{Values: map[string]string{"kind": kind, "words": query}, Remark: func(answer gjson.Result) *channels.Failure {
		if answer.Get("incomplete_results").Bool() {
			return channels.Fail(channels.StatusDegraded, "it timed out; the results are incomplete")
		}
		return nil
	}})
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
