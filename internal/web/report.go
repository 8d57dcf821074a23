package web

import (
	"bytes"
	"context"
	"mime"
	"net/http"
	"net/url"
	"slices"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
)

// formatsOf links to the report in each format, HTML first.
func formatsOf(base string) []link {
	out := []link{{"Open the report", base + "/report"}}
	for _, name := range report.Formats() {
		if name != report.HTML {
			out = append(out, link{name, base + "/report?format=" + url.QueryEscape(name)})
		}
	}
	return out
}

// report serves the report of the loop's text, or without one of its recorded claims. One that fails its check is marked DRAFT.
func (p *Page) report(w http.ResponseWriter, r *http.Request, v *session) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	name := r.URL.Query().Get("format")
	if name == "" {
		name = report.HTML
	}
	if !slices.Contains(report.Formats(), name) {
		p.refused(w, r, v, http.StatusUnprocessableEntity, "Unknown report format.")
		return
	}
	doc, err := p.Loops.Report(ctx, loops.ReportInput{Loop: r.PathValue("id"), AllowUnverified: true})
	var out bytes.Buffer
	if err == nil {
		err = report.Write(&out, name, doc)
	}
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	// The report is a page of its own origin: it sends no form and has no access to the session. Browsers refuse to show such a
	// page under an opener policy.
	h, kind := w.Header(), "attachment"
	h.Del("Cross-Origin-Opener-Policy")
	h.Set("Content-Type", report.ContentType(name))
	h.Set("Content-Security-Policy", reportPolicy)
	if name == report.HTML {
		kind = "inline"
		h.Set("Content-Security-Policy", report.Policy()+"; "+reportPolicy)
	}
	h.Set("Content-Disposition", mime.FormatMediaType(kind,
		map[string]string{"filename": "citeloop-" + doc.StateID + report.Extension(name)}))
	_, _ = w.Write(out.Bytes())
}

const reportPolicy = "frame-ancestors 'none'; sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox"
