package hookrun

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/citeloop/citeloop/internal/folder"
	"github.com/citeloop/citeloop/internal/hooks"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/verdict"
	"github.com/citeloop/citeloop/loopstate"
)

// checkLast checks the final text of a model, if it cites. Its errors go to the model once; else the user gets one line.
func (h hook) checkLast(ctx context.Context) (hooks.Answer, error) {
	text := h.Event.Last
	v, cites, err := h.CheckAnswer(ctx, h.loop, text, pageTime)
	if err != nil || !cites {
		return hooks.Answer{}, err
	}
	errs := v.Errors()
	if len(errs) > 0 && h.Session.GoOn(loopstate.HashText([]byte(text)).String(), h.Event.Active) {
		return hooks.Answer{GoOn: h.Session.Tell(list("your last message", "give the whole message again", errs))}, nil
	}
	if len(errs) == 0 {
		h.Session.Done()
	}
	path, err := h.reportPath(ctx, text)
	return hooks.Answer{User: line(v, path)}, err
}

// maxReportBytes bounds a report that is checked.
const maxReportBytes = 4 * loops.MaxDraftChars

// checkWritten checks a report that the client's own tool wrote into a file, if it cites.
func (h hook) checkWritten(ctx context.Context, path string) (hooks.Answer, error) {
	real, ok := h.mayRecord(path)
	if !ok || runtime.GOOS != "windows" && !filepath.IsAbs(path) {
		return hooks.Answer{}, nil
	}
	text, err := readFile(real, maxReportBytes)
	if err != nil { // removed meanwhile
		return hooks.Answer{}, nil
	}
	v, cites, err := h.CheckAnswer(ctx, h.loop, text, pageTime)
	if err != nil || !cites {
		return hooks.Answer{}, err
	}
	if errs := v.Errors(); len(errs) > 0 {
		if !h.Session.Correct(path) {
			return hooks.Answer{}, nil // Stop has the last word
		}
		return hooks.Answer{Model: h.Session.Tell(list(filepath.Base(path), "write it again", errs))}, nil
	}
	if !h.Session.Passed(loopstate.HashText([]byte(path + "\n" + text)).String()) {
		return hooks.Answer{}, nil
	}
	return hooks.Answer{User: line(v, path)}, nil
}

// maxErrorChars bounds one error of a list, in code points.
const maxErrorChars = 200

// list tells the model the errors of a text and what to do, in at most hooks.MaxList code points.
func list(text, then string, errs []verdict.Blocked) string {
	const end = "\nA sentence needs a citation of lines such as [S1:120], a correction, or [inference] behind it if it is your own reasoning. Keep your other words."
	out := fmt.Sprintf("citeloop checked %s against the texts of this loop. Correct these, then %s:", text, then)
	left := hooks.MaxList - len([]rune(out)) - len([]rune(end)) - len("\n- and 9999 more")
	for i, e := range errs {
		item := []rune(strings.Join(strings.Fields(e.String()), " "))
		item = item[:min(len(item), maxErrorChars)]
		if left -= len("\n- ") + len(item); left < 0 {
			return out + fmt.Sprintf("\n- and %d more", len(errs)-i) + end
		}
		out += "\n- " + string(item)
	}
	return out + end
}

// line is what the user gets: the verdict with its reasons, and where the report is.
func line(v verdict.Verification, path string) string {
	out := "citeloop: " + v.Cause()
	if path != "" {
		out += ". Report: " + path
	}
	return out
}

// reportPath returns the path of the loop's report. If none was made, it writes the report of this text into the loop's
// folder. It is empty for a loop without a folder.
func (h hook) reportPath(ctx context.Context, text string) (string, error) {
	dir, err := h.Folder(ctx, h.loop)
	if err != nil || dir == "" {
		return "", err
	}
	made, err := h.Delivered(ctx, h.loop)
	if err != nil {
		return "", err
	}
	if made != "" && made != text {
		for _, extension := range []string{".md", ".html"} {
			path := filepath.Join(dir, folder.ReportName+extension)
			if _, err := os.Stat(path); err == nil {
				return path, nil
			}
		}
		return dir, nil
	}
	d, err := h.Report(ctx, loops.ReportInput{Loop: h.loop, Draft: text, AllowUnverified: true})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if err := report.Write(&out, report.Markdown, d); err != nil {
		return "", err
	}
	return h.ShowReport(ctx, h.loop, report.Markdown, out.String()), nil
}
