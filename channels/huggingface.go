package channels

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// huggingFace searches the names of models, or of datasets, on the Hub (https://huggingface.co/docs/hub/api). One
// question is one request: a query that speaks of data asks for datasets, any other for models.
var huggingFace = channel{
	Description: Description{
		Name:          "huggingface",
		Description:   "Hugging Face Hub: machine learning models by name, or datasets where the query says dataset, corpus or benchmark.",
		GoodFor:       []string{"models and their makers", "datasets for machine learning", "how much a model is used"},
		For:           []Kind{KindData, KindComputing},
		SourceTypes:   []string{"primary"},
		KeyFrom:       "optional: https://huggingface.co/settings/tokens",
		RatePerSecond: 1, // it answers a policy of 1000 in 5 minutes to anonymous callers; chosen low
		Parallel:      1,
		Tested:        "recorded look-ups of the service, and its documented format",
	},
	url:    "https://huggingface.co/api",
	search: searchHuggingFace,
}

// hubWords say where to look, and are in no name.
var hubWords = []string{"dataset", "datasets", "corpus", "corpora", "benchmark", "benchmarks", "data", "model", "models", "huggingface", "hugging", "face", "hub"}

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
	req := request{params: params, path: []string{kind}}
	if c.key != "" {
		req.header = http.Header{"Authorization": {"Bearer " + c.key}}
	}
	return ask(ctx, c, req, func(body []byte) ([]Result, error) { return parseHuggingFace(body, kind) })
}

type hubRecord struct {
	Inner       string   `json:"_id"`
	ID          string   `json:"id"` // owner/name; the oldest models have no owner
	Author      string   `json:"author"`
	Task        string   `json:"pipeline_tag"`
	Library     string   `json:"library_name"`
	Description string   `json:"description"` // of datasets
	Downloads   int      `json:"downloads"`
	Likes       int      `json:"likes"`
	Created     string   `json:"createdAt"`
	Modified    string   `json:"lastModified"`
	Tags        []string `json:"tags"`
}

// parseHuggingFace reads a list, or the one record of a name.
func parseHuggingFace(body []byte, kind string) ([]Result, error) {
	records, err := decodeJSON[[]json.RawMessage](body)
	if err != nil || records == nil {
		one, err := decodeJSON[struct {
			Inner string `json:"_id"`
			Error string `json:"error"`
		}](body)
		switch {
		case err != nil:
			return nil, err
		case one.Error != "":
			return nil, sourceSays(one.Error)
		case one.Inner == "":
			return nil, failure(StatusMalformed, "the answer has no list of %s", kind)
		}
		records = []json.RawMessage{body}
	}
	var found []Result
	for _, r := range each[hubRecord](records) {
		found = append(found, r.result(kind))
	}
	return found, nil
}

func (r hubRecord) result(kind string) Result {
	e := Result{Evidence: loopstate.Evidence{Title: r.ID, PublishedAt: r.Created, SourceType: sourceTypes["software"]}}
	if kind == "datasets" {
		e.SourceType = sourceTypes["dataset"]
	}
	e.PublishedAt = cmp.Or(e.PublishedAt, r.Modified)
	if r.ID != "" {
		path := "/"
		if kind == "datasets" {
			path = "/datasets/"
		}
		e.URL = (&url.URL{Scheme: "https", Host: "huggingface.co", Path: path + r.ID}).String()
	}
	author := r.Author
	if owner, _, ok := strings.Cut(r.ID, "/"); ok && author == "" {
		author = owner
	}
	e.Authors = distinct(author)
	var papers, licence string
	for _, tag := range r.Tags {
		if id, ok := strings.CutPrefix(tag, "arxiv:"); ok { // papers about it: other documents
			papers += " arXiv " + id
		}
		if name, ok := strings.CutPrefix(tag, "license:"); ok {
			licence = "licence " + name
		}
	}
	if papers != "" {
		papers = "papers:" + papers
	}
	e.Snippet = joinSaid([]string{plainText(r.Description), r.Task, r.Library, licence, papers, fmt.Sprintf("%d downloads a month, %d likes", r.Downloads, r.Likes)})
	return e
}
