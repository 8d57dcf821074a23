package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/local"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/fetch"
)

// folders are the user's own.
type folders struct{ corpus *local.Corpus }

// search searches the user's own folders. The index and fetch read files with the same code, so that every hit
// can be read and cited.
func (f folders) search(ctx context.Context, _ *channels.Client, q channels.Query) ([]channels.Result, error) {
	if q.List {
		return f.list(ctx, q)
	}
	hits, report, err := f.corpus.Search(ctx, q.Text, q.Limit)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) { // a deadline leaves a report without files
		return nil, notRead(err)
	}
	found := resultsOf(hits)
	if remark := remarkOn(report); remark != nil {
		return found, remark
	}
	return found, nil
}

func resultsOf(hits []local.Hit) []channels.Result {
	found := make([]channels.Result, len(hits))
	for i, h := range hits {
		found[i] = channels.Result{Evidence: channels.Evidence{Title: h.Title, URL: fetch.FileAddress(h.Path), Snippet: h.Passage,
			SourceType: h.SourceType, PublishedAt: h.PublishedAt, Authors: h.Authors, DOI: h.DOI, Language: h.Language},
			Lines: h.Lines, Section: h.Section}
		if best := hits[0].Score; best > 0 {
			found[i].Share = h.Score / best
		}
	}
	return found
}

func notRead(err error) *channels.Failure {
	return &channels.Failure{Status: channels.StatusUnavailable, Message: "the folders could not be read; search again", Cause: err,
		Inconclusive: true}
}

// remarkOn returns a remark that counts the files that are missing in an answer, or nil.
func remarkOn(r local.Report) *channels.Failure {
	status := channels.StatusOK
	var remarks []string
	if len(r.Missing) > 0 {
		status = channels.StatusDegraded
		if r.Empty() {
			status = channels.StatusUnavailable
		}
		remarks = append(remarks, "not a readable folder: "+strings.Join(r.Missing, ", "))
	}
	if r.Pending > 0 || !r.Looked { // better files may not be indexed yet
		status = channels.StatusDegraded
		remarks = append(remarks, indexedSoFar(r)+"; search again for the rest")
	}
	if r.Failed != nil {
		status = channels.StatusDegraded
		remarks = append(remarks, "the index cannot be updated; 'citeloop doctor' shows why")
	}
	if n := len(r.Unread); n > 0 {
		remarks = append(remarks, fmt.Sprintf("files not read: %d (%s)", n, r.Unreadable()))
	}
	if remarks == nil {
		return nil
	}
	return &channels.Failure{Status: status, Message: normal.Join(remarks...), Inconclusive: true}
}

func indexedSoFar(r local.Report) string {
	if r.Files == 0 {
		return "no files so far"
	}
	return fmt.Sprintf("%s of %s files indexed", humanize.Comma(int64(r.Files-r.Pending)), humanize.Comma(int64(r.Files)))
}

// list lists the documents of the user's own folders.
func (f folders) list(ctx context.Context, q channels.Query) ([]channels.Result, error) {
	l, report, err := f.corpus.List(ctx, q.Text, q.From, q.After, cmp.Or(q.Limit, channels.DefaultLimit))
	if err != nil {
		return nil, notRead(err)
	}
	found := resultsOf(l.Hits)
	remark := remarkOn(report)
	if remark == nil {
		remark = &channels.Failure{Status: channels.StatusOK, Inconclusive: true}
	}
	remark.Message = normal.Join(l.Words, remark.Message)
	remark.Total, remark.First = l.Total, l.First
	return found, remark
}
