package web

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"

	"github.com/dustin/go-humanize"

	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/review"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

//go:embed templates/*.gohtml
var templateFiles embed.FS

//go:embed static
var staticFiles embed.FS

var pages = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"plain": plain, "short": sanitize.Short, "link": sanitize.Link, "count": count, "when": report.Minute, "number": comma,
		"action": actionWords, "flag": flagWords,
	}).ParseFS(templateFiles, "templates/*.gohtml"))
})

// frame has what every page shows around its content.
type frame struct {
	Title   string
	Owner   string // empty without a session
	Token   bool   // the session began with a token
	Form    string
	Write   bool
	Release string // of citeloop
	Base    string // path of the loop, on a page about one
	Query   string // its question
	Below   bool   // the page is below that of the loop
}

func (p *Page) frame(title string, v *session) frame {
	f := frame{Title: title, Release: p.Version}
	if v != nil {
		f.Owner, f.Token, f.Form, f.Write = v.owner, v.token != "", v.form, !p.ReadOnly
	}
	return f
}

// render writes a complete page, or an error.
func (p *Page) render(w http.ResponseWriter, r *http.Request, status int, name string, view any) {
	var b bytes.Buffer
	if err := pages().ExecuteTemplate(&b, name, view); err != nil {
		p.Logger.ErrorContext(r.Context(), "rendering a page failed", "page", name, "error", err)
		http.Error(w, "this page cannot be shown; see the server log", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// static serves the scripts and the style sheet, which are public.
func (p *Page) static(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	data, err := fs.ReadFile(staticFiles, "static/"+path.Base(name))
	switch {
	case name == "review.js":
		data = []byte(review.Script())
	case name == "panel.js":
		data = []byte(report.PanelScript())
	case err != nil:
		http.NotFound(w, r)
		return
	case name == "page.css": // the colours, the marks of sentences and the panel are the report's
		data = []byte(report.PanelStyle() + string(data) + review.Style())
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	w.Header().Set("Cache-Control", "max-age=300")
	_, _ = w.Write(data)
}

type refusal struct {
	frame
	Message string
}

func (p *Page) refused(w http.ResponseWriter, r *http.Request, v *session, status int, why string) {
	title := "Not possible"
	if status == http.StatusNotFound {
		title = "Not found"
	}
	p.render(w, r, status, "refusal", refusal{p.frame(title, v), why})
}

// failed responds to an error of a use case.
func (p *Page) failed(w http.ResponseWriter, r *http.Request, v *session, err error) {
	status, why := p.problem(r.Context(), err)
	p.refused(w, r, v, status, why)
}

// problem returns the status and message of an error. Visitors see what they can correct; the rest is logged.
func (p *Page) problem(ctx context.Context, err error) (status int, why string) {
	var form *formError
	var refused *loopstate.Error
	switch {
	case loopstate.Has(err, loopstate.CodeUnknownLoop, loopstate.CodeUnreadSource):
		return http.StatusNotFound, "Page not found."
	case errors.As(err, &form):
		return http.StatusUnprocessableEntity, report.AsSentence(form.problem) + " " + report.AsSentence(form.remedy)
	case errors.As(err, &refused):
		return http.StatusUnprocessableEntity, report.AsSentence(wording.Problem(refused)) + " " + report.AsSentence(remedyOf(refused))
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		return http.StatusGatewayTimeout, "The request timed out. Try again later."
	}
	p.Logger.ErrorContext(ctx, "a request of the page failed", "error", err)
	return http.StatusInternalServerError, "Internal error; see the server log."
}

// formError says what is wrong with a form and what to do.
type formError struct{ problem, remedy string }

func (e *formError) Error() string { return e.problem + "; " + e.remedy }

// remedyOf says what a visitor can do about an error, where that differs from what a tool's caller can do.
func remedyOf(e *loopstate.Error) string {
	switch e.Code {
	case loopstate.CodeMissing, loopstate.CodeEmpty:
		return "fill it in"
	case loopstate.CodeAborted:
		return "start a new loop"
	case loopstate.CodeUnknownBatch, loopstate.CodeReaderFailed:
		return "open the loop's review again"
	case loopstate.CodeNothingToRead, loopstate.CodeNothingToSay:
		return "check a draft first"
	}
	return wording.Remedy(e)
}

// longest bounds one untrusted text on the page: a query, a gap, a claim or a reason (chosen). The tools accept 10,000
// characters, and a page may show a thousand such texts.
const longest = 1_000

// plain returns untrusted text for one line.
func plain(s string) string { return sanitize.Short(s, longest) }

// comma formats 1234567 as 1,234,567.
func comma(n int) string { return humanize.Comma(int64(n)) }

// count formats a count with its noun: "1 source", "1,200 sources".
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return comma(n) + " " + many
}

// actionWords returns the words for a next action.
func actionWords(action string) string {
	words := map[string]string{loopstate.SearchMore: "Continue searching", loopstate.FetchMore: "Read what was found",
		loopstate.Finalize: "Write the result", loopstate.EscalateBudget: "Your approval is required", loopstate.Abort: "Stopped"}
	if w, ok := words[action]; ok {
		return w
	}
	return sanitize.Short(action, 40)
}

// flagWords formats a flag of a source, "retracted: 2021-03-04".
func flagWords(flag string) string { return strings.ReplaceAll(sanitize.Short(flag, 200), "_", " ") }
