// Package demo is a scripted host: it runs a research loop over MCP without a model and shows each step. It knows only the
// server's tools.
package demo

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/research"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// Config configures a run.
type Config struct {
	Question  string
	Channels  []string // channels to search
	Out       io.Writer
	ReportDir string // where report.md and report.html are written
	Server    *research.Server
	// Ask prints a question and returns the answer's line; ok is false at the end of the input. Nil: nothing is asked.
	Ask    func(ctx context.Context, question string) (line string, ok bool)
	Reader string // the model that may read the user's sentence; "" for none
}

// Result is the result of a run.
type Result struct {
	StateID  string
	Rounds   int
	Sources  int
	Claims   int
	Markdown string // path
	HTML     string // path
	Planted  int    // deliberate mistakes
	Caught   int    // how many of them did not pass
}

// maxRounds is a safety limit; the loop's rules end it before.
const maxRounds = 8

// host is one run.
type host struct {
	Config
	state   string
	angles  []angle
	claims  []claim
	cited   map[string]bool // claims by their text
	foundIn map[string]int  // the round of each claim
	result  Result
}

// Run runs a loop: rounds of searching, reading, claiming, checking and reflecting, then the report.
func Run(ctx context.Context, cfg Config) (Result, error) {
	h := &host{Config: cfg, cited: map[string]bool{}, foundIn: map[string]int{}}
	cfg.Server.Progress = func(message string) { h.say("                  … %s\n", message) }
	steps := []func(context.Context) error{h.start, h.rounds, h.mistakes, h.verifyAgain, h.table, h.report}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return h.result, err
		}
	}
	return h.result, nil
}

func (h *host) start(ctx context.Context) error {
	var out struct {
		StateID string `json:"state_id"`
		Angles  []angle
		AsOf    string `json:"as_of"`
	}
	h.say("\n%s\n", h.Question)
	if err := h.Server.Call(ctx, "loop_init", args{"query": Title + h.Question, "complexity": "simple", "budget": args{"rounds": maxRounds}}, &out); err != nil {
		return err
	}
	h.state, h.angles, h.result.StateID = out.StateID, out.Angles, out.StateID
	h.say("loop_init         loop %s, as of %s, %d angles\n", out.StateID, out.AsOf, len(out.Angles))
	return nil
}

// rounds runs rounds until the server decides to stop.
func (h *host) rounds(ctx context.Context) error {
	d := decision{}
	for round := 1; round <= maxRounds; round++ {
		h.say("\nRound %d\n", round)
		if err := h.search(ctx, round, d); err != nil {
			return err
		}
		if err := h.read(ctx); err != nil {
			return err
		}
		if err := h.claim(ctx, round); err != nil {
			return err
		}
		var err error
		if d, err = h.reflect(ctx, round); err != nil {
			return err
		}
		h.result.Rounds = round
		if !slices.Contains([]string{"search_more", "fetch_more", "critique"}, d.NextAction) {
			h.say("  decision        %s (%s): %s\n", d.NextAction, d.Rule, d.StopReason)
			return nil
		}
		h.say("  decision        %s (%s)\n", d.NextAction, d.Rule)
	}
	return fmt.Errorf("the loop did not stop within %d rounds", maxRounds)
}

// search runs a query per angle in the first round, and a query for the target gap afterwards.
func (h *host) search(ctx context.Context, round int, d decision) error {
	type ask struct{ angle, query string }
	var asks []ask
	if round == 1 {
		for _, a := range h.angles {
			asks = append(asks, ask{a.Angle, h.Question + angleWords[a.Angle]})
		}
	} else if d.Target != "" {
		asks = append(asks, ask{"byCounterArg", d.Target})
	} else {
		asks = append(asks, ask{"byEntity", h.Question})
	}
	for _, a := range asks {
		var out struct {
			Evidence []hit
			Channels []struct {
				Name, Status, Message string
				Count                 int
			}
		}
		begun := time.Now()
		if err := h.Server.Call(ctx, "run_channel", args{"channels": h.Channels, "query": a.query, "state_id": h.state, "angle": a.angle, "limit": 6}, &out); err != nil {
			return err
		}
		fresh := 0
		for _, e := range out.Evidence {
			if !e.Seen {
				fresh++
			}
		}
		var outcomes []string
		for _, c := range out.Channels {
			outcomes = append(outcomes, fmt.Sprintf("%s %s %d", c.Name, c.Status, c.Count))
		}
		h.say("  run_channel     %-12s %-46s %d new of %d  [%s]  %s\n", a.angle, sanitize.Short(a.query, 44), fresh, len(out.Evidence), strings.Join(outcomes, ", "), ms(begun))
	}
	return nil
}

