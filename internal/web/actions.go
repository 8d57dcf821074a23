package web

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// The forms of a loop run the same use cases as the tools and write the same log entries. A successful form redirects to
// the loop; a rejected one is shown again with its error.

// act runs the action of a form; its error is shown to the sender.
type act func(ctx context.Context, loop string, r *http.Request) error

// rejected is a rejected form with its error and values.
type rejected struct {
	Act     string
	Problem message
	Values  map[string]string
	Partly  bool // a part was done
}

// Value returns what was entered into a field of a form.
func (t rejected) Value(act, field string) string {
	if t.Act != act {
		return ""
	}
	return t.Values[field]
}

func (p *Page) acts() map[string]act {
	return map[string]act{"gap": p.addGap, "close-gap": p.closeGap, "bad-source": p.badSource, "paste": p.paste, "rounds": p.confirmRounds, "stop": p.stop}
}

// doneWords are the confirmations after the forms.
var doneWords = map[string]message{
	"gap":        said("The gap was added. The next search will take it into account."),
	"close-gap":  said("The gap was closed with your reason."),
	"bad-source": said("The source was marked as bad."),
	"paste":      said("The text was stored as a source and can be cited."),
	"rounds":     said("The rounds were confirmed."),
	"stop":       said("The loop was stopped. It can still be viewed."),
	"files":      said("The files were stored as sources and can be cited."),
	"start":      said("The loop was started. Nobody works on it yet."),
}

// acting returns the handler of a form.
func (p *Page) acting(name string, do act) visit {
	return func(w http.ResponseWriter, r *http.Request, v *session) {
		ctx, cancel := context.WithTimeout(r.Context(), callTimeout)
		defer cancel()
		loop := r.PathValue("id")
		err := do(ctx, loop, r)
		if err == nil {
			http.Redirect(w, r, Root+"loops/"+loop+"?done="+name+"#done", http.StatusSeeOther) // the loop was found, so its id is a UUID
			return
		}
		status, problem := p.problem(ctx, err)
		if status == http.StatusNotFound {
			p.notFound(w, r, v)
			return
		}
		t := rejected{Act: name, Problem: problem, Values: map[string]string{}}
		if form := (*formError)(nil); errors.As(err, &form) {
			t.Partly = form.partly
		}
		for field := range r.PostForm {
			if field != "form" {
				t.Values[field] = r.PostForm.Get(field)
			}
		}
		p.showLoop(w, r, v, status, t)
	}
}

func (p *Page) addGap(ctx context.Context, loop string, r *http.Request) error {
	added, err := p.Loops.AddGap(ctx, loop, "", loopstate.GapInput{Gap: r.PostFormValue("gap"), Importance: r.PostFormValue("importance")})
	if err == nil && added.DuplicateOf != "" {
		return &formError{problem: said("the loop has this gap already: %s", added.DuplicateOf), remedy: said("rephrase it if you mean something else")}
	}
	return err
}

func (p *Page) closeGap(ctx context.Context, loop string, r *http.Request) error {
	return p.update(ctx, loop, loopstate.UpdateInput{ClosedGaps: []loopstate.ClosedGap{{GapID: r.PostFormValue("gap"), Status: r.PostFormValue("status"), Why: r.PostFormValue("why")}}})
}

func (p *Page) badSource(ctx context.Context, loop string, r *http.Request) error {
	detail, err := p.Loops.Detail(ctx, loop, 0)
	if err != nil {
		return err
	}
	for _, src := range detail.Sources {
		if src.ID == r.PostFormValue("source") {
			if strings.TrimSpace(r.PostFormValue("why")) == "" {
				return &formError{problem: said("the reason is missing"), remedy: said("say in one sentence what is wrong with the source")}
			}
			return p.update(ctx, loop, loopstate.UpdateInput{BadURLs: []loopstate.BadURL{{URL: src.URL, Reason: r.PostFormValue("why")}}})
		}
	}
	return &formError{problem: said("unknown source"), remedy: said("choose one from the list")}
}

