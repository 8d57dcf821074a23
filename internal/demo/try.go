package demo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/research"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify/reader"
)

// tryQuery finds the lines about which the user writes a sentence.
const tryQuery = "injuries on electric scooters rose"

// readerAnswer is an answer of a reader with the key that chooses it and its words.
type readerAnswer struct{ key, answer, words string }

var readerAnswers = []readerAnswer{
	{"1", "supported", "supported"},
	{"2", "partly", "partly supported"},
	{"3", "contradicted", "contradicted"},
	{"4", "not_stated", "not in the source"},
}

// try lets the user write a sentence about lines of the texts, and read it as a second reader does. The sentence is retracted afterwards.
func (p *player) try(ctx context.Context) error {
	if p.Ask == nil {
		return nil
	}
	var found struct{ Passages []passage }
	if err := p.call(ctx, "find_passages", args{"query": tryQuery, "limit": 1}, &found); err != nil {
		return err
	}
	if len(found.Passages) == 0 {
		return nil
	}
	at := found.Passages[0]
	lines := at.SourceID + ":" + at.Lines
	p.say("\nTry it yourself. These are the lines %s:\n  %s\n", lines, strings.Join(strings.Fields(at.Text), " "))
	sentence, ok := p.Ask(ctx, "Write a sentence about them, true or false (Enter alone skips): ")
	if sentence = strings.TrimSpace(marks.ReplaceAllString(sentence, "")); !ok || sentence == "" {
		p.say("Skipped.\n")
		return nil
	}
	own := claim{Claim: sentence, SourceIDs: []string{lines}}
	err := p.tryReading(ctx, own)
	if refused, ok := errors.AsType[*research.ToolError](err); ok {
		p.say("This sentence cannot be read: %s\n", sanitize.Short(refused.Error(), 300))
		err = nil
	}
	return errors.Join(err, ignoreRefusal(p.update(ctx, args{"retract_claims": []string{sentence}})))
}

// ignoreRefusal drops the answer of a tool that it refuses: a sentence that was not recorded cannot be retracted.
func ignoreRefusal(err error) error {
	if _, refused := errors.AsType[*research.ToolError](err); refused {
		return nil
	}
	return err
}

func (p *player) tryReading(ctx context.Context, own claim) error {
	alone, err := p.verdict(ctx, own)
	if err != nil {
		return err
	}
	p.say("\nciteloop by itself: not read yet. %s\n", remarksOf(alone.Remarks))
	if p.Reader != "" {
		line, _ := p.Ask(ctx, fmt.Sprintf("Shall your model %s read it? It is sent the sentence, the lines and test sentences (y, or Enter for no): ", p.Reader))
		if strings.HasPrefix(strings.ToLower(line), "y") {
			return p.tryModel(ctx, own)
		}
	}
	if err := p.update(ctx, args{"claims": []claim{own}}); err != nil {
		return err
	}
	var batch reviewBatch
	if err := p.call(ctx, "review_claims", args{"limit": 40}, &batch); err != nil {
		return err
	}
	p.say("\nNow read, as somebody who did not write it. Only the lines count, not what you know.\n")
	given, shown := make([]answer, len(batch.Items)), batch.shown()
	mine, test := -1, -1 // the user's sentence, and one that citeloop made false
	for i, it := range batch.Items {
		given[i] = compare(it.Claim, shown[i])
		given[i].Item = it.Item
		switch {
		case it.Claim == own.Claim:
			mine = i
		case given[i].Answer != "supported" && (test < 0 || len(shown[i]) < len(shown[test])):
			test = i
		}
	}
	if mine < 0 || test < 0 {
		p.say("No test sentence can be made here, so nothing is decided.\n")
		return nil
	}
	for n, i := range []int{mine, test} {
		p.say("\n(%d of 2) Sentence: %s\n", n+1, sanitize.Short(batch.Items[i].Claim, 300))
		if ok := p.askAnswer(ctx, &given[i], shown[i]); !ok {
			p.say("Skipped.\n")
			return nil
		}
	}
	asked := batch.Items[test].Claim
	batch.Changed = nil
	if err := p.call(ctx, "review_claims", args{"batch": batch.Batch, "answers": given}, &batch); err != nil {
		return err
	}
	if batch.Planted == nil {
		p.say("The batch is %s: nothing was decided.\n", batch.Status)
		return nil
	}
	p.say("\nOne of these was a test: citeloop wrote %q, which is false.\n", sanitize.Short(asked, 200))
	p.say("A reader who calls such sentences supported has not read, and is not believed. Caught: %d of %d (this script\nanswered the other test sentences), so this reading is %s.\n", batch.Planted.Caught, batch.Planted.N, batch.Status)
	got, err := p.verdict(ctx, own)
	if err != nil {
		return err
	}
	said := given[mine].words()
	switch {
	case batch.Status != "counted":
		said = "not read yet"
	case !got.Read:
		said += ", in these lines: a reader would now be shown others of the sources"
	}
	receipt := "lines " + own.SourceIDs[0]
	if quote := given[mine].Quote; quote != "" {
		receipt += fmt.Sprintf(", the words %q", quote)
	}
	p.say("Verdict: %s\nReceipt: %s, read by you as item %s. (Outside a demo the author of a sentence is not its reader.)\n", said, receipt, given[mine].Item)
	return nil
}

// tryModel has the configured model read the sentence.
func (p *player) tryModel(ctx context.Context, own claim) error {
	var v verification
	if err := p.verify(ctx, args{"claims": []claim{own}, "judge": "llm"}, &v); err != nil {
		return err
	}
	for _, c := range v.Claims {
		said := "not read yet"
		switch {
		case c.Read && c.Status == "grounded":
			said = "supported"
		case c.Read:
			said = c.Because
		}
		p.say("%s: %s\n", p.Reader, said)
	}
	for _, flag := range v.Flags {
		if why, ok := strings.CutPrefix(flag, "not_reviewed: "); ok {
			p.say("  %s\n", why)
		}
	}
	return nil
}

// askAnswer asks for the answer to an item, and for the words that decide. ok is false if the user skips.
func (p *player) askAnswer(ctx context.Context, a *answer, shown []string) (ok bool) {
	var lines []reader.Passage
	for _, text := range shown {
		p.say("  The lines: %s\n", strings.Join(strings.Fields(text), " "))
		lines = append(lines, reader.Passage{Text: text})
	}
	chosen := -1
	for chosen < 0 {
		line, ok := p.Ask(ctx, "1 supported, 2 partly supported, 3 contradicted, 4 not in the source (Enter alone skips): ")
		if line = strings.ToLower(line); !ok || line == "" {
			return false
		}
		chosen = slices.IndexFunc(readerAnswers, func(r readerAnswer) bool { return line == r.key || strings.HasPrefix(r.words, line) })
	}
	a.Answer, a.Quote = readerAnswers[chosen].answer, ""
	for a.Answer != "not_stated" && a.Quote == "" {
		line, ok := p.Ask(ctx, "Copy the words of the lines that decide: ")
		if !ok || line == "" {
			return false
		}
		if a.Quote = line; !reader.QuoteFound(line, lines) {
			p.say("These words are not in the lines. ")
			a.Quote = ""
		}
	}
	return true
}
