// Package demo runs a research loop over MCP without a model and shows each step: a recorded model on built-in texts. It knows
// only the server's tools.
package demo

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/research"
)

// Config configures a run.
type Config struct {
	Out       io.Writer
	ReportDir string // where report.md and report.html are written
	Server    *research.Server
}

// Result is the result of a run.
type Result struct {
	StateID string
	HTML    string // path of the report
	Planted int    // deliberate mistakes
	Caught  int    // how many of them did not pass
}

// Play drives a loop over the embedded collection, which is in a folder, as a recorded model did, with a recorded second reader.
// Every verdict in the transcript is computed while it runs.
func Play(ctx context.Context, cfg Config, collectionDir string) (Result, error) {
	p := &player{Config: cfg, dir: collectionDir, ids: map[string]string{}}
	if err := p.load(); err != nil {
		return Result{}, err
	}
	for _, step := range []func(context.Context) error{p.start, p.rounds, p.check, p.review, p.correct, p.report} {
		if err := step(ctx); err != nil {
			return p.result, err
		}
	}
	return p.result, nil
}

// player is one run of the recording.
type player struct {
	Config
	recording
	reader  reader
	dir     string
	ids     map[string]string // source ids by file
	remarks int               // true sentences with remarks
	result  Result
}

// args are the arguments of a call.
type args = map[string]any

func (p *player) say(format string, a ...any) { fmt.Fprintf(p.Out, format, a...) }

// call calls a tool with the loop's id.
func (p *player) call(ctx context.Context, tool string, in args, out any) error {
	if p.result.StateID != "" {
		in["state_id"] = p.result.StateID
	}
	_, err := p.Server.Call(ctx, tool, in, out)
	return err
}

// verify checks claims or a draft. No configured model reads.
func (p *player) verify(ctx context.Context, what string, of any) (research.Verification, error) {
	return p.Server.Verify(ctx, args{"state_id": p.result.StateID, what: of, "judge": "none"})
}

// maxRounds is a safety limit; the loop's rules end it before.
const maxRounds = 8

func (p *player) start(ctx context.Context) error {
	p.say("\nThe question: %s\n", p.Question)
	p.say("A model's work on it was recorded on %s. We planted %d false sentences in it: %d that citeloop finds by itself,\n",
		p.Recorded, len(p.Planted), len(p.planted(byCiteloop)))
	p.say("%d to which it can only point, and %d that only a reader finds.\n\n", len(p.planted(byRemark)), len(p.planted(byReader)))
	var out struct {
		StateID string `json:"state_id"`
	}
	err := p.call(ctx, "loop_init", args{"query": Title + p.Question, "complexity": "simple", "budget": args{"rounds": maxRounds}}, &out)
	p.result.StateID = out.StateID
	return err
}

func (p *player) rounds(ctx context.Context) error {
	for i, round := range p.Rounds {
		notes, err := p.gather(ctx, round)
		if err != nil {
			return err
		}
		if err := p.record(ctx, i+1, round); err != nil {
			return err
		}
		var out struct {
			Decision struct {
				NextAction string `json:"next_action"`
				Rule       string
			}
		}
		if err := p.call(ctx, "loop_reflect", args{"coverage": round.Coverage, "signoff": round.SignOff, "gaps": round.Gaps,
			"answered_gaps": round.AnsweredGaps}, &out); err != nil {
			return err
		}
		p.say("Round %d: %d searches, %d texts read, %d claims recorded%s; decision: %s (%s)\n", i+1, len(round.Searches), len(round.Read),
			len(round.Claims), notes, out.Decision.NextAction, out.Decision.Rule)
	}
	return nil
}

