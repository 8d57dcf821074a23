package demo

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/text/quote"
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
	tested  int               // items with which citeloop tested the reader
	missed  int               // of these, answered wrongly
	refused int               // true sentences that the reader did not find
	final   []string          // the draft's lines after correction
}

func (p *player) start(ctx context.Context) error {
	p.say("\nThe question: %s\n", p.rec.Question)
	p.say("A model's work on it was recorded on %s. We planted %d false sentences in it: %d that citeloop finds by itself,\n",
		p.rec.Recorded, len(p.rec.Planted), len(p.planted(byCiteloop)))
	p.say("%d to which it can only point, and %d that only a reader finds.\n\n", len(p.planted(byRemark)), len(p.planted(byReader)))
	return p.loop.start(ctx, p.rec.Question)
}

func (p *player) rounds(ctx context.Context) error {
	for i, round := range p.rec.Rounds {
		notes, err := p.gather(ctx, round)
		if err != nil {
			return err
		}
		if err := p.record(ctx, i+1, round); err != nil {
			return err
		}
		d, err := p.reflect(ctx, round)
		if err != nil {
			return err
		}
		p.say("Round %d: %d searches, %d texts read, %d claims recorded%s; decision: %s (%s)\n", i+1, len(round.Searches), len(round.Read),
			len(round.Claims), notes, d.NextAction, d.Rule)
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
	if err := p.call(ctx, "fetch", args{"urls": urls, "query": p.rec.Question}, &out); err != nil {
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
	claims := make([]claim, len(round.Claims))
	for i, c := range round.Claims {
		claims[i] = claim{Claim: c.Claim, SourceIDs: p.sourceIDs(c.Sources)}
	}
	var v verification
	if err := p.verify(ctx, args{"claims": claims}, &v); err != nil {
		return err
	}
	contradictions := make([]args, len(round.Contradictions))
	for i, c := range round.Contradictions {
		contradictions[i] = args{"topic": c.Topic, "why": c.Why, "source_ids": p.sourceIDs(c.Sources)}
	}
	return p.update(ctx, args{"claims": claims, "contradictions": contradictions, "operation_id": fmt.Sprintf("demo-%d", n)})
}

func (p *player) reflect(ctx context.Context, round recordedRound) (decision, error) {
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
	err := p.call(ctx, "loop_reflect", in, &out)
	return out.Decision, err
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
			p.say("  ✓ %s: %s (%s)\n", x.Kind, x.Claim, why)
		}
	}
	p.say("\n2. What it points to: remarks, which decide nothing\n")
	p.remarks = map[string]int{}
	for _, c := range v.Claims {
		for _, r := range c.Remarks {
			if i := slices.IndexFunc(p.planted(byRemark), func(x planted) bool { return sameSentence(x.Claim, c.Claim) }); i >= 0 {
				p.say("  ! %s: %s (%s)\n", p.planted(byRemark)[i].Kind, c.Claim, r)
			} else {
				p.remarks[c.Claim]++
			}
		}
	}
	p.say("  %d remarks are on true sentences. %d sentences are not read yet; without a reader citeloop calls none of them supported.\n",
		len(p.remarks), v.count(unread))
	return nil
}

// review plays back a reader's answers to the batches of the server.
func (p *player) review(ctx context.Context) error {
	p.say("\n3. What only a reader finds, who did not write the text and compares sentence and lines. No model runs now;\n")
	p.say("   played back are the recorded answers of %s\n   (to the report: the author's own assistant, "+
		"as citeloop cannot see who answers). ", p.reader)
	refused, err := p.readBatches(ctx)
	if err != nil {
		return err
	}
	p.say("Of %d hidden test items it missed %d (this script answers those: not the reader's score).\n", p.tested, p.missed)
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
			said += " (answer of " + a.by + ")"
		}
		p.say("  ✓ %s: %s\n    %s\n", x.Kind, x.Claim, said)
	}
	return nil
}

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
	Changed  []struct{ Claim, From, To, Because string }
}

func (p *player) readBatches(ctx context.Context) (refused []string, err error) {
	for range maxRounds {
		var batch reviewBatch
		if err := p.call(ctx, "review_claims", args{"limit": 40}, &batch); err != nil {
			return nil, err
		}
		given := make([]answer, len(batch.Items))
		for i, shown := range batch.shown() {
			it := batch.Items[i]
			a, ok := p.answers[it.Claim]
			switch quoted := func(text string) bool { return strings.Contains(oneLine(text), oneLine(a.Quote)) }; {
			case !ok:
				a = compare(it.Claim, shown)
			case a.Quote != "" && !slices.ContainsFunc(shown, quoted): // a test item: the sentence beside other lines
				a.Answer, a.Quote = "not_stated", ""
			}
			a.Item = it.Item
			given[i] = a
		}
		batch.Items, batch.Changed = nil, nil
		if err := p.call(ctx, "review_claims", args{"batch": batch.Batch, "answers": given}, &batch); err != nil {
			return nil, err
		}
		if batch.Planted == nil || batch.Controls == nil {
			return nil, fmt.Errorf("batch %s was not decided: %s, %d items left", batch.Batch, batch.Status, batch.Left)
		}
		p.tested, p.missed = p.tested+batch.Planted.N+batch.Controls.N,
			p.missed+batch.Planted.N-batch.Planted.Caught+batch.Controls.N-batch.Controls.Passed
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

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// compare answers for an item that no reader was recorded for: a sentence of the texts, or a sentence that its passages do not say. It
// compares words; a reader has to know what a sentence means.
func compare(claim string, passages []string) answer {
	for _, text := range passages {
		if grade, _ := quote.Find(claim, text); grade == quote.Exact || grade == quote.Normalised {
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
	p.say("\nThe count: of %d false sentences, %d were found by citeloop itself, %d pointed out by a remark and decided by the reader,\n",
		p.result.Planted, count(byCiteloop), count(byRemark))
	p.say("%d found by the reader alone, %d not caught. On true sentences: %d refused by the reader, %d with a remark.\n", count(byReader),
		p.result.Planted-p.result.Caught, p.refused, len(p.remarks))
	for _, x := range p.rec.Planted {
		if !p.caught[x.Claim] {
			p.say("  ✗ NOT caught: %s (%s: %s)\n", x.Claim, x.Kind, x.Truth)
		}
	}
	p.say("What nobody catches: %q\n  %s\n", p.rec.Beyond.Claim, strings.ReplaceAll(p.rec.Beyond.Why, "\n", " "))
	p.say("We chose these errors and recorded one good reader: this is an example, not a measurement (bench/README.md has those).\n")
	return nil
}

// correct replaces the caught sentences as the recorded model did, and checks the text again.
func (p *player) correct(ctx context.Context) error {
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
	p.say("\nThe corrected text: %s, %s\n", v.Verdict, v.summary())
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
	return map[string]string{"partly": "partly supported", "not_stated": "not in the source"}[a.Answer] +
		map[string]string{"supported": "supported", "contradicted": "contradicted"}[a.Answer]
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
	return slices.Clip(out)
}
