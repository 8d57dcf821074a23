package research

import (
	"context"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// Limits of the text.
const (
	maxParts         = 6 // answers for one text
	modelCorrections = 2 // corrections of failed sentences by the model
	maxCutRound      = 8 // passes of cutting, each of which cuts at least one sentence

	continuedChars = 8_000 // of a text that is continued: the prompt shows the last 2,000
)

// finish writes, checks and reports the text.
func (r *run) finish(ctx context.Context) error {
	r.ledger.write()
	r.mu.Lock()
	r.inside = false
	r.mu.Unlock()
	r.say(Writing, "", "%s", r.result.StopReason)
	// If the budget ended during a round, sources may lack claims.
	if !r.done(r.inRound("claims")) && r.ledger.spentBudget() == "" && r.unclaimed(ctx) {
		if err := r.claimed(ctx); err != nil {
			return err
		}
	}
	if err := r.loadSources(ctx); err != nil {
		return err
	}
	r.result.Claims = len(r.claims)
	m := r.ledger.meter()
	draft, err := r.write(ctx, m)
	if err == nil {
		draft, err = r.passed(ctx, m, draft)
	}
	if err == nil {
		draft, err = r.criticised(ctx, m, draft)
	}
	if err == nil {
		err = r.report(ctx, m, draft)
	}
	if err != nil {
		r.cutShort(ctx, "text", m)
	}
	return err
}

// unclaimed reports whether sources were read that no claim could use yet.
func (r *run) unclaimed(ctx context.Context) bool {
	before := len(r.known)
	if r.loadSources(ctx) != nil {
		return false
	}
	return len(r.known) > before || len(r.claims) == 0 && len(r.known) > 0
}

// write asks the model to write the text, in several answers if needed. If the budget or the model fails, the verified
// claims are the text.
func (r *run) write(ctx context.Context, m *meter) (string, error) {
	if why := r.ledger.spentBudget(); why != "" {
		return r.fromClaims(why), nil
	}
	brief, err := r.brief(ctx, "synthesize", map[string]string{})
	if err != nil {
		return "", err
	}
	text := ""
	asked := brief + "\n\n" + writeWords
	for part := 1; part <= maxParts; part++ {
		got, err := r.ask(ctx, newConversation(textWords, asked), m)
		if err != nil {
			why := r.ledger.spentBudget()
			if why != "" && ctx.Err() == nil {
				return r.fromClaims(why), nil
			}
			if ends(err) {
				return "", err
			}
			r.failed("text", "%v", err)
			break
		}
		piece := tidied(got.Text)
		if got.Truncated {
			piece = wholeSentences(piece)
		}
		text = strings.TrimSpace(text + "\n\n" + strings.TrimSpace(piece))
		r.say(Step, "text", "part %d, %s characters in all", part, grouped(len([]rune(text))))
		if !got.Truncated || len(text) > maxDraftChars {
			break
		}
		if why := r.ledger.spentBudget(); why != "" {
			r.failed("text", "it was cut off, and %s", why)
			break
		}
		r.failed("text", "it was cut off at the token limit and is continued")
		if text == "" {
			continue
		}
		if asked, err = r.brief(ctx, "continue_report", map[string]string{"text": endOf(text, continuedChars)}); err != nil {
			return "", err
		}
	}
	if strings.TrimSpace(text) == "" {
		r.failed("text", "the model wrote no text")
		return r.fromClaims("no text was written"), nil
	}
	return tidied(text), nil
}

// endOf returns the end of a text.
func endOf(text string, chars int) string {
	r := []rune(text)
	return string(r[max(0, len(r)-chars):])
}

// fromClaims returns the claims as a text, one per paragraph.
func (r *run) fromClaims(why string) string {
	r.say(Refused, "text", "%s: the verified claims are the text", why)
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", sanitize.Short(r.question, 300))
	for _, c := range r.claims {
		fmt.Fprintf(&b, "\n%s\n", cited(c))
	}
	return b.String()
}

// passed verifies the text until it passes. The model corrects failed sentences; those that fail again are removed.
func (r *run) passed(ctx context.Context, m *meter, draft string) (string, error) {
	fallen := false // the text is replaced by the claims
	for pass := 0; ; pass++ {
		if !hasWords(draft) || pass > maxCutRound || !mark.MatchString(draft) {
			if fallen || len(r.claims) == 0 {
				return "", &UnsupportedError{"no sentence is supported by text that was read"}
			}
			fallen, pass, draft = true, modelCorrections, r.fromClaims("no sentence of the text has passed")
		}
		v, err := r.verify(ctx, args{"draft": draft})
		if err != nil {
			return "", err
		}
		bad := v.failing()
		r.invented(v)
		r.result.Sentences, r.result.Supported = len(v.Claims)+v.Left, v.Counts[grounded]
		r.say(Step, "verify", "%s: %d of %d sentences supported, %d not read or in part, %d unsupported, %d without a source, %d invented", v.Verdict,
			v.Counts[grounded], len(v.Claims)+v.Left+len(v.Uncited), v.Counts[inferred], v.Counts[unsupported], len(v.Uncited), len(v.Hallucinated))
		if len(bad) == 0 && v.Verdict != fail {
			return draft, nil
		}
		if len(bad) == 0 { // too many sentences are supported in part only: remove them
			for _, c := range v.Claims {
				if c.Status == inferred && c.Read {
					bad[c.Claim] = complaint{text: c.Claim, why: "A reader found only a part of it in its source, and too many sentences are like this.", line: c.Line}
				}
			}
		}
		if len(bad) == 0 {
			return "", &UnsupportedError{"the text does not pass, and no sentence says why"}
		}
		better := map[int]string{}
		if pass < modelCorrections && !fallen && r.ledger.spentBudget() == "" {
			if better, err = r.correctText(ctx, m, sortedByText(bad)); err != nil {
				return "", err
			}
		}
		draft = r.cutOrCorrect(draft, bad, better)
	}
}

// cutOrCorrect replaces corrected sentences and removes the others.
func (r *run) cutOrCorrect(draft string, bad map[string]complaint, better map[int]string) string {
	cut := map[string]complaint{}
	for i, c := range sortedByText(bad) {
		with := better[i+1]
		if with == "" {
			cut[c.text] = c
		}
		draft = replaced(draft, c.text, c.line, with)
	}
	r.drop("sentence", cut)
	return pruned(withoutUnknown(draft, r.known))
}

// corrections are corrected sentences, by the numbers of the complaints.
type corrections struct {
	Sentences list[struct {
		N    number `json:"n"`
		Text words  `json:"text"`
	}] `json:"sentences"`
}

// correctText asks for corrected sentences, by the numbers of the complaints from 1.
func (r *run) correctText(ctx context.Context, m *meter, bad []complaint) (map[int]string, error) {
	var b strings.Builder
	for i, c := range firstOf(bad, maxNewClaims) {
		fmt.Fprintf(&b, "%d. %s\n", i+1, c.words())
	}
	var got corrections
	c := errand[corrections](r, mendTextWords, b.String())
	if why, err := r.handedOver(ctx, "mending", c, m, &got); err != nil || why != "" {
		return nil, err
	}
	better := map[int]string{}
	for _, s := range got.Sentences {
		text := strings.Join(strings.Fields(string(s.Text)), " ")
		n := int(s.N.value)
		if n < 1 || n > len(bad) || !fits(words(text), maxClaimChars) || !mark.MatchString(text) || strings.HasPrefix(text, "#") {
			continue
		}
		if withoutUnknown(text, r.known) != text {
			r.count(&r.result.Invented)
			r.say(Refused, "mending", "invented: a source that was never read, in %q", sanitize.Short(text, 120))
			continue
		}
		better[n] = text
	}
	r.say(Step, "mending", "%d of %s rewritten", len(better), counted(len(bad), "sentence"))
	return better, nil
}
