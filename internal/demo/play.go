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
	"github.com/citeloop/citeloop/internal/text/quote"
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
	answers map[string]answer // of the recorded reader, by bare sentence
	reader  string
	dir     string
	ids     map[string]string // source ids by file
	remarks int               // true sentences with remarks
	result  Result
}

func (p *player) say(format string, a ...any) { fmt.Fprintf(p.Out, format, a...) }

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
		in := args{"coverage": round.Coverage, "signoff": round.SignOff, "gaps": round.Gaps, "answered_gaps": round.AnsweredGaps}
		for _, name := range []string{"gaps", "answered_gaps"} {
			if fmt.Sprint(in[name]) == "[]" {
				delete(in, name)
			}
		}
		var out struct {
			Decision struct {
				NextAction string `json:"next_action"`
				Rule       string
			}
		}
		if err := p.call(ctx, "loop_reflect", in, &out); err != nil {
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
		switch {
		case s.DuplicateOf != "":
			notes += ", " + s.SourceID + " is a copy of " + s.DuplicateOf
		case slices.ContainsFunc(s.Flags, func(f string) bool { return strings.HasPrefix(f, "addresses_the_model") }):
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
	for _, x := range p.planted(byCiteloop) {
		why := v.errorOf(x.Claim)
		if x.caught = why != ""; why != "" {
			p.say("  ✓ %s: %s (%s)\n", x.Kind, x.Claim, why)
		}
	}
	p.say("\n2. What it points to: remarks, which decide nothing\n")
	for _, c := range v.Claims {
		x := same(p.planted(byRemark), c.Claim)
		if x == nil && len(c.Remarks) > 0 {
			p.remarks++
			continue
		}
		for _, r := range c.Remarks {
			p.say("  ! %s: %s (%s)\n", x.Kind, c.Claim, remark(r.Claim, r.Lines, r.Text))
		}
	}
	_, _, unread := v.count()
	p.say("  %d remarks are on true sentences. %d sentences are not read yet; without a reader citeloop calls none of them supported.\n",
		p.remarks, unread)
	return nil
}

// same returns the planted sentence that a claim is, or nil.
func same(list []*planted, claim string) *planted {
	for _, x := range list {
		if sameSentence(x.Claim, claim) {
			return x
		}
	}
	return nil
}

// review plays back a reader's answers to the batches of the server, and counts who caught which mistakes.
func (p *player) review(ctx context.Context) error {
	p.say("\n3. What only a reader finds, who did not write the text and compares sentence and lines. No model runs now;\n")
	p.say("   played back are the recorded answers of %s\n   (to the report: the author's own assistant, "+
		"as citeloop cannot see who answers). ", p.reader)
	refused, tested, missed, err := p.readBatches(ctx)
	if err != nil {
		return err
	}
	p.say("Of %d hidden test items it missed %d (this script answers those: not the reader's score).\n", tested, missed)
	asked := slices.Concat(p.planted(byRemark), p.planted(byReader))
	wrong := 0
	for claim := range refused {
		if x := same(asked, claim); x != nil {
			x.caught = true
		} else if same(p.planted(byCiteloop), claim) == nil {
			wrong++
		}
	}
	for _, x := range asked {
		if !x.caught {
			continue
		}
		a := p.answers[bare(x.Claim)]
		said := map[string]string{"not_stated": "not in the source"}[a.Answer]
		if said == "" {
			said = a.Answer
		}
		if a.Quote != "" {
			said += fmt.Sprintf(": %q", a.Quote)
		}
		if a.by != "" {
			said += " (answer of " + a.by + ")"
		}
		p.say("  ✓ %s: %s\n    %s\n", x.Kind, x.Claim, said)
	}
	p.balance(wrong)
	return nil
}

// readBatches answers the batches of the server, and returns the claims that it then refused, how many test items there were, and how
// many of them were answered wrongly.
func (p *player) readBatches(ctx context.Context) (refused map[string]bool, tested, missed int, err error) {
	refused = map[string]bool{}
	for range maxRounds {
		var batch, counted reviewBatch
		if err := p.call(ctx, "review_claims", args{"limit": 40}, &batch); err != nil {
			return nil, 0, 0, err
		}
		var given []answer
		for i, shown := range batch.shown() {
			given = append(given, p.answer(batch.Items[i].Item, batch.Items[i].Claim, shown))
		}
		if err := p.call(ctx, "review_claims", args{"batch": batch.Batch, "answers": given}, &counted); err != nil {
			return nil, 0, 0, err
		}
		if counted.Status != "counted" || counted.Planted == nil || counted.Controls == nil {
			return nil, 0, 0, fmt.Errorf("the recorded reader does not fit this version of citeloop: batch %s is %s, %d items left",
				batch.Batch, counted.Status, counted.Left)
		}
		tested += counted.Planted.N + counted.Controls.N
		missed += counted.Planted.N - counted.Planted.Caught + counted.Controls.N - counted.Controls.Passed
		for _, c := range counted.Changed {
			if c.To == "unsupported" {
				refused[c.Claim] = true
			}
		}
		if counted.Left == 0 {
			break
		}
	}
	return refused, tested, missed, nil
}

// answer returns the recorded answer for an item. For one that no reader was recorded for, a sentence of the texts or one that its
// passages do not say, it compares words; a reader has to know what a sentence means.
func (p *player) answer(item, claim string, passages []string) answer {
	a, ok := p.answers[bare(claim)]
	switch {
	case !ok:
		a = answer{Answer: "not_stated"}
		for _, text := range passages {
			if grade, _ := quote.Find(claim, text); grade == quote.Exact || grade == quote.Normalised {
				a = answer{Answer: "supported", Quote: claim}
			}
		}
	case a.Quote != "" && !slices.ContainsFunc(passages, func(text string) bool {
		return strings.Contains(oneLine(text), oneLine(a.Quote))
	}): // a test item: the sentence beside other lines
		a = answer{Answer: "not_stated"}
	}
	a.Item = item
	return a
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// balance prints who caught which mistakes, and what cannot be caught.
func (p *player) balance(wrong int) {
	count := func(by string) (n int) {
		for _, x := range p.planted(by) {
			if x.caught {
				n++
			}
		}
		return n
	}
	p.result.Planted = len(p.Planted)
	p.result.Caught = count(byCiteloop) + count(byRemark) + count(byReader)
	p.say("\nThe count: of %d false sentences, %d were found by citeloop itself, %d pointed out by a remark and decided by the reader,\n",
		p.result.Planted, count(byCiteloop), count(byRemark))
	p.say("%d found by the reader alone, %d not caught. On true sentences: %d refused by the reader, %d with a remark.\n", count(byReader),
		p.result.Planted-p.result.Caught, wrong, p.remarks)
	for _, x := range p.Planted {
		if !x.caught {
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
		instead, keep := line, true
		for _, x := range p.Planted {
			if x.caught && strings.HasPrefix(line, strings.TrimSuffix(x.Claim, ".")) {
				instead, keep = x.Instead, x.Instead != ""
			}
		}
		if keep {
			lines = append(lines, instead)
		}
	}
	p.Draft = lines
	for _, x := range p.Planted {
		if x.caught && x.By != byCiteloop { // those were never recorded
			retracted = append(retracted, x.Claim)
		}
	}
	if err := p.call(ctx, "loop_update", args{"retract_claims": retracted}, &struct{}{}); err != nil {
		return err
	}
	v, err := p.verify(ctx, "draft", p.text())
	all, supported, unread := v.count()
	if err == nil && unread > 0 {
		if _, _, _, err = p.readBatches(ctx); err != nil {
			return err
		}
		v, err = p.verify(ctx, "draft", p.text())
		all, supported, unread = v.count()
	}
	p.say("\nThe corrected text: %s, %d sentences: %d supported, %d not supported, %d not read yet\n", v.Verdict, all, supported,
		all-supported-unread, unread)
	return err
}

var citedFile = regexp.MustCompile(`\[[a-z-]+\.(?:html|md|txt)`)

// text returns the draft with source ids in place of file names.
func (p *player) text() string {
	return citedFile.ReplaceAllStringFunc(strings.Join(p.Draft, "\n"), func(mark string) string { return "[" + p.ids[mark[1:]] }) + "\n"
}
