// Package demo runs a research loop over MCP without a model and shows each step: a recorded model on built-in texts. It knows
// only the server's tools.
package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/citeloop/citeloop/internal/research"
)

// Config configures a run.
type Config struct {
	Out       io.Writer
	ReportDir string // where report.md and report.html are written
	Server    *research.Server
}

// Play drives a loop over the embedded collection, which is in a folder, as a recorded model did, with a recorded second reader.
// Every verdict in the transcript is computed while it runs.
func Play(ctx context.Context, cfg Config, collectionDir string) (Result, error) {
	rec, answers, by, err := loadRecording()
	if err != nil {
		return Result{}, err
	}
	p := &player{loop: loop{Config: cfg}, rec: rec, answers: answers, reader: by, dir: collectionDir, ids: map[string]string{},
		caught: map[string]bool{}}
	for _, step := range []func(context.Context) error{p.start, p.rounds, p.draft, p.review, p.balance, p.correct, p.report} {
		if err := step(ctx); err != nil {
			return p.result, err
		}
	}
	return p.result, nil
}

// Result is the result of a run.
type Result struct {
	StateID string
	HTML    string // path of the report
	Planted int    // deliberate mistakes
	Caught  int    // how many of them did not pass
}

// maxRounds is a safety limit; the loop's rules end it before.
const maxRounds = 8

// args are the arguments of a call.
type args = map[string]any

// The parts of the results that are read here.
type (
	decision struct {
		NextAction string `json:"next_action"`
		Rule       string
	}
	source struct {
		SourceID                   string `json:"source_id"`
		URL, Title, Status, Reason string
	}
	claim struct {
		Claim     string   `json:"claim"`
		SourceIDs []string `json:"source_ids"`
	}
	verification struct {
		Verdict      string
		Claims       []checked `json:"verified_claims"`
		Flags        []string
		Hallucinated []struct{ Claim, Citation, Why string } `json:"hallucinated_citations"`
		Uncited      []struct{ Text string }                 `json:"uncited_sentences"`
	}
	checked struct {
		Claim, Status, Because string
		Read                   bool
		Remarks                []remarkAt
	}
	remarkAt struct{ Claim, Lines, Text string }
)

// loop calls the tools of one loop.
type loop struct {
	Config
	state  string
	result Result
}

func (l *loop) say(format string, a ...any) { fmt.Fprintf(l.Out, format, a...) }

func (l *loop) start(ctx context.Context, question string) error {
	var out struct {
		StateID string `json:"state_id"`
	}
	_, err := l.Server.Call(ctx, "loop_init", args{"query": Title + question, "complexity": "simple", "budget": args{"rounds": maxRounds}},
		&out)
	l.state, l.result.StateID = out.StateID, out.StateID
	return err
}

// call calls a tool with the loop's id.
func (l *loop) call(ctx context.Context, tool string, in args, out any) error {
	in["state_id"] = l.state
	_, err := l.Server.Call(ctx, tool, in, out)
	return err
}

func (l *loop) update(ctx context.Context, in args) error {
	var out struct{ Version int }
	return l.call(ctx, "loop_update", in, &out)
}

// verify checks claims or a draft. An error result of the tool carries the verification too. No configured model reads.
func (l *loop) verify(ctx context.Context, in args, v *verification) error {
	in["all"], in["judge"] = true, "none"
	*v = verification{}
	err := l.call(ctx, "verify_citations", in, v)
	if failed, ok := errors.AsType[*research.ToolError](err); ok && json.Unmarshal(failed.Body, v) == nil && v.Verdict != "" {
		return nil
	}
	return err
}

// writeReports writes the text as Markdown and HTML.
func (l *loop) writeReports(ctx context.Context, text string) error {
	if err := os.MkdirAll(l.ReportDir, 0o755); err != nil {
		return fmt.Errorf("the report's folder: %w", err)
	}
	for _, as := range []struct{ format, file string }{{"markdown", "report.md"}, {"html", "report.html"}} {
		var out struct{ Report string }
		if err := l.call(ctx, "loop_report", args{"draft": text, "format": as.format, "inline": true}, &out); err != nil {
			return err
		}
		path, err := filepath.Abs(filepath.Join(l.ReportDir, as.file))
		if err == nil {
			err = os.WriteFile(path, []byte(out.Report), 0o644)
		}
		if err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
		l.result.HTML = path // the last one
	}
	return nil
}

func (v verification) count(is func(checked) bool) (n int) {
	for _, c := range v.Claims {
		if is(c) {
			n++
		}
	}
	return n
}

func supported(c checked) bool { return c.Status == "grounded" }

// unread reports whether a claim waits for a reader.
func unread(c checked) bool { return c.Status == "inferred" && !c.Read }

// errorOf returns why a sentence is an error, or "".
func (v verification) errorOf(sentence string) string {
	for _, h := range v.Hallucinated {
		if sameSentence(h.Claim, sentence) {
			return h.Citation + ": " + h.Why
		}
	}
	for _, u := range v.Uncited {
		if sameSentence(u.Text, sentence) {
			return "it cites no source"
		}
	}
	for _, c := range v.Claims {
		if sameSentence(c.Claim, sentence) && c.Status == "unsupported" {
			return c.Because
		}
	}
	return ""
}

// summary counts the verdicts in words.
func (v verification) summary() string {
	good, open := v.count(supported), v.count(unread)
	return fmt.Sprintf("%d sentences: %d supported, %d not supported, %d not read yet", len(v.Claims), good, len(v.Claims)-good-open, open)
}

// String says the remark.
func (r remarkAt) String() string {
	switch {
	case r.Claim == "":
		return fmt.Sprintf("%s has %q", r.Lines, r.Text)
	case r.Text == "":
		return fmt.Sprintf("%s has no %q", r.Lines, r.Claim)
	}
	return fmt.Sprintf("%q, where %s has %q", r.Claim, r.Lines, r.Text)
}

var marks = regexp.MustCompile(`\s*\[[^\]]*\]`)

// sameSentence compares two sentences without citation marks and the full stop.
func sameSentence(a, b string) bool {
	plain := func(s string) string { return strings.TrimRight(strings.TrimSpace(marks.ReplaceAllString(s, "")), ".") }
	return plain(a) == plain(b)
}