// gather makes the searches of a round and reads its texts, and says what is remarkable about them.
func (p *player) gather(ctx context.Context, round recordedRound) (notes string, err error) {
	for _, s := range round.Searches {
		if err := p.call(ctx, "run_channel", args{"channels": []string{"local"}, "query": s.Query, "angle": s.Angle, "limit": 6},
			&struct{}{}); err != nil {
			return "", err
		}
	}
	var urls []string
	for _, file := range round.Read {
		urls = append(urls, "file://"+filepath.ToSlash(filepath.Join(p.dir, file)))
	}
	var out struct {
		Sources []struct {
			SourceID       string `json:"source_id"`
			Status, Reason string
			DuplicateOf    string `json:"duplicate_of"`
			Flags          []string
		}
	}
	if err := p.call(ctx, "fetch", args{"urls": urls, "query": p.Question}, &out); err != nil {
		return "", err
	}
	for i, s := range out.Sources {
		if s.Status != "read" {
			return "", fmt.Errorf("%s: %s %s", round.Read[i], s.Status, s.Reason)
		}
		p.ids[round.Read[i]] = s.SourceID
		if s.DuplicateOf != "" {
			notes += ", " + s.SourceID + " is a copy of " + s.DuplicateOf
		}
		if slices.ContainsFunc(s.Flags, func(f string) bool { return strings.HasPrefix(f, "addresses_the_model") }) {
			notes += ", " + s.SourceID + " gives orders to a model"
		}
	}
	return notes, nil
}

// record verifies and records the round's claims.
func (p *player) record(ctx context.Context, n int, round recordedRound) error {
	sources := func(files []string) (ids []string) {
		for _, f := range files {
			ids = append(ids, p.ids[f])
		}
		return ids
	}
	var claims, contradictions []args
	for _, c := range round.Claims {
		claims = append(claims, args{"claim": c.Claim, "source_ids": sources(c.Sources)})
	}
	for _, c := range round.Contradictions {
		contradictions = append(contradictions, args{"topic": c.Topic, "why": c.Why, "source_ids": sources(c.Sources)})
	}
	if _, err := p.verify(ctx, "claims", claims); err != nil {
		return err
	}
	return p.call(ctx, "loop_update", args{"claims": claims, "contradictions": contradictions, "operation_id": fmt.Sprintf("demo-%d", n)},
		&struct{}{})
}

// check checks the whole text before anybody has read it, and prints what citeloop finds and what it points to.
func (p *player) check(ctx context.Context) error {
	v, err := p.verify(ctx, "draft", p.text())
	if err != nil {
		return err
	}
	p.say("\n1. What citeloop finds by itself: errors, without a model and without a reader\n")
	wrong := errorsOf(v)
	for _, x := range p.planted(byCiteloop) {
		if x.found = wrong[bare(x.Claim)]; x.found != "" {
			p.say("  ✓ %s: %s (%s)\n", x.Kind, x.Claim, x.found)
		}
	}
	p.say("\n2. What it points to: remarks, which decide nothing\n")
	for _, c := range v.Claims {
		x := p.is(c.Claim)
		if x == nil && len(c.Remarks) > 0 {
			p.remarks++
		}
		for _, r := range c.Remarks {
			if x != nil && x.By == byRemark {
				p.say("  ! %s: %s (%q, where %s has %q)\n", x.Kind, c.Claim, r.Claim, r.Lines, r.Text)
			}
		}
	}
	p.say("  %d remarks are on true sentences. %d sentences are not read yet; without a reader citeloop calls none of them supported.\n",
		p.remarks, unread(v))
	return nil
}

// errorsOf returns why sentences are errors, by bare sentence.
func errorsOf(v research.Verification) map[string]string {
	out := map[string]string{}
	for _, c := range v.Claims {
		if c.Status == "unsupported" {
			out[bare(c.Claim)] = c.Because
		}
	}
	for _, u := range v.Uncited {
		out[bare(u.Text)] = "it cites no source"
	}
	for _, h := range v.Hallucinated {
		out[bare(h.Claim)] = h.Citation + ": " + h.Why
	}
	return out
}

// unread returns how many claims wait for a reader.
func unread(v research.Verification) (n int) {
	for _, c := range v.Claims {
		if c.Status == "inferred" && !c.Read {
			n++
		}
	}
	return n
}

