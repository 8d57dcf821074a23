package web

import (
	"bytes"
	"cmp"
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

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/report/markup"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/server/access"
)

//go:embed templates/*.gohtml
var templateFiles embed.FS

//go:embed static
var staticFiles embed.FS

// pages are the templates in each language of the interface, parsed for the first page.
var pages = sync.OnceValue(func() map[string]*template.Template {
	out := map[string]*template.Template{}
	for _, lang := range messages.Languages() {
		m := messages.For(lang)
		out[lang] = template.Must(template.New("").Funcs(template.FuncMap{
			"plain": plain, "lines": lines, "reason": func(s string) string { return messages.Reason(m, s) },
			"sentence": report.AsSentence, "whole": sanitize.Line, "short": short, "link": sanitize.Link,
			"when": style.FormatTime, "took": style.FormatDuration, "thousands": style.FormatNumber,
			"percent": percent, "dollars": style.FormatDollars, "code": code, "text": markup.Escaped,
			"join": func(names []string) string { return strings.Join(names, " ") }, "verdict": style.VerdictOf,
			"outcome": outcomeClass, "words": statusWords,
			"flag": func(flag string) string { return flagWords(m, flag) }, "action": actionWords, "t": m.T,
			"say":          func(text message) string { return text(m) },
			"count":        func(n int, one, many string) string { return m.Count(n, style.FormatNumber(n), one, many) },
			"carries":      func(r sourceRow) string { return carriesWords(m, r) },
			"outcomeWords": func(o loopstate.SearchOutcome) string { return outcomeWords(m, o) },
			"channel":      channelWords, "told": isTold, "kinds": kinds,
			"imported":  func(in loopstate.Import) string { return report.ImportWords(m, &in) },
			"assistant": func(loop string) string { return assistantWords(m, loop) },
		}).ParseFS(templateFiles, "templates/*.gohtml"))
	}
	return out
})

// frame has what every page shows around its content.
type frame struct {
	Title   string
	Owner   string // empty without a session
	Token   bool   // the session began with a token
	Form    string
	Write   bool
	Release string // of citeloop
	Lang    string // of the interface
	Reload  int    // seconds after which a page without scripts is loaded again; 0: never
}

// language returns the language of the interface.
func (f frame) language() string { return f.Lang }

// languageOf returns the language of the page of a loop: that of its question, else of its claims and
// gaps, else of the browser.
func languageOf(r *http.Request, p loops.LoopDetail) string {
	text := p.Query
	for _, c := range p.Claims[:min(len(p.Claims), pageSize)] {
		text += "\n" + short(longest, c.Claim)
	}
	for _, g := range p.Gaps[:min(len(p.Gaps), pageSize)] {
		text += "\n" + short(longest, g.Gap.Gap)
	}
	return cmp.Or(messages.LanguageOf(p.Query), messages.LanguageOf(text), browserLanguage(r))
}

func (p *Page) frame(lang string, title message, v *session) frame {
	m := messages.For(lang)
	f := frame{Title: title(m), Release: p.Version, Lang: m.Lang()}
	if v != nil {
		f.Owner, f.Token, f.Form, f.Write = v.owner, v.token != "", v.form, v.scopes&access.Write != 0
	}
	return f
}

// loopFrame is the frame of a page about one loop.
type loopFrame struct {
	frame
	Loop, Query string
	Base        string // path of the loop
}

// openLoop reads the loop of a request as it is now. If that fails, it answers the request and returns false.
func (p *Page) openLoop(w http.ResponseWriter, r *http.Request, v *session, title message) (loops.LoopDetail, loopFrame, bool) {
	ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
	defer cancel()
	detail, err := p.Loops.Detail(ctx, r.PathValue("id"), 0)
	if err != nil {
		p.failed(w, r, v, err)
		return detail, loopFrame{}, false
	}
	return detail, loopFrame{p.frame(languageOf(r, detail), title, v), detail.StateID, detail.Query, Root + "loops/" + detail.StateID}, true
}

// render writes a complete page, or an error.
func (p *Page) render(w http.ResponseWriter, r *http.Request, status int, name string, view interface{ language() string }) {
	var b bytes.Buffer
	if err := pages()[view.language()].ExecuteTemplate(&b, name, view); err != nil {
		p.Logger.ErrorContext(r.Context(), "rendering a page failed", "page", name, "error", err)
		http.Error(w, "this page cannot be shown; see the server log", http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// static serves the script and the style sheet, which are public.
func (p *Page) static(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	data, err := fs.ReadFile(staticFiles, "static/"+path.Base(name))
	if err != nil {
		http.NotFound(w, r)
		return
	}
	if name == "page.css" { // colours and drawings are the report's
		data = []byte(style.Page() + string(data))
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	w.Header().Set("Cache-Control", "max-age=300")
	_, _ = w.Write(data)
}

type refusal struct {
	frame
	Message message
}

// titles are the headings of refused requests by status.
var titles = map[int]message{
	http.StatusForbidden:             said("Not allowed"),
	http.StatusNotFound:              said("Not found"),
	http.StatusRequestEntityTooLarge: said("Too large"),
	http.StatusUnprocessableEntity:   said("Not possible"),
	http.StatusTooManyRequests:       said("Too many requests"),
	http.StatusServiceUnavailable:    said("Not available now"),
	http.StatusGatewayTimeout:        said("Timed out"),
}

func (p *Page) refused(w http.ResponseWriter, r *http.Request, v *session, status int, why message) {
	title, ok := titles[status]
	if !ok {
		title = said("Internal error")
	}
	p.render(w, r, status, "refusal", refusal{p.frame(browserLanguage(r), title, v), why})
}

func (p *Page) notFound(w http.ResponseWriter, r *http.Request, v *session) {
	p.refused(w, r, v, http.StatusNotFound, said("Page not found."))
}

// failed responds to an error of a use case. Visitors see what they can correct; the rest is logged.
func (p *Page) failed(w http.ResponseWriter, r *http.Request, v *session, err error) {
	status, why := p.problem(r.Context(), err)
	if status == http.StatusNotFound {
		p.notFound(w, r, v)
		return
	}
	p.refused(w, r, v, status, why)
}

// problem returns the status and message of an error for a visitor.
func (p *Page) problem(ctx context.Context, err error) (status int, why message) {
	var form *formError
	var refused *loopstate.Error
	switch {
	case loopstate.Has(err, loopstate.CodeUnknownLoop, loopstate.CodeUnreadSource):
		return http.StatusNotFound, nil
	case errors.As(err, &form):
		return http.StatusUnprocessableEntity, sentences(form.problem, form.remedy)
	case errors.As(err, &refused):
		return http.StatusUnprocessableEntity, sentences(problemOf(refused), remedyOf(refused))
	case errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout, said("The request timed out. Try again later.")
	case errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable, said("The request was cancelled.")
	}
	p.Logger.ErrorContext(ctx, "a request of the page failed", "error", err)
	return http.StatusInternalServerError, said("Internal error; see the server log.")
}

// formError says what is wrong with a form and what to do.
type formError struct {
	problem, remedy message
	partly          bool // a part was done
}

func (e *formError) Error() string {
	en := messages.Table{}
	return e.problem(en) + "; " + e.remedy(en)
}
