package demo

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify/remark"
)

// player is one run of the recording.
type player struct {
	loop
	rec     recording
	answers map[string]answer
	reader  string
	dir     string
	ids     map[string]string // source ids by file
	caught  map[string]bool   // planted sentences that were caught
	remarks map[string]int    // remarks on sentences that are not planted
	told    bool              // who answers the test items
	refused int               // true sentences that the reader did not find
	final   []string          // the draft's lines after correction
}

func (p *player) start(ctx context.Context) error {
	p.say("\nThe question: %s\n", p.Question)
	p.say("A language model's work on it was recorded on %s. We planted %d false sentences in it, of three kinds:\n", p.rec.Recorded, len(p.rec.Planted))
	p.say("  %d that citeloop finds by itself, %d to which it can only point, %d that only a reader finds.\n", len(p.planted(byCiteloop)), len(p.planted(byRemark)), len(p.planted(byReader)))
	return p.loop.start(ctx)
}

func (p *player) rounds(ctx context.Context) error {
	for i, round := range p.rec.Rounds {
		p.say("\nRound %d\n", i+1)
		if err := p.search(ctx, round); err != nil {
			return err
		}
		if err := p.read(ctx, round); err != nil {
			return err
		}
		if err := p.record(ctx, i+1, round); err != nil {
			return err
		}
		if err := p.reflect(ctx, round); err != nil {
			return err
		}
	}
	return nil
}

func (p *player) search(ctx context.Context, round recordedRound) error {
	for _, s := range round.Searches {
		var out struct{ Evidence []hit }
		in := args{"channels": p.Channels, "query": s.Query, "angle": s.Angle, "limit": 6}
		if err := p.call(ctx, "run_channel", in, &out); err != nil {
			return err
		}
		fresh := 0
		for _, e := range out.Evidence {
			if !e.Seen {
				fresh++
			}
		}
		p.say("  search   %-52s %d hits, %d new\n", s.Query, len(out.Evidence), fresh)
	}
	return nil
}

func (p *player) read(ctx context.Context, round recordedRound) error {
	urls := make([]string, len(round.Read))
	for i, file := range round.Read {
		urls[i] = fileURL(p.dir, file)
	}
	var out struct {
		Sources []struct {
			source
			DuplicateOf string `json:"duplicate_of"`
			Flags       []string
		}
	}
	if err := p.call(ctx, "fetch", args{"urls": urls, "query": p.Question}, &out); err != nil {
		return err
	}
	for i, s := range out.Sources {
		if s.Status != "read" {
			return fmt.Errorf("%s: %s %s", round.Read[i], s.Status, s.Reason)
		}
		p.ids[round.Read[i]] = s.SourceID
		note := ""
		switch {
		case s.DuplicateOf != "":
			note = "a copy of " + s.DuplicateOf
		case slices.ContainsFunc(s.Flags, func(f string) bool { return strings.HasPrefix(f, "addresses_the_model") }):
			note = "gives orders to a model"
		}
		p.say("  read     %-4s %-52s %s\n", s.SourceID, sanitize.Short(s.Title, 52), note)
	}
	return nil
}

// record verifies and records the round's claims.
func (p *player) record(ctx context.Context, n int, round recordedRound) error {
	claims := make([]claim, len(round.Claims))
	for i, c := range round.Claims {
		claims[i] = claim{Claim: c.Claim, SourceIDs: p.sourceIDs(c.Sources)}
	}
	var v verification
	if err := p.verify(ctx, args{"claims": claims}, &v); err != nil {
		return err
	}
	p.say("  verify   %s\n", v.summary())
	contradictions := make([]args, len(round.Contradictions))
	for i, c := range round.Contradictions {
		contradictions[i] = args{"topic": c.Topic, "why": c.Why, "source_ids": p.sourceIDs(c.Sources)}
		p.say("  disagree %s: %s\n", strings.Join(p.sourceIDs(c.Sources), " and "), c.Topic)
	}
	return p.update(ctx, args{"claims": claims, "contradictions": contradictions, "operation_id": fmt.Sprintf("demo-%d", n)})
}

func (p *player) reflect(ctx context.Context, round recordedRound) error {
	in := args{"coverage": round.Coverage}
	if len(round.Gaps) > 0 {
		in["gaps"] = round.Gaps
	}
	if len(round.AnsweredGaps) > 0 {
		in["answered_gaps"] = round.AnsweredGaps
	}
	if round.SignOff {
		in["signoff"] = true
	}
	var out struct{ Decision decision }
	if err := p.call(ctx, "loop_reflect", in, &out); err != nil {
		return err
	}
	p.say("  decision %s (%s)\n", out.Decision.NextAction, out.Decision.Rule)
	return nil
}

// Who finds a planted sentence.
const (
	byCiteloop = "citeloop"
	byRemark   = "remark"
	byReader   = ""
)

// planted returns the planted sentences that are found so.
func (p *player) planted(by string) (out []planted) {
	for _, x := range p.rec.Planted {
		if x.By == by {
			out = append(out, x)
		}
	}
	return out
}

