package check

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// keys are the answers by the keys that a person presses.
var keys = map[string]string{"s": loopstate.AnswerSupported, "p": loopstate.AnswerPartly, "c": loopstate.AnswerContradicted,
	"n": loopstate.AnswerNotStated}

// terminal shows a person item after item, and keeps each answer at once. A person who ends early goes on there the next time.
type terminal struct {
	*reviewer
	out   io.Writer
	next  func(context.Context) (string, error) // the next line that the person types
	name  string                                // of the person
	ended bool
}

func (t *terminal) read(ctx context.Context, d Draft, in loops.VerifyInput) (readings, error) {
	if t.ended {
		return nil, nil
	}
	v, err := t.begin(ctx, in, loops.JudgeNone)
	if err != nil {
		return nil, err
	}
	ask := loops.ReviewInput{Loop: t.loop, Reader: loopstate.Reader{Kind: loops.ReaderPerson, Name: t.name}}
	for {
		got, err := t.svc.Review(ctx, ask)
		if loopstate.Has(err, loopstate.CodeNothingToRead) {
			break
		}
		if err != nil {
			return nil, err
		}
		if ask.Answers = nil; len(got.Items) == 0 {
			ask.Batch = "" // the batch is closed
			if got.Left == 0 || got.Status == loopstate.BatchVoid {
				break
			}
			continue
		}
		for _, x := range got.Refused {
			fmt.Fprintln(t.out, refusal(x))
		}
		item := withNames(got.Items[0], v, d)
		show(t.out, item, got.Left)
		answer, err := t.ask(ctx, item.Item)
		if errors.Is(err, console.ErrNoAnswer) || err == nil && answer.Answer == "" {
			fmt.Fprintf(t.out, "%d left; the answers are kept, go on with the same command\n", got.Left)
			t.ended = true
			break
		}
		if err != nil {
			return nil, err
		}
		ask.Batch, ask.Answers = got.Batch, []loopstate.ReviewAnswer{answer}
	}
	return t.found(ctx)
}

// show writes the sentence, then file and lines with the lines as they are, numbered.
func show(out io.Writer, it verify.ReviewItem, left int) {
	b := bufio.NewWriter(out)
	defer b.Flush()
	fmt.Fprintf(b, "\n%d left\n%s\n", left, sanitize.Line(it.Claim))
	for _, p := range it.Passages {
		fmt.Fprintf(b, "\n  %s:%s", sanitize.Short(p.SourceID, 160), p.Lines)
		if p.Heading != "" {
			fmt.Fprintf(b, "  (%s)", sanitize.Line(p.Heading))
		}
		fmt.Fprintln(b)
		first, _, _ := strings.Cut(p.Lines, "-")
		n, err := strconv.Atoi(first)
		for line := range strings.Lines(strings.TrimRight(p.Text, "\n")) {
			if err != nil {
				fmt.Fprintf(b, "         %s\n", sanitize.Line(line))
				continue
			}
			fmt.Fprintf(b, "  %5d  %s\n", n, sanitize.Line(line))
			n++
		}
	}
}

// ask asks for the answer to an item. It is empty if the person ends.
func (t *terminal) ask(ctx context.Context, item string) (a loopstate.ReviewAnswer, err error) {
	for {
		fmt.Fprint(t.out, "\n  s supported, p partly, c contradicted, n not stated, q end: ")
		said, err := t.next(ctx)
		if err != nil {
			return a, err
		}
		said = strings.ToLower(strings.TrimSpace(said))
		if said == "q" {
			return a, nil
		}
		answer, ok := keys[said]
		if !ok {
			continue
		}
		a.Item, a.Answer = item, answer
		if answer == loopstate.AnswerPartly || answer == loopstate.AnswerContradicted {
			fmt.Fprint(t.out, "  the deciding words, as they stand there: ")
			if a.Quote, err = t.next(ctx); err != nil {
				return a, err
			}
		}
		return a, nil
	}
}
