package channels

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/citeloop/citeloop/channels/local"
)

// searchLocal searches the user's own folders. The index and fetch read files with the same code, so that every hit
// can be read and cited.
func searchLocal(ctx context.Context, c *client, q Query) ([]Result, error) {
	if q.List {
		return listLocal(ctx, c, q)
	}
	hits, report, err := c.cfg.Corpus.Search(ctx, q.Text, q.Limit, progressOf(ctx, "local"))
	if err != nil && !errors.Is(err, context.DeadlineExceeded) { // a deadline leaves a report without files
		return nil, notRead(err)
	}
	found := make([]Result, len(hits))
	for i, h := range hits {
		found[i] = Result{Evidence: Evidence{
			Title: h.Title, URL: local.FileURL(h.Path), Snippet: h.Passage,
			SourceType: h.SourceType, PublishedAt: h.PublishedAt, Authors: h.Authors, DOI: h.DOI, Language: h.Language,
		}}
		found[i].Lines, found[i].Section = h.Lines, h.Section
		if best := hits[0].Score; best > 0 {
			found[i].Share = h.Score / best
		}
	}
	if remark := remarkOn(report); remark != nil {
		return found, remark
	}
	return found, nil
}

func notRead(err error) *Failure {
	return &Failure{Status: StatusUnavailable, Message: "the folders could not be read; search again", Cause: err, inconclusive: true}
}

// announced is how many files a search reads before it says so, and announcedAfter how long it takes (chosen).
const (
	announced      = 20
	announcedAfter = time.Second
)

// remarkOn returns a remark that counts the files that were read for an answer, and those that are missing in it, or nil.
func remarkOn(r local.Report) *Failure {
	status, provisional := StatusOK, false
	var remarks []string
	if r.Read >= announced || r.Read > 0 && r.ReadTime >= announcedAfter {
		remarks = append(remarks, fmt.Sprintf("%s new or changed files were indexed first, in %.1f s", humanize.Comma(int64(r.Read)), r.ReadTime.Seconds()))
	}
	if len(r.Missing) > 0 {
		status = StatusDegraded
		if len(r.Missing) == r.Folders {
			status = StatusUnavailable
		}
		remarks = append(remarks, "not a readable folder: "+strings.Join(r.Missing, ", "))
	}
	switch {
	case len(r.Missing) == r.Folders:
	case !r.MostlyIndexed(): // better files may not be indexed yet
		status, provisional = StatusDegraded, true
		remarks = append(remarks, "the folders are being indexed: "+indexedSoFar(r)+"; hits so far are provisional and not kept; search again")
	case r.Pending > 0 || r.Unlooked > len(r.Missing):
		status = StatusDegraded
		remarks = append(remarks, indexedSoFar(r)+"; search again for the rest")
	}
	if r.Busy {
		status = StatusDegraded
		remarks = append(remarks, "another citeloop process is indexing these folders; this answer covers what it has finished")
	}
	for range r.Failed {
		status = StatusDegraded
		remarks = append(remarks, "the index cannot be updated; 'citeloop corpus index' shows why")
		break
	}
	if r.Overflow {
		status = StatusDegraded
		remarks = append(remarks, "more files than an index can hold; the last ones are not searched")
	}
	if r.Unread > 0 {
		var named []string
		for _, p := range r.Problems[:min(len(r.Problems), 3)] {
			named = append(named, filepath.Base(p.Path)+": "+p.Why)
		}
		more := ""
		if r.Unread > len(named) {
			more = ", …"
		}
		remarks = append(remarks, fmt.Sprintf("files not read: %d (%s%s)", r.Unread, strings.Join(named, ", "), more))
	}
	if remarks == nil {
		return nil
	}
	return &Failure{Status: status, Message: joinMessages(remarks), inconclusive: true, provisional: provisional}
}

func indexedSoFar(r local.Report) string {
	if r.Files == 0 {
		return "no files so far"
	}
	return fmt.Sprintf("%s of %s files indexed", humanize.Comma(int64(r.Files-r.Pending)), humanize.Comma(int64(r.Files)))
}

// listLocal lists the documents of the user's own folders.
func listLocal(ctx context.Context, c *client, q Query) ([]Result, error) {
	l, report, err := c.cfg.Corpus.List(ctx, q.Text, q.From, q.After, cmp.Or(q.Limit, DefaultLimit), progressOf(ctx, listedBy))
	if err != nil {
		return nil, notRead(err)
	}
	found := make([]Result, len(l.Entries))
	for i, e := range l.Entries {
		found[i] = Result{Evidence: Evidence{Title: e.Title, URL: local.FileURL(e.Path), Snippet: e.Head,
			SourceType: e.SourceType, PublishedAt: e.PublishedAt, Authors: e.Authors, DOI: e.DOI, Language: e.Language}}
	}
	remark := remarkOn(report)
	if remark == nil {
		remark = &Failure{Status: StatusOK, inconclusive: true}
	}
	remark.Message = joinMessages([]string{l.Words, remark.Message})
	remark.total, remark.first = l.Total, l.First
	return found, remark
}

// listedBy is the channel that can list its documents.
const listedBy = "local"
