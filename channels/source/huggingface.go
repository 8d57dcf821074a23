package source

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/channels/recipe"
	"github.com/tidwall/gjson"
)

// hubWords say where to search and are not part of names. The first seven select datasets.
var hubWords = []string{"dataset", "datasets", "corpus", "corpora", "benchmark", "benchmarks", "data", "model", "models", "huggingface", "hugging", "face", "hub"}

// searchHuggingFace searches the names of models or datasets on the Hub (https://huggingface.co/docs/hub/api). A query is one
// request: for datasets if it mentions data, otherwise for models.
func searchHuggingFace(ctx context.Context, c *channels.Client, q channels.Query) ([]channels.Result, error) {
	kind := "models"
	var about []string
	for _, w := range normal.Keywords(q.Text) {
		low := strings.ToLower(w)
		if i := slices.Index(hubWords, low); i < 0 {
			about = append(about, w)
		} else if i < 7 {
			kind = "datasets"
		}
	}
	if len(about) == 0 {
		about = normal.Words(q.Text)
	}
	params := url.Values{"search": {strings.Join(about, " ")}, "limit": {strconv.Itoa(q.Limit)}, "full": {"true"}}
	req := channels.Request{Params: params, Path: []string{kind}, Header: c.KeyIn("Authorization", "Bearer ")}
	return channels.Ask(ctx, c, req, func(body []byte) ([]channels.Result, error) { return parseHuggingFace(body, kind) })
}

// parseHuggingFace reads a list, or a single record.
func parseHuggingFace(body []byte, kind string) ([]channels.Result, error) {
	return recipe.Records{
		Of:    kind,
		Paths: recipe.Paths{Title: "id"}, // owner/name; the oldest models have no owner
		One:   recipe.RecordAt("@this", "_id"),
		More:  func(r gjson.Result, e *channels.Result) { hubRecord(r, e, kind) },
	}.Read(body)
}

func hubRecord(r gjson.Result, e *channels.Result, kind string) {
	path := "/"
	e.SourceType = normal.CrossrefTypes["software"]
	if kind == "datasets" {
		path, e.SourceType = "/datasets/", normal.CrossrefTypes["dataset"]
	}
	e.PublishedAt = normal.First(r, "createdAt", "lastModified")
	if e.Title != "" {
		e.URL = (&url.URL{Scheme: "https", Host: "huggingface.co", Path: path + e.Title}).String()
	}
	owner, _, owned := strings.Cut(e.Title, "/")
	if !owned {
		owner = ""
	}
	e.Authors = normal.Distinct(cmp.Or(normal.Text(r, "author"), owner))
	var papers, licence string
	for _, tag := range normal.Texts(r, "tags") {
		if id, ok := strings.CutPrefix(tag, "arxiv:"); ok { // papers about it: other documents
			papers += " arXiv " + id
		}
		if name, ok := strings.CutPrefix(tag, "license:"); ok {
			licence = "licence " + name
		}
	}
	used := fmt.Sprintf("%d downloads a month, %d likes", r.Get("downloads").Int(), r.Get("likes").Int())
	e.Snippet = normal.Join(normal.Plain(normal.Text(r, "description")), normal.Text(r, "pipeline_tag"), normal.Text(r, "library_name"), licence, channels.Around("papers:", papers, ""), used)
}
