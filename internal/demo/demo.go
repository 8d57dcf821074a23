// Package demo plays a research loop over MCP without a model and shows each step: a recorded model on built-in texts. It
// knows only the server's tools.
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
	Collection string // the folder with the texts of [WriteCollection]
	Out        io.Writer
	ReportDir  string // where report.md and report.html are written
	Server     *research.Server
}

// Result is the result of a run.
type Result struct {
	StateID string
	HTML    string // path of the report
	Planted int    // false sentences
	Caught  int    // how many of them did not pass
}

// Play drives a loop over the embedded collection as a recorded model did, with a recorded second reader. Every
// verdict in the transcript is computed while it runs.
func Play(ctx context.Context, cfg Config) (Result, error) {
	rec, answers, by, err := loadRecording()
	if err != nil {
		return Result{}, err
	}
	p := &player{Config: cfg, rec: rec, answers: answers, reader: by, ids: map[string]string{}, caught: map[string]bool{}}
	for _, step := range []func(context.Context) error{p.start, p.rounds, p.draft, p.review, p.balance, p.correct, p.report} {
		if err := step(ctx); err != nil {
			return p.result, err
		}
	}
	return p.result, nil
}

// args are the arguments of a call.
type args = map[string]any

// The parts of the results that are read here.
type (
	claim struct {
		Claim     string   `json:"claim"`
		SourceIDs []string `json:"source_ids"`
	}
	verification struct {
		Verdict      string
		Claims       []checked                               `json:"verified_claims"`
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

// player is one run of the recording.
type player struct {
	Config
	rec     recording
	answers map[string]answer
	reader  string // who gave them
	state   string // the loop
	result  Result
	ids     map[string]string // source ids by file
	caught  map[string]bool   // planted sentences that were caught
	remarks map[string]int    // remarks on sentences that are not planted
	told    bool              // who answers the test items
	refused int               // true sentences that the reader did not find
	final   []string          // the draft's lines after correction
}

func (p *player) say(format string, a ...any) { fmt.Fprintf(p.Out, format, a...) }

// call calls a tool with the loop's id.
func (p *player) call(ctx context.Context, tool string, in args, out any) error {
	in["state_id"] = p.state
	return p.Server.Call(ctx, tool, in, out)
}

func (p *player) update(ctx context.Context, in args) error {
	var out struct{ Version int }
	return p.call(ctx, "loop_update", in, &out)
}

// verify checks claims or a draft. An error result of the tool carries the verification too. A configured model reads only where
// the user says so.
func (p *player) verify(ctx context.Context, in args, v *verification) error {
	in["all"] = true
	in["judge"] = "none"
	*v = verification{}
	err := p.call(ctx, "verify_citations", in, v)
	if failed, ok := errors.AsType[*research.ToolError](err); ok && json.Unmarshal(failed.Body, v) == nil && v.Verdict != "" {
		return nil
	}
	return err
}

// writeReports writes the text as Markdown and HTML.
func (p *player) writeReports(ctx context.Context, text string) error {
	if err := os.MkdirAll(p.ReportDir, 0o755); err != nil {
		return fmt.Errorf("the report's folder: %w", err)
	}
	for _, as := range []struct{ format, file string }{{"markdown", "report.md"}, {"html", "report.html"}} {
		var out struct{ Report string }
		if err := p.call(ctx, "loop_report", args{"draft": text, "format": as.format, "inline": true}, &out); err != nil {
			return err
		}
		path, err := filepath.Abs(filepath.Join(p.ReportDir, as.file))
		if err == nil {
			err = os.WriteFile(path, []byte(out.Report), 0o644)
		}
		if err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
		p.result.HTML = path // the last one
		p.say("  report   %s\n", path)
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
	said := fmt.Sprintf("%d sentences: %d supported, %d not supported, %d not read yet", len(v.Claims), good, len(v.Claims)-good-open, open)
	if n := v.count(func(c checked) bool { return !c.Read && len(c.Remarks) > 0 }); n > 0 {
		said += fmt.Sprintf(" (%d with a remark)", n)
	}
	return said
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