// draft checks the whole text before anybody has read it, and prints what citeloop finds and what it points to.
func (p *player) draft(ctx context.Context) error {
	p.final = p.rec.Draft
	var v verification
	if err := p.verify(ctx, args{"draft": p.text()}, &v); err != nil {
		return err
	}
	p.say("\n1. What citeloop finds by itself: errors, without a model and without a reader\n")
	for _, x := range p.planted(byCiteloop) {
		why := v.errorOf(x.Claim)
		if p.caught[x.Claim] = why != ""; why != "" {
			p.say("  ✓ %s: %s\n    %s\n", x.Kind, x.Claim, why)
		}
	}
	p.say("\n2. What it points to: remarks, which decide nothing\n")
	p.remarks = map[string]int{}
	for _, c := range v.Claims {
		for _, r := range c.Remarks {
			note := "a true sentence: a remark can be wrong"
			if i := slices.IndexFunc(p.planted(byRemark), func(x planted) bool { return sameSentence(x.Claim, c.Claim) }); i >= 0 {
				note = p.planted(byRemark)[i].Kind
			} else {
				p.remarks[c.Claim]++
			}
			p.say("  ! %s (%s)\n    %s\n", c.Claim, note, r)
		}
	}
	p.say("  %d sentences are not read yet, and %d of them are false. Without a reader citeloop calls none of them supported.\n", v.count(unread), len(p.planted(byRemark))+len(p.planted(byReader)))
	return nil
}

// review plays back the second reader's answers to the batches of the server.
func (p *player) review(ctx context.Context) error {
	p.say("\n3. What only a reader finds, who did not write the text and compares sentence and lines\n")
	p.say("  No model runs now. Played back are the recorded answers of %s.\n", p.reader)
	refused, err := p.readBatches(ctx)
	if err != nil {
		return err
	}
	for _, claim := range refused {
		if !slices.ContainsFunc(p.rec.Planted, func(x planted) bool { return sameSentence(x.Claim, claim) }) {
			p.refused++
		}
	}
	for _, x := range slices.Concat(p.planted(byRemark), p.planted(byReader)) {
		if !slices.ContainsFunc(refused, func(claim string) bool { return sameSentence(x.Claim, claim) }) {
			continue
		}
		p.caught[x.Claim] = true
		a := p.answers[x.Claim]
		said := a.words()
		if a.Quote != "" {
			said += fmt.Sprintf(": %q", a.Quote)
		}
		if a.by != "" {
			said += fmt.Sprintf("\n    (answer of %s)", a.by)
		}
		p.say("  ✓ %s: %s\n    %s\n", x.Kind, x.Claim, said)
	}
	return p.saveAnswers()
}

// saveAnswers writes the recorded answers beside the report.
func (p *player) saveAnswers() error {
	if err := os.MkdirAll(p.ReportDir, 0o755); err != nil {
		return fmt.Errorf("the report's folder: %w", err)
	}
	file := filepath.Join(p.ReportDir, "reader.json")
	if err := os.WriteFile(file, readerRecording, 0o644); err != nil {
		return fmt.Errorf("writing the recorded answers: %w", err)
	}
	p.say("  All %d answers as recorded, each with its quote: %s\n", len(p.answers), file)
	return nil
}

// reviewBatch is an answer of review_claims.
type reviewBatch struct {
	Batch, Status string
	Items         []struct {
		Item, Claim string
		Passages    []struct{ ID, Text string }
	}
	Left     int
	Planted  *struct{ N, Caught int }
	Controls *struct{ N, Passed int }
	Changed  []struct{ Claim, From, To, Because string }
}

func (p *player) readBatches(ctx context.Context) (refused []string, err error) {
	for range maxRounds {
		var batch reviewBatch
		if err := p.call(ctx, "review_claims", args{"limit": 40}, &batch); err != nil {
			return nil, err
		}
		given := make([]answer, len(batch.Items))
		compared := 0
		for i, shown := range batch.shown() {
			it := batch.Items[i]
			a, ok := p.answers[it.Claim]
			if !ok {
				compared++
				a = compare(it.Claim, shown)
			}
			a.Item = it.Item
			given[i] = a
		}
		items := len(batch.Items)
		batch.Items, batch.Changed = nil, nil
		if err := p.call(ctx, "review_claims", args{"batch": batch.Batch, "answers": given}, &batch); err != nil {
			return nil, err
		}
		if batch.Planted == nil || batch.Controls == nil {
			return nil, fmt.Errorf("batch %s was not decided: %s, %d items left", batch.Batch, batch.Status, batch.Left)
		}
		p.say("  batch %s: %d sentences. To test the reader, citeloop hid %d false and %d true ones among them:\n", batch.Batch, items, batch.Planted.N, batch.Controls.N)
		p.say("  it caught %d of %d and accepted %d of %d, so its answers are %s\n", batch.Planted.Caught, batch.Planted.N, batch.Controls.Passed, batch.Controls.N, batch.Status)
		if compared > 0 && !p.told {
			p.told = true
			p.say("  (test items differ in each loop and are in no recording: this script answers them by comparing words, so these scores are not the reader's)\n")
		}
		if batch.Status != "counted" {
			return nil, fmt.Errorf("the recorded reader does not fit this version of citeloop: batch %s is %s", batch.Batch, batch.Status)
		}
		for _, c := range batch.Changed {
			if c.To == "unsupported" && !slices.Contains(refused, c.Claim) {
				refused = append(refused, c.Claim)
			}
		}
		if batch.Left == 0 {
			break
		}
	}
	return refused, nil
}