// paste stores a text as a source, which does not count as shown to the host.
func (p *Page) paste(ctx context.Context, loop string, r *http.Request) error {
	in := loops.ReadInput{Loop: loop, Text: r.PostFormValue("text"), Title: r.PostFormValue("title"), Show: func([]loops.PageOutcome) []loopstate.Spans { return nil }}
	if address := strings.TrimSpace(r.PostFormValue("url")); address != "" {
		if sanitize.Link(address) == "" {
			return &formError{problem: said("not an http or https address"), remedy: said("enter the address of the page, or leave the field empty")}
		}
		in.URLs = []string{address}
	}
	if strings.TrimSpace(in.Text) == "" {
		return &formError{problem: said("the text is empty"), remedy: said("paste the text of the page")}
	}
	out, err := p.Loops.Read(ctx, in)
	if err != nil {
		return err
	}
	for _, o := range out {
		if o.Status != fetch.StatusRead {
			return &formError{problem: verbatim(o.Reason), remedy: said("paste the whole text")}
		}
	}
	return nil
}

// maxFiles bounds the files of one form.
const maxFiles = loops.MaxURLs

// addFiles stores the text of files as sources, which do not count as shown to the assistant. Files after one that is not read are
// stored, too; the error names those that are not.
func (p *Page) addFiles(ctx context.Context, loop string, r *http.Request) error {
	if r.MultipartForm == nil || len(r.MultipartForm.File["files"]) == 0 {
		return &formError{problem: said("no file was chosen"), remedy: said("choose or drop one")}
	}
	files := r.MultipartForm.File["files"]
	if len(files) > maxFiles {
		return &formError{problem: said("%d files are too many", len(files)), remedy: said("send at most %d at a time", maxFiles)}
	}
	var unread []string
	for _, header := range files {
		in, err := header.Open()
		if err != nil {
			return err
		}
		body, err := io.ReadAll(in) // within maxFilesBytes
		in.Close()
		if err != nil {
			return err
		}
		name := short(pointed, header.Filename)
		out, err := p.Loops.ReadSent(ctx, loop, name, body)
		if err != nil {
			return err
		}
		if out.Status != fetch.StatusRead {
			unread = append(unread, name+" ("+out.Reason+")")
		}
	}
	switch problem := said("not read: %s", strings.Join(unread, "; ")); {
	case len(unread) == len(files):
		return &formError{problem: problem, remedy: said("send text, PDF, DOCX, HTML or Markdown")}
	case len(unread) > 0:
		return &formError{problem: problem, remedy: said("the other files were stored"), partly: true}
	}
	return nil
}

func (p *Page) confirmRounds(ctx context.Context, loop string, r *http.Request) error {
	n, err := strconv.Atoi(strings.TrimSpace(r.PostFormValue("rounds")))
	if err != nil || n < 1 {
		return &formError{problem: said("invalid number of rounds: %q", short(20, r.PostFormValue("rounds"))), remedy: said("enter the total number of rounds that the loop may take")}
	}
	return p.update(ctx, loop, loopstate.UpdateInput{ConfirmRounds: n})
}

func (p *Page) stop(ctx context.Context, loop string, r *http.Request) error {
	why := strings.TrimSpace(r.PostFormValue("why"))
	if why == "" {
		return &formError{problem: said("the reason is missing"), remedy: said("say why the loop is stopped; it cannot be restarted")}
	}
	return p.update(ctx, loop, loopstate.UpdateInput{Abort: why})
}

// update records one change. A rejected change is an error.
func (p *Page) update(ctx context.Context, loop string, in loopstate.UpdateInput) error {
	out, err := p.Loops.Update(ctx, loop, "", in)
	if err == nil && len(out.Rejected) > 0 {
		return &formError{problem: said("rejected: %s", out.Rejected[0].Why), remedy: said("reload the page")}
	}
	return err
}