// review plays back a reader's answers to the batches of the server, and counts who caught which mistakes.
func (p *player) review(ctx context.Context) error {
	p.say("\n3. What only a reader finds, who did not write the text and compares sentence and lines. No model runs now;\n")
	p.say("   played back are the recorded answers of %s\n   (to the report: the author's own assistant, as citeloop cannot see who "+
		"answers; this script answers the hidden test items).\n", p.reader.By)
	refused, err := p.read(ctx)
	if err != nil {
		return err
	}
	wrong := 0
	for _, claim := range refused {
		x := p.is(claim)
		switch {
		case x == nil:
			wrong++
		case x.By != byCiteloop:
			x.found = p.reader.said(claim)
		}
	}
	for _, x := range slices.Concat(p.planted(byRemark), p.planted(byReader)) {
		if x.found != "" {
			p.say("  ✓ %s: %s\n    %s\n", x.Kind, x.Claim, x.found)
		}
	}
	p.balance(wrong)
	return nil
}

// balance prints who caught which mistakes, and what cannot be caught.
func (p *player) balance(wrong int) {
	caught := map[string]int{}
	for _, x := range p.Planted {
		if x.found != "" {
			caught[x.By]++
			p.result.Caught++
		}
	}
	p.result.Planted = len(p.Planted)
	p.say("\nThe count: of %d false sentences, %d were found by citeloop itself, %d pointed out by a remark and decided by the reader,\n",
		p.result.Planted, caught[byCiteloop], caught[byRemark])
	p.say("%d found by the reader alone, %d not caught. On true sentences: %d refused by the reader, %d with a remark.\n",
		caught[byReader], p.result.Planted-p.result.Caught, wrong, p.remarks)
	for _, x := range p.Planted {
		if x.found == "" {
			p.say("  ✗ NOT caught: %s (%s: %s)\n", x.Claim, x.Kind, x.Truth)
		}
	}
	p.say("What nobody catches: %q\n  %s\n", p.Beyond.Claim, strings.ReplaceAll(p.Beyond.Why, "\n", " "))
	p.say("We chose these errors and recorded one good reader: this is an example, not a measurement (bench/README.md has those).\n")
}

// correct replaces the caught sentences as the recorded model did, and checks the text again.
func (p *player) correct(ctx context.Context) error {
	var lines, retracted []string
	for _, line := range p.Draft {
		x := p.is(line)
		switch {
		case x == nil || x.found == "":
			lines = append(lines, line)
			continue
		case x.Instead != "":
			lines = append(lines, x.Instead)
		}
		if x.By != byCiteloop { // those were never recorded
			retracted = append(retracted, x.Claim)
		}
	}
	p.Draft = lines
	if err := p.call(ctx, "loop_update", args{"retract_claims": retracted}, &struct{}{}); err != nil {
		return err
	}
	if _, err := p.verify(ctx, "draft", p.text()); err != nil { // the new sentences have to be read, too
		return err
	}
	if _, err := p.read(ctx); err != nil {
		return err
	}
	v, err := p.verify(ctx, "draft", p.text())
	supported := 0
	for _, c := range v.Claims {
		if c.Status == "grounded" {
			supported++
		}
	}
	p.say("\nThe corrected text: %s, %d sentences: %d supported, %d not supported, %d not read yet\n", v.Verdict, len(v.Claims), supported,
		len(v.Claims)-supported-unread(v), unread(v))
	return err
}

// report writes the text as Markdown and HTML.
func (p *player) report(ctx context.Context) error {
	files, err := p.Server.WriteReport(ctx, p.result.StateID, p.text(), p.ReportDir)
	if err == nil {
		p.result.HTML, err = filepath.Abs(files[1])
	}
	return err
}

var citedFile = regexp.MustCompile(`\[[a-z-]+\.(?:html|md|txt)`)

// text returns the draft with source ids in place of file names.
func (p *player) text() string {
	return citedFile.ReplaceAllStringFunc(strings.Join(p.Draft, "\n"), func(mark string) string { return "[" + p.ids[mark[1:]] }) + "\n"
}
