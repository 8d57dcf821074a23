package channels

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/channels/local"
	"github.com/citeloop/citeloop/extract"
	"github.com/citeloop/citeloop/loopstate"
)

// corpus searches the user's own folders. It reads the same files in the same way as fetch does, so that what
// it finds can be read and cited.
type corpus struct {
	index *local.Index // nil without folders
	err   error        // why there is no index
}

func newLocal(d *door) Channel {
	if len(d.cfg.Corpus) == 0 {
		return &corpus{}
	}
	index, err := local.New(local.Config{
		Folders:  d.cfg.Corpus,
		Reads:    func(name string) bool { return extract.IsText(extract.TypeByName(name)) },
		Extract:  readLocal,
		Now:      d.cfg.Now,
		Logger:   d.cfg.Logger,
		Progress: func(done, total int) { d.cfg.Progress(d.name, done, total) },
	})
	return &corpus{index: index, err: err}
}

func (c *corpus) Describe() Description {
	desc := Description{
		Name:        "local",
		Description: "The user's own folders: Markdown, text and HTML files, ranked by passage.",
		GoodFor:     []string{"the user's documents", "private or unpublished material", "work without a network"},
		For:         []Kind{KindPrivate},
		Configured:  c.index != nil,
		Plain:       true,
		Live:        true,
		Tested:      "the files themselves",
	}
	switch {
	case c.err != nil:
		desc.Missing = "the corpus folders cannot be found; name them with absolute paths"
	case c.index == nil:
		desc.Missing = "no folder to search; name one with --corpus DIR (repeatable)"
	}
	return desc
}

func (c *corpus) Search(ctx context.Context, q Query) ([]Result, error) {
	hits, report, err := c.index.Search(ctx, q.Text, q.Limit)
	if err != nil {
		return nil, &Failure{Status: StatusUnavailable, Message: "the folders could not be read in time; ask again", Cause: err, inconclusive: true}
	}
	found := make([]Result, len(hits))
	for i, h := range hits {
		found[i] = Result{Evidence: loopstate.Evidence{
			Title: h.Title, URL: local.FileURL(h.Path), Snippet: h.Passage,
			SourceType: h.SourceType, PublishedAt: h.PublishedAt, Authors: h.Authors, DOI: h.DOI, Language: h.Language,
		}}
	}
	return found, remarkOn(report)
}

// remarkOn says what an answer from the folders lacks; nil where it lacks nothing.
func remarkOn(r local.Report) error {
	status := StatusOK
	var remarks []string
	if len(r.Missing) > 0 {
		status = StatusDegraded
		if len(r.Missing) == r.Folders {
			status = StatusUnavailable
		}
		remarks = append(remarks, "not a readable folder: "+strings.Join(r.Missing, ", "))
	}
	if r.Pending > 0 {
		status = StatusDegraded
		remarks = append(remarks, fmt.Sprintf("%d files are not read yet; ask again for the rest", r.Pending))
	}
	if r.Overflow {
		status = StatusDegraded
		remarks = append(remarks, "more files than an index takes; the last folders are not searched whole")
	}
	if r.Unread > 0 {
		var named []string
		for _, p := range r.Problems[:min(len(r.Problems), 3)] {
			named = append(named, fmt.Sprintf("%s (%s)", filepath.Base(p.Path), p.Why))
		}
		more := ""
		if r.Unread > len(named) {
			more = ", …"
		}
		remarks = append(remarks, fmt.Sprintf("%d files not read: %s%s", r.Unread, strings.Join(named, ", "), more))
	}
	if remarks == nil {
		return nil
	}
	return &Failure{Status: status, Message: joinSaid(remarks), inconclusive: true}
}

func readLocal(path string, body []byte) (local.Document, error) {
	base, err := url.Parse(local.FileURL(path))
	if err != nil {
		return local.Document{}, err
	}
	doc, err := extract.Text(context.Background(), extract.TypeByName(path), body, base)
	return local.Document{
		Title: doc.Title, Text: doc.Text, Language: doc.Language, PublishedAt: doc.PublishedAt,
		DOI: doc.DOI, SourceType: doc.SourceType, Authors: doc.Authors,
	}, err
}
