package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/citeloop/citeloop/internal/research"
)

// args are the arguments of a call.
type args = map[string]any

// verification is the part of an answer of verify_citations that is read here.
type verification struct {
	Verdict string
	Claims  []struct {
		Claim, Status, Because string
		Read                   bool
		Remarks                []remarkAt
	} `json:"verified_claims"`
	Hallucinated []struct{ Claim, Citation, Why string } `json:"hallucinated_citations"`
	Uncited      []struct{ Text string }                 `json:"uncited_sentences"`
}

type remarkAt struct{ Claim, Lines, Text string }

// reviewBatch is an answer of review_claims.
type reviewBatch struct {
	Batch, Status string
	Items         []struct {
		Item, Claim string
		Passages    []string
	}
	Left     int
	Planted  *struct{ N, Caught int }
	Controls *struct{ N, Passed int }
	Changed  []struct{ Claim, To string }
}

// call calls a tool with the loop's id.
func (p *player) call(ctx context.Context, tool string, in args, out any) error {
	if p.result.StateID != "" {
		in["state_id"] = p.result.StateID
	}
	_, err := p.Server.Call(ctx, tool, in, out)
	return err
}

// verify checks claims or a draft. An error result of the tool carries the verification too. No configured model reads.
func (p *player) verify(ctx context.Context, what string, of any) (v verification, err error) {
	err = p.call(ctx, "verify_citations", args{what: of, "all": true, "judge": "none"}, &v)
	if failed, ok := errors.AsType[*research.ToolError](err); ok && json.Unmarshal(failed.Body, &v) == nil && v.Verdict != "" {
		err = nil
	}
	return v, err
}

// report writes the text as Markdown and HTML.
func (p *player) report(ctx context.Context) error {
	if err := os.MkdirAll(p.ReportDir, 0o755); err != nil {
		return fmt.Errorf("the report's folder: %w", err)
	}
	for _, as := range [][2]string{{"markdown", "report.md"}, {"html", "report.html"}} {
		var out struct{ Report string }
		if err := p.call(ctx, "loop_report", args{"draft": p.text(), "format": as[0], "inline": true}, &out); err != nil {
			return err
		}
		path, err := filepath.Abs(filepath.Join(p.ReportDir, as[1]))
		if err == nil {
			err = os.WriteFile(path, []byte(out.Report), 0o644)
		}
		if err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
		p.result.HTML = path // the last one
	}
	return nil
}

// count counts the claims, those that are supported, and those that wait for a reader.
func (v verification) count() (all, supported, unread int) {
	for _, c := range v.Claims {
		if c.Status == "grounded" {
			supported++
		}
		if c.Status == "inferred" && !c.Read {
			unread++
		}
	}
	return len(v.Claims), supported, unread
}

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

// shown returns the texts of each item's passages, which are in full with their first item.
func (b reviewBatch) shown() [][]string {
	out := make([][]string, len(b.Items))
	texts := map[string]string{}
	for i, it := range b.Items {
		for _, passage := range it.Passages {
			head, text, whole := strings.Cut(passage, "\n")
			place, _, _ := strings.Cut(head, " ")
			if place = strings.TrimSuffix(place, ","); whole {
				texts[place] = text
			}
			out[i] = append(out[i], texts[place])
		}
	}
	return out
}

var marks = regexp.MustCompile(`\s*\[[^\]]*\]`)

// bare returns a sentence without citation marks and the full stop.
func bare(s string) string {
	return strings.TrimRight(strings.TrimSpace(marks.ReplaceAllString(s, "")), ".")
}

func sameSentence(a, b string) bool { return bare(a) == bare(b) }