// readEachRound is the number of pages per round.
const readEachRound = 5

// read fetches the unread hits that the server lists.
func (h *host) read(ctx context.Context) error {
	var brief struct {
		Decision decision
		Brief    struct {
			Unread []string `json:"unread_urls"`
		}
	}
	if err := h.Server.Call(ctx, "loop_get_state", args{"state_id": h.state}, &brief); err != nil {
		return err
	}
	urls := brief.Brief.Unread
	if len(urls) > readEachRound {
		urls = urls[:readEachRound]
	}
	if len(urls) == 0 {
		h.say("  fetch           nothing new to read\n")
		return nil
	}
	var out struct{ Sources []source }
	begun := time.Now()
	if err := h.Server.Call(ctx, "fetch", args{"urls": urls, "state_id": h.state, "query": h.Question}, &out); err != nil {
		return err
	}
	for _, s := range out.Sources {
		if s.Status != "read" {
			h.say("  fetch           ✗ %-9s %s: %s\n", s.Status, sanitize.Short(s.URL, 60), s.Reason)
			continue
		}
		h.result.Sources++
		h.say("  fetch           ✓ %-4s %-50s %7d characters\n", s.SourceID, sanitize.Short(s.Title, 48), s.Chars)
	}
	h.say("                  %d pages, %s\n", len(out.Sources), ms(begun))
	return nil
}

// claim takes claims from the best passages and verifies them.
func (h *host) claim(ctx context.Context, round int) error {
	query := h.Question
	if round > 1 {
		query = h.Question + angleWords["byCounterArg"]
	}
	found, err := h.passages(ctx, query)
	if err != nil {
		return err
	}
	weights := termWeights(h.Question, found)
	fresh := claimsFrom(found, weights, h.cited)
	for _, c := range fresh {
		h.foundIn[c.Claim] = round
	}
	h.claims = append(h.claims, fresh...)
	h.say("  find_passages   %d passages, %d claims taken from them\n", len(found), len(fresh))
	if len(h.claims) == 0 {
		return fmt.Errorf("nothing in these documents answers %q; ask another question, or name other documents with --corpus", h.Question)
	}
	var v verification
	begun := time.Now()
	if err := h.Server.Call(ctx, "verify_citations", args{"state_id": h.state, "all": true, "claims": h.claims}, &v); err != nil {
		return err
	}
	var kept []claim
	verbatim := 0
	for i, c := range v.Claims {
		if c.Status != "unsupported" {
			kept = append(kept, h.claims[i])
		}
		if c.Verbatim {
			verbatim++
		}
	}
	h.say("  verify          %d claims, %d of them word for word in their lines; nobody has read them, %s\n", len(v.Claims), verbatim, ms(begun))
	h.claims = kept
	h.result.Claims = len(kept)
	var updated struct{ Version int }
	return h.Server.Call(ctx, "loop_update", args{"state_id": h.state, "claims": h.claims, "usage": args{"tokens": 2_000}, "operation_id": fmt.Sprintf("demo-%d", round)}, &updated)
}

func (h *host) passages(ctx context.Context, query string) ([]passage, error) {
	var found struct{ Passages []passage }
	err := h.Server.Call(ctx, "find_passages", args{"state_id": h.state, "query": query, "limit": 12}, &found)
	return found.Passages, err
}

// reflect is the critic. It asks for counterarguments after the first round, and signs off after the second.
func (h *host) reflect(ctx context.Context, round int) (decision, error) {
	in := args{"state_id": h.state}
	switch round {
	case 1:
		in["gaps"] = []args{
			{"gap": "What is explicitly not guaranteed, and what goes wrong then?", "kind": "missing-counterarg", "query": h.Question + angleWords["byCounterArg"], "priority": 2, "material": true},
			{"gap": "More examples would be nice.", "kind": "modality", "importance": "minor"},
		}
		in["coverage"] = args{"overall": 0.6, "reasoning": "One side is covered."}
	default:
		if round == 2 {
			in["answered_gaps"] = []string{"G1"}
		}
		in["signoff"] = true
		in["coverage"] = args{"overall": 0.9, "reasoning": "Both sides were read."}
	}
	in["synthesis"] = h.text()
	var out struct {
		Decision decision
		Round    row
	}
	if err := h.Server.Call(ctx, "loop_reflect", in, &out); err != nil {
		return out.Decision, err
	}
	h.say("  loop_reflect    %d material gaps open, sign-off %s\n", out.Round.OpenGaps, yesNo(out.Round.SignOff))
	return out.Decision, nil
}

