package research

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/openai/openai-go"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// maxChecks bounds the checks of a text: the model corrects it once, and each further check removes lines.
const maxChecks = 8

// write has the model write the text, checks it until it passes, and reports it.
func (r *run) write(ctx context.Context) error {
	r.say("text", "%s", r.decision.StopReason)
	as := role{step: "text/" + r.Now().Format(time.RFC3339Nano), prompt: "synthesize", system: textWords}
	return r.play(ctx, as, func(t *talk, text string, err error) error {
		if err == nil {
			text, err = r.passed(ctx, t, unfenced(text))
		}
		if err != nil && !fatal(err) {
			r.say("text", "✗ %v", err)
			return ErrUnsupported
		} else if err != nil {
			return err
		}
		return r.report(ctx, text)
	})
}

// unfenced returns the model's text without a fence around the whole.
func unfenced(text string) string {
	text = strings.TrimSpace(text)
	if body, closed := strings.CutSuffix(text, "\n```"); closed && strings.HasPrefix(text, "```") {
		_, text, _ = strings.Cut(body, "\n")
	}
	return text + "\n"
}

// passed checks a text until it passes. The model corrects it once; then the lines that fail are removed.
func (r *run) passed(ctx context.Context, t *talk, text string) (string, error) {
	for pass := 0; pass < maxChecks && strings.TrimSpace(text) != ""; pass++ {
		lines := strings.Split(text, "\n")
		verdict, bad, err := r.verify(ctx, text)
		if err != nil {
			return "", err
		}
		switch {
		case r.result.Sentences == 0 || len(bad) == 0 && verdict == "fail":
			return "", &stopError{"no sentence passed"}
		case len(bad) == 0:
			return text, nil
		case pass == 0:
			ask := mendTextWords
			for i, line := range lines {
				if why := bad[i+1]; why != "" {
					ask += fmt.Sprintf("\n%q: %s", line, sanitize.Short(why, 300))
				}
			}
			t.messages = append(t.messages, openai.UserMessage(ask))
			if text, err = t.next(ctx); err != nil {
				return "", err
			}
			text = unfenced(text)
		default:
			for n, why := range bad {
				r.result.Dropped++
				r.say("dropped", "✗ %q: %s", sanitize.Short(lines[n-1], 120), sanitize.Short(why, 200))
				lines[n-1] = ""
			}
			text = repeatedBlanks.ReplaceAllString(emptySection.ReplaceAllString(strings.Join(lines, "\n"), "$1"), "\n\n")
		}
	}
	return "", &stopError{"no sentence passed"}
}

// verify checks a text, and returns the verdict and why some of its lines fail, by number. If no sentence is an error and the text
// fails all the same, too many are supported in part only: these fail.
func (r *run) verify(ctx context.Context, text string) (verdict string, bad map[int]string, err error) {
	v, err := r.Server.Verify(ctx, args{"state_id": r.id, "draft": text})
	if err != nil {
		return "", nil, err
	}
	bad = map[int]string{}
	at := map[string]int{}
	partly := v.Verdict == "fail" && len(v.Hallucinated)+len(v.Uncited) == 0 && v.Counts["unsupported"] == 0
	for _, c := range v.Claims {
		at[c.Claim] = c.Line
		if c.Status == "unsupported" || partly && c.Status == "inferred" && c.Read {
			bad[c.Line] = c.Because
		}
	}
	for _, u := range v.Uncited {
		bad[u.Line] = "it makes a claim and cites nothing"
	}
	for _, h := range v.Hallucinated {
		bad[at[h.Claim]] = "its citation " + h.Citation + " leads to nothing: " + h.Why
	}
	delete(bad, 0) // a sentence without a place
	r.result.Sentences, r.result.Supported = len(v.Claims), v.Counts["grounded"]
	r.say("verify", "%s: %d of %d sentences supported, %d without a source, %d invented",
		v.Verdict, v.Counts["grounded"], len(v.Claims), len(v.Uncited), len(v.Hallucinated))
	return v.Verdict, bad, nil
}

var (
	emptySection   = regexp.MustCompile(`(?m)^#{2,6} [^\n]*\n\s*(#|\z)`)
	repeatedBlanks = regexp.MustCompile(`\n{3,}`)
)

// report writes the files.
func (r *run) report(ctx context.Context, text string) (err error) {
	r.result.Files, err = r.Server.WriteReport(ctx, r.id, text, r.OutDir)
	if err == nil {
		r.say("report", "%d sentences, %d supported, %d lines dropped", r.result.Sentences, r.result.Supported, r.result.Dropped)
	}
	return err
}
