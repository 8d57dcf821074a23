package research

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// maxChecks bounds the checks of a text, each of which removes at least one line.
const maxChecks = 8

// write has the model write the text, checks it until it passes, and reports it. Without a text that passes, the claims on record
// are the text.
func (r *run) write(ctx context.Context) error {
	r.say("text", "%s", r.decision.StopReason)
	t, err := r.newTalk(ctx, "synthesize", "", textWords, writeWords, nil)
	if err != nil {
		return err
	}
	text := ""
	return r.step(ctx, fmt.Sprintf("text/%d", r.Now().UnixNano()), t, func() (args, error) {
		said, err := t.next(ctx)
		if err == nil {
			text, err = r.passed(ctx, t, tidied(said))
		}
		if fatal(err) {
			return nil, err
		} else if err != nil {
			r.failed("text", err.Error()+": the claims on record are the text")
			text, err = r.passed(ctx, nil, r.fromClaims())
		}
		if err == nil {
			err = r.report(ctx, text)
		} else if !fatal(err) {
			err = &UnsupportedError{}
		}
		return nil, err
	})
}

var (
	citation = regexp.MustCompile(`\[S\d+[^\]]*\]`)
	heading  = regexp.MustCompile(`^#{1,6}\s`)
)

// tidied returns the model's text without a fence around the whole.
func tidied(text string) string {
	text = strings.TrimSpace(strings.ReplaceAll(text, "\r\n", "\n"))
	if first, rest, ok := strings.Cut(text, "\n"); ok && strings.HasPrefix(first, "```") {
		if body, closed := strings.CutSuffix(rest, "\n```"); closed {
			text = body
		}
	}
	return strings.TrimSpace(text) + "\n"
}

// sentence returns a claim with its citations.
func (c claim) sentence() string {
	return strings.TrimRight(c.Claim, ".") + " [" + strings.Join(c.SourceIDs, "; ") + "]."
}

// fromClaims returns the claims as a text.
func (r *run) fromClaims() string {
	text := "# " + sanitize.Short(r.question, 300) + "\n"
	for _, c := range r.claims {
		text += "\n" + c.sentence() + "\n"
	}
	return text
}

// passed checks a text until it passes. The model corrects the lines of failed sentences once; lines that fail again are removed.
func (r *run) passed(ctx context.Context, t *talk, text string) (string, error) {
	for pass := range maxChecks {
		if !citation.MatchString(text) {
			break
		}
		v, err := r.verify(ctx, args{"draft": text})
		if err != nil {
			return "", err
		}
		r.result.Sentences, r.result.Supported = len(v.Claims)+v.Left, v.Counts["grounded"]
		r.say("verify", "%s: %d of %d sentences supported, %d without a source, %d invented", v.Verdict, v.Counts["grounded"], len(v.Claims)+v.Left, len(v.Uncited), len(v.Hallucinated))
		lines := strings.Split(text, "\n")
		bad := v.failingLines(lines)
		if len(bad) == 0 && v.Verdict != "fail" {
			return text, nil
		}
		better := map[int]string{}
		if pass == 0 && t != nil && len(bad) > 0 {
			if better, err = r.corrected(ctx, t, lines, bad); fatal(err) {
				return "", err
			}
		}
		before := text
		for n, why := range bad {
			if better[n] == "" {
				r.dropped(lines[n-1], why)
			}
			lines[n-1] = better[n]
		}
		if text = pruned(lines); text == before {
			break
		}
	}
	return "", &stopError{"no sentence passed"}
}

// failingLines returns why lines of a draft fail, by number. If no sentence is an error and the text fails all the same, too many
// are supported in part only: these fail.
func (v verification) failingLines(lines []string) map[int]string {
	bad, at := map[int]string{}, map[string]int{}
	for _, c := range v.Claims {
		if at[c.Claim] = c.Line; c.Status == "unsupported" {
			bad[c.Line] = c.Because
		}
	}
	for _, u := range v.Uncited {
		bad[u.Line] = "it makes a claim and cites nothing"
	}
	for _, h := range v.Hallucinated {
		n := at[h.Claim]
		for i := range lines {
			if n == 0 && strings.Contains(lines[i], strings.Trim(h.Citation, "[]")) {
				n = i + 1
			}
		}
		bad[n] = "its citation " + h.Citation + " leads to nothing: " + h.Why
	}
	if len(bad) == 0 && v.Verdict == "fail" {
		for _, c := range v.Claims {
			if c.Status == "inferred" && c.Read {
				bad[c.Line] = "its source says only a part of it"
			}
		}
	}
	for n := range bad {
		if n < 1 || n > len(lines) {
			delete(bad, n)
		}
	}
	return bad
}

// corrected asks for better lines, by their numbers.
func (r *run) corrected(ctx context.Context, t *talk, lines []string, bad map[int]string) (map[int]string, error) {
	var b strings.Builder
	for n, line := range lines {
		if why := bad[n+1]; why != "" {
			fmt.Fprintf(&b, "\n%d: %q: %s", n+1, line, sanitize.Short(why, 300))
		}
	}
	t.user(mendTextWords + b.String())
	var got struct {
		Lines []struct {
			N    int
			Text string
		}
	}
	if err := t.object(ctx, "lines", &got); err != nil {
		return nil, err
	}
	better := map[int]string{}
	for _, l := range got.Lines {
		if text := strings.Join(strings.Fields(l.Text), " "); bad[l.N] != "" && citation.MatchString(text) {
			better[l.N] = text
		}
	}
	return better, nil
}

// pruned joins lines without those that nothing is left of: headings without text, and repeated blank lines.
func pruned(lines []string) string {
	var kept []string
	below := false // there is text below this line
	for i := len(lines) - 1; i >= 0; i-- {
		line := lines[i]
		switch isHeading := heading.MatchString(line); {
		case strings.TrimSpace(line) == "" && (len(kept) == 0 || kept[len(kept)-1] == ""):
		case isHeading && !below && !strings.HasPrefix(line, "# "):
		default:
			below = !isHeading && (below || strings.TrimSpace(line) != "")
			kept = append(kept, line)
		}
	}
	for i, j := 0, len(kept)-1; i < j; i, j = i+1, j-1 {
		kept[i], kept[j] = kept[j], kept[i]
	}
	return strings.TrimSpace(strings.Join(kept, "\n")) + "\n"
}

// report writes the files.
func (r *run) report(ctx context.Context, text string) error {
	if err := os.MkdirAll(r.OutDir, 0o755); err != nil {
		return fmt.Errorf("the report's folder: %w", err)
	}
	for _, as := range []struct{ format, file string }{{"markdown", "report.md"}, {"html", "report.html"}} {
		var out struct{ Report string }
		if err := r.Server.Call(ctx, "loop_report", args{"state_id": r.id, "draft": text, "format": as.format, "inline": true}, &out); err != nil {
			return err
		}
		path, err := filepath.Abs(filepath.Join(r.OutDir, as.file))
		if err == nil {
			err = os.WriteFile(path, []byte(out.Report), 0o644)
		}
		if err != nil {
			return fmt.Errorf("writing the report: %w", err)
		}
		r.result.Files = append(r.result.Files, path)
	}
	r.say("report", "%d sentences, %d found supported by a reader; rejected: %d invented citations, %d unsupported claims and lines; %d answers that could not be used",
		r.result.Sentences, r.result.Supported, r.result.Invented, r.result.Dropped, r.result.Failures)
	return nil
}