// mistakes checks two deliberate mistakes: a citation of an unread source, and a negated claim.
func (h *host) mistakes(ctx context.Context) error {
	h.say("\nTwo deliberate mistakes\n")
	var v verification
	invented := claim{Claim: h.claims[0].Claim, SourceIDs: []string{"S99"}}
	h.result.Planted++
	err := h.Server.Call(ctx, "verify_citations", args{"state_id": h.state, "all": true, "claims": []claim{invented}}, &v)
	if failed := failedCheck(err); len(failed.Hallucinated) == 1 {
		h.result.Caught++
		h.say("  ✓ caught: a citation of S99, which was never read (%s)\n", failed.Hallucinated[0].Why)
	} else {
		h.say("  ✗ NOT caught: a citation of S99 (%v)\n", err)
	}
	wrong, original, ok := contradict(h.claims)
	if !ok {
		h.say("  – no claim here can be negated by one word\n")
		return nil
	}
	h.result.Planted++
	if err := h.Server.Call(ctx, "verify_citations", args{"state_id": h.state, "all": true, "claims": []claim{wrong}}, &v); err != nil {
		return err
	}
	got := v.Claims[0]
	var updated struct{ Version int }
	if err := h.Server.Call(ctx, "loop_update", args{"state_id": h.state, "retract_claims": []string{wrong.Claim}}, &updated); err != nil {
		return err
	}
	h.say("  the source says: %s\n  the claim says:  %s\n", sanitize.Short(original.Claim, 150), sanitize.Short(wrong.Claim, 150))
	switch {
	case got.Status == "grounded":
		h.say("  ✗ NOT caught: it is called grounded\n")
		return nil
	case len(got.Remarks) > 0:
		h.say("  ✓ caught: %s\n", got.Remarks[0])
	default:
		h.say("  ✓ did not pass: it waits for a reader\n")
	}
	h.result.Caught++
	return nil
}

// verifyAgain verifies the claims once more: later reports ('citeloop loops report') use the last verification.
func (h *host) verifyAgain(ctx context.Context) error {
	var v verification
	if err := h.Server.Call(ctx, "verify_citations", args{"state_id": h.state, "all": true, "claims": h.claims}, &v); err != nil {
		return err
	}
	h.say("  verify again:    %s\n", v.summary())
	return nil
}

func (h *host) table(ctx context.Context) error {
	var out struct{ Rounds []row }
	if err := h.Server.Call(ctx, "loop_get_state", args{"state_id": h.state, "view": "rounds"}, &out); err != nil {
		return err
	}
	h.say("\nround  sources  new  claims  open gaps  sign-off\n")
	for _, r := range out.Rounds {
		h.say("%5d  %7d  %3d  %6d  %9d  %s\n", r.Round, r.Sources, r.NewSources, r.Claims, r.OpenGaps, yesNo(r.SignOff))
	}
	return nil
}

// report verifies the final text sentence by sentence, removes what fails, and writes the report in two formats.
func (h *host) report(ctx context.Context) error {
	h.say("\nThe final text\n")
	var v verification
	err := h.Server.Call(ctx, "verify_citations", args{"state_id": h.state, "all": true, "draft": h.text()}, &v)
	if err != nil {
		if v = failedCheck(err); v.Verdict == "" {
			return err
		}
	}
	if standing := h.standing(v); len(standing) < len(h.claims) {
		h.say("  verify          %d of %d sentences are errors; they are removed\n", len(h.claims)-len(standing), len(h.claims))
		h.claims = standing
		if len(h.claims) == 0 {
			return fmt.Errorf("no sentence of the text was left; nothing was written")
		}
		if err := h.Server.Call(ctx, "verify_citations", args{"state_id": h.state, "all": true, "draft": h.text()}, &v); err != nil {
			return err
		}
	}
	h.say("  verify          %s: %s. An assistant would have a second reader read them now.\n", v.Verdict, v.summary())
	return writeReports(ctx, h.Config, h.state, h.text(), &h.result)
}

func (h *host) say(format string, a ...any) { fmt.Fprintf(h.Out, format, a...) }
