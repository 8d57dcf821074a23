package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/audit"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/references"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/tools/progress"
)

type auditIn struct {
	Bibliography string `json:"bibliography"`
}

type auditOut struct {
	Summary    string         `json:"summary"`
	References []referenceOut `json:"references,omitempty"`
	Problems   []string       `json:"problems,omitempty"` // parts that could not be read
	Next       string         `json:"next,omitempty"`
}

type referenceOut struct {
	Key         string          `json:"key,omitempty"` // or the number in the list
	Title       string          `json:"title,omitempty"`
	Status      audit.Status    `json:"status"`
	Because     string          `json:"because,omitempty"`
	Differences []differenceOut `json:"differences,omitempty"`
	URL         string          `json:"url,omitempty"`      // of the record
	Notice      *noticeOut      `json:"notice,omitempty"`   // of a retraction, a withdrawal or an expression of concern
	Searched    []searchedOut   `json:"searched,omitempty"` // if nothing was found
}

type differenceOut struct {
	Field    string `json:"field"`
	Listed   string `json:"listed,omitempty"`
	Recorded string `json:"recorded,omitempty"`
	From     string `json:"from,omitempty"` // the service
}

type noticeOut struct {
	Kind string `json:"kind"`
	Date string `json:"date,omitempty"`
	DOI  string `json:"doi,omitempty"`
}

type searchedOut struct {
	For string   `json:"for"`
	At  []string `json:"at"` // service: outcome
}

// Bounds of an audit. Crossref answers one request a second.
const (
	maxReferences     = 20
	auditTime         = CallTimeout - 4*time.Second
	maxAuditChars     = 15_000 // of the rows
	maxAuditValue     = 200    // of a field, in code points
	maxAuditProblems  = 10
	maxReferenceTitle = 120
)

func auditReferences(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "audit_references", func(ctx context.Context, in auditIn) (auditOut, error) {
		var list audit.List
		var err error
		if list.Entries, list.Problems, err = references.Parse(references.FormatIn(in.Bibliography), in.Bibliography); err != nil {
			return auditOut{}, &wording.Mistake{Argument: "bibliography", Problem: err.Error(),
				Remedy: "give BibTeX, RIS, CSL-JSON, or a text whose list is numbered or has a heading such as References; nothing " +
					"was sent"}
		}
		over := list.Entries[min(maxReferences, len(list.Entries)):]
		list.Entries = list.Entries[:len(list.Entries)-len(over)]
		r, err := audit.Run(ctx, audit.Config{Search: svc.Searcher, Channels: audit.Usable(svc.Channels()), Time: auditTime, Now: svc.Now,
			Progress: func(_, of int, e audit.Entry) {
				progress.Step(ctx, of, fmt.Sprintf("%s: %s", cutTo(e.Key, maxOwnDraftShown), e.Status))
			},
		}, []audit.List{list})
		if err != nil {
			return auditOut{}, err
		}
		return showAudit(r, over), nil
	})
}

// showAudit lists the entries that were looked up. over are those that were too many for the call.
func showAudit(r *audit.Result, over []references.Entry) auditOut {
	out := auditOut{Summary: r.Summary(), References: within(each(r.Entries, showReference), maxAuditChars)}
	left := each(slices.Concat(r.Entries[len(out.References):], r.Left), func(e audit.Entry) string { return e.Key })
	left = append(left, each(over, func(e references.Entry) string { return e.Key })...)
	if len(left) > 0 {
		out.Next = fmt.Sprintf("%d left, not looked up: %s; call again with these, %d at a time", len(left),
			sanitize.Short(strings.Join(left, ", "), maxAuditValue), maxReferences)
	}
	for _, p := range r.Problems[:min(len(r.Problems), maxAuditProblems)] {
		out.Problems = append(out.Problems, sanitize.Short(strings.TrimPrefix(p, ": "), maxAuditValue))
	}
	if more := len(r.Problems) - len(out.Problems); more > 0 {
		out.Problems = append(out.Problems, fmt.Sprintf("and %d more", more))
	}
	return out
}

func showReference(e audit.Entry) referenceOut {
	short := func(text string) string { return sanitize.Short(text, maxReferenceTitle) }
	out := referenceOut{Key: short(e.Key), Status: e.Status}
	if len(e.Records) > 0 {
		out.URL = sanitize.Link(e.Records[0].URL)
	}
	if e.Status == audit.Verified {
		if e.Title == "" { // of an identifier alone
			out.Title = short(e.Records[0].Title)
		}
		return out
	}
	out.Title, out.Because = short(e.Title), sanitize.Short(e.Because, maxAuditValue)
	out.Differences = each(e.Differences, func(d references.Difference) differenceOut {
		return differenceOut{d.Field, sanitize.Short(d.Listed, maxAuditValue), sanitize.Short(d.Recorded, maxAuditValue), d.From}
	})
	for _, r := range e.Records {
		if e.Status == audit.Retracted && r.Update != "" {
			out.Notice = &noticeOut{short(r.Update), short(r.Date), short(r.Notice)}
			break
		}
	}
	for _, a := range e.Asked {
		if e.Status != audit.NotFound && e.Status != audit.CouldNotLook {
			break
		}
		at := slices.IndexFunc(out.Searched, func(s searchedOut) bool { return s.For == short(a.For) })
		if at < 0 {
			at = len(out.Searched)
			out.Searched = append(out.Searched, searchedOut{For: short(a.For)})
		}
		out.Searched[at].At = append(out.Searched[at].At, fmt.Sprintf("%s: %s", a.Channel, a.Status))
	}
	return out
}
