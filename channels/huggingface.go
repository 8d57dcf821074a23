package channels

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// hubWords say where to search and are not part of names. The first seven select datasets.
var hubWords = []string{"dataset", "datasets", "corpus", "corpora", "benchmark", "benchmarks", "data", "model", "models", "huggingface", "hugging", "face", "hub"}

// searchHuggingFace searches the names of models or datasets on the Hub (https://huggingface.co/docs/hub/api). A query is one
// request: for datasets if it mentions data, otherwise for models.
func searchHuggingFace(ctx context.Context, c *client, q Query) ([]Result, error) {
	kind := "models"
	var about []string
	for _, w := range keywords(q.Text) {
		low := strings.ToLower(w)
		if i := slices.Index(hubWords, low); i < 0 {
			about = append(about, w)
		} else if i < 7 {
			kind = "datasets"
		}
	}
	if len(about) == 0 {
		about = words(q.Text)
	}
	params := url.Values{"search": {strings.Join(about, " ")}, "limit": {strconv.Itoa(q.Limit)}, "full": {"true"}}
	req := request{params: params, path: []string{kind}, header: c.keyIn("Authorization", "Bearer ")}
	return ask(ctx, c, req, func(body []byte) ([]Result, error) { return parseHuggingFace(body, kind) })
}

// parseHuggingFace reads a list, or a single record.
func parseHuggingFace(body []byte, kind string) ([]Result, error) {
	return records{
		of:    kind,
		paths: paths{Title: "id"}, // owner/name; the oldest models have no owner
		one:   recordAt("@this", "_id"),
		more:  func(r gjson.Result, e *Result) { hubRecord(r, e, kind) },
	}.read(body)
}

func hubRecord(r gjson.Result, e *Result, kind string) {
	path := "/"
	e.SourceType = sourceTypes["software"]
	if kind == "datasets" {
		path, e.SourceType = "/datasets/", sourceTypes["dataset"]
	}
	e.PublishedAt = first(r, "createdAt", "lastModified")
	if e.Title != "" {
		e.URL = (&url.URL{Scheme: "https", Host: "huggingface.co", Path: path + e.Title}).String()
	}
	owner, _, owned := strings.Cut(e.Title, "/")
	if !owned {
		owner = ""
	}
	e.Authors = distinct(cmp.Or(text(r, "author"), owner))
	var papers, licence string
	for _, tag := range texts(r, "tags") {
		if id, ok := strings.CutPrefix(tag, "arxiv:"); ok { // papers about it: other documents
			papers += " arXiv " + id
		}
		if name, ok := strings.CutPrefix(tag, "license:"); ok {
			licence = "licence " + name
		}
	}
	used := fmt.Sprintf("%d downloads a month, %d likes", r.Get("downloads").Int(), r.Get("likes").Int())
	e.Snippet = joinMessages([]string{plainText(text(r, "description")), text(r, "pipeline_tag"), text(r, "library_name"), licence, around("papers:", papers, ""), used})
}
