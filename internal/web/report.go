package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"slices"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// reportLink is the link to a report in one format.
type reportLink struct{ Name, Href string }

// reportLinks returns the links to the formats that the loop has something for, HTML first.
func reportLinks(base string, detail loops.LoopDetail) []reportLink {
	names := map[string]string{report.HTML: "Open the report", report.Markdown: "Markdown", report.FullMarkdown: "Markdown with receipts", report.BibTeX: "BibTeX", report.CSLJSON: "CSL-JSON", report.RIS: "RIS", report.JSON: "JSON with receipts",
		report.Table: "Evidence table", report.CSV: "Evidence table as CSV"}
	out := []reportLink{{names[report.HTML], base + "/report"}}
	for _, format := range report.Formats() {
		if idle := report.Needs(format) != "" && len(detail.Claims) == 0; format != report.HTML && !idle {
			out = append(out, reportLink{names[format], base + "/report?format=" + url.QueryEscape(format)})
		}
	}
	return out
}

// reportRefused explains why there is no report.
type reportRefused struct {
	loopFrame
	Nothing bool // there are no claims yet
	Failed  *verify.Result
	Anyway  string // link to the report marked DRAFT
	Hollow  []sentenceView
}

// maxHollow bounds the failed sentences that are listed; the report marks all.
const maxHollow = 20

// report serves the report of the loop's text, or without one of its recorded claims.
func (p *Page) report(w http.ResponseWriter, r *http.Request, v *session) {
	q := r.URL.Query()
	p.writeReport(w, r, v, q.Get("format"), loops.ReportInput{Loop: r.PathValue("id"), AllowUnverified: q.Get("draft") == "1", Format: q.Get("format")})
}

// reportOfDraft serves the report of a pasted text. If the text fails the check, the report is marked DRAFT.
func (p *Page) reportOfDraft(w http.ResponseWriter, r *http.Request, v *session) {
	p.writeReport(w, r, v, r.PostFormValue("format"), loops.ReportInput{Loop: r.PathValue("id"), Draft: r.PostFormValue("draft"), AllowUnverified: true, Format: r.PostFormValue("format")})
}

func (p *Page) writeReport(w http.ResponseWriter, r *http.Request, v *session, format string, in loops.ReportInput) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	if format == "" {
		format = report.HTML
	}
	if !slices.Contains(report.Formats(), format) {
		p.refused(w, r, v, http.StatusUnprocessableEntity, said("Unknown report format."))
		return
	}
	doc, err := p.Loops.Report(ctx, in)
	var out bytes.Buffer
	if err == nil {
		err = report.Write(&out, format, doc)
	}
	if err != nil {
		p.noReport(w, r, v, format, err)
		return
	}
	h := w.Header()
	h.Set("Content-Type", report.ContentType(format))
	h.Set("Content-Security-Policy", reportPolicy)
	// A sandboxed page has its own origin, and browsers refuse to show it under an opener policy.
	h.Del("Cross-Origin-Opener-Policy")
	kind := "attachment"
	if format == report.HTML {
		kind = "inline"
		h.Set("Content-Security-Policy", report.Policy()+"; "+reportPolicy)
	}
	h.Set("Content-Disposition", mime.FormatMediaType(kind, map[string]string{"filename": "citeloop-" + doc.StateID + report.Extension(format)}))
	_, _ = w.Write(out.Bytes())
}

// reportPolicy sandboxes a report: it runs no script, sends no form and has no access to the session. Its links work.
const reportPolicy = "frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox"

// noReport explains why there is no report and what to do.
func (p *Page) noReport(w http.ResponseWriter, r *http.Request, v *session, format string, err error) {
	var failed *verify.UnverifiedError
	view := reportRefused{}
	switch {
	case errors.As(err, &failed):
		view.Failed = &failed.Result
	case loopstate.Has(err, loopstate.CodeNothingToSay) && r.Method == http.MethodGet:
		view.Nothing = true
	default:
		p.failed(w, r, v, err)
		return
	}
	var ok bool
	if _, view.loopFrame, ok = p.openLoop(w, r, v, said("No report yet")); !ok {
		return
	}
	if m := messages.For(view.Lang); view.Failed != nil {
		for _, s := range sentencesOf(m, *view.Failed) {
			if kind := s.Verdict.Status; (kind == loopstate.Unsupported || kind == style.Uncited || kind == loopstate.Inferred && s.Because != "") && len(view.Hollow) < maxHollow {
				view.Hollow = append(view.Hollow, s)
			}
		}
	}
	view.Anyway = fmt.Sprintf("%s/report?format=%s&draft=1", view.Base, url.QueryEscape(format))
	p.render(w, r, http.StatusUnprocessableEntity, "noreport", view)
}