// compare answers for an item that no reader was recorded for: a sentence of the texts, or a sentence that its passages do not say. It
// compares words; a reader has to know what a sentence means.
func compare(claim string, passages []string) answer {
	for _, text := range passages {
		if remark.Verbatim(claim, []remark.Block{{Text: text}}) {
			return answer{Answer: "supported", Quote: claim}
		}
	}
	return answer{Answer: "not_stated"}
}

// balance prints who caught which mistakes, and what cannot be caught.
func (p *player) balance(context.Context) error {
	count := func(by string) (n int) {
		for _, x := range p.planted(by) {
			if p.caught[x.Claim] {
				n++
			}
		}
		return n
	}
	p.result.Planted = len(p.rec.Planted)
	p.result.Caught = count(byCiteloop) + count(byRemark) + count(byReader)
	p.say("\nThe count: %d false sentences were planted\n", p.result.Planted)
	p.say("  %2d found by citeloop itself\n", count(byCiteloop))
	p.say("  %2d pointed out by a remark, decided by the reader\n", count(byRemark))
	p.say("  %2d found by the reader alone: without a reader they stay in the text, marked as not read yet\n", count(byReader))
	p.say("  %2d not caught\n", p.result.Planted-p.result.Caught)
	p.say("  On true sentences: %d refused by the reader, %d with a remark\n", p.refused, len(p.remarks))
	for _, x := range p.rec.Planted {
		if !p.caught[x.Claim] {
			p.say("  ✗ NOT caught: %s (%s: %s)\n", x.Claim, x.Kind, x.Truth)
		}
	}
	p.say("What nobody catches: %q\n", p.rec.Beyond.Claim)
	for line := range strings.SplitSeq(p.rec.Beyond.Why, "\n") {
		p.say("  %s\n", line)
	}
	p.say("We chose these errors and recorded one good reader: this is an example, not a measurement (bench/README.md has those).\n")
	return nil
}

// correct replaces the caught sentences as the recorded model did, and checks the text again.
func (p *player) correct(ctx context.Context) error {
	p.say("\nThe corrected text\n")
	var lines []string
	for _, line := range p.rec.Draft {
		instead, drop := line, false
		for _, planted := range p.rec.Planted {
			if p.caught[planted.Claim] && strings.HasPrefix(line, strings.TrimSuffix(planted.Claim, ".")) {
				instead, drop = planted.Instead, planted.Instead == ""
			}
		}
		if !drop {
			lines = append(lines, instead)
		}
	}
	p.final = lines
	var retracted []string // those of the draft alone were never recorded
	for _, x := range slices.Concat(p.planted(byRemark), p.planted(byReader)) {
		if p.caught[x.Claim] {
			retracted = append(retracted, x.Claim)
		}
	}
	if err := p.update(ctx, args{"retract_claims": retracted}); err != nil {
		return err
	}
	var v verification
	if err := p.verify(ctx, args{"draft": p.text()}, &v); err != nil {
		return err
	}
	if v.count(unread) > 0 {
		if _, err := p.readBatches(ctx); err != nil {
			return err
		}
		if err := p.verify(ctx, args{"draft": p.text()}, &v); err != nil {
			return err
		}
	}
	p.say("  verify   %s: %s\n", v.Verdict, v.summary())
	return nil
}

func (p *player) report(ctx context.Context) error {
	return p.writeReports(ctx, p.text())
}

var citedFile = regexp.MustCompile(`\[[a-z-]+\.(?:html|md|txt)`)

// text returns the draft with source ids in place of file names.
func (p *player) text() string {
	return citedFile.ReplaceAllStringFunc(strings.Join(p.final, "\n"), func(mark string) string {
		return "[" + p.ids[mark[1:]]
	}) + "\n"
}

func (p *player) sourceIDs(files []string) []string {
	out := make([]string, len(files))
	for i, f := range files {
		out[i] = p.ids[f]
	}
	return out
}

// words is the answer as people see it.
func (a answer) words() string {
	for _, r := range readerAnswers {
		if r.answer == a.Answer {
			return r.words
		}
	}
	return a.Answer
}

// shown returns the texts of each item's passages, which are in full with their first item.
func (b reviewBatch) shown() [][]string {
	out := make([][]string, len(b.Items))
	texts := map[string]string{}
	for i, it := range b.Items {
		for _, passage := range it.Passages {
			if texts[passage.ID] == "" {
				texts[passage.ID] = passage.Text
			}
			out[i] = append(out[i], texts[passage.ID])
		}
	}
	return slices.Clip(out)
}
