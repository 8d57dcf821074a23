package demo

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/citeloop/citeloop/internal/research"
)

// args are the arguments of a call.
type args = map[string]any

// verification is an answer of verify_citations.
type verification struct{ research.Verification }

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

// verify checks claims or a draft. No configured model reads.
func (p *player) verify(ctx context.Context, what string, of any) (verification, error) {
	v, err := p.Server.Verify(ctx, args{"state_id": p.result.StateID, what: of, "judge": "none"})
	return verification{v}, err
}

// report writes the text as Markdown and HTML.
func (p *player) report(ctx context.Context) error {
	files, err := p.Server.WriteReport(ctx, p.result.StateID, p.text(), p.ReportDir)
	if err == nil {
		p.result.HTML, err = filepath.Abs(files[1])
	}
	return err
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

// remark says what the cited lines have otherwise.
func remark(claim, lines, text string) string {
	switch {
	case claim == "":
		return fmt.Sprintf("%s has %q", lines, text)
	case text == "":
		return fmt.Sprintf("%s has no %q", lines, claim)
	}
	return fmt.Sprintf("%q, where %s has %q", claim, lines, text)
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
