package check

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/check"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// keys are the answers by the keys that a person presses.
var keys = map[string]string{"s": loopstate.AnswerSupported, "p": loopstate.AnswerPartly, "c": loopstate.AnswerContradicted,
	"n": loopstate.AnswerNotStated}

// typed returns the next line that a person types.
type typed func(context.Context) (string, error)

// readAtTerminal shows a person item after item, and keeps each answer at once. next returns the next line that the person types. Who ends
// early goes on where he was.
func readAtTerminal(r *check.Review, out io.Writer, next typed, name string) check.Reads {
	ended := false
	return func(ctx context.Context, d check.Draft, in loops.VerifyInput) (check.Readings, error) {
		if ended {
			return nil, nil
		}
		v, err := r.Begin(ctx, in, loops.JudgeNone)
		if err != nil {
			return nil, err
		}
		ask := loops.ReviewInput{Loop: r.Loop, Reader: loopstate.Reader{Kind: loops.ReaderPerson, Name: name}}
		for {
			got, err := r.Service.Review(ctx, ask)
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
				fmt.Fprintln(out, check.Refusal(x))
			}
			item := check.ItemOf(got.Items[0], v, d.Name)
			show(out, item, got.Left)
			answer, err := askFor(ctx, item.Item, out, next)
			if errors.Is(err, io.EOF) || err == nil && answer.Answer == "" {
				fmt.Fprintf(out, "%d left; the answers are kept, go on with the same command\n", got.Left)
				ended = true
				break
			}
			if err != nil {
				return nil, err
			}
			ask.Batch, ask.Answers = got.Batch, []loopstate.ReviewAnswer{answer}
		}
		return r.Found(ctx)
	}
}

// show writes the sentence, then file and lines with the lines as they are, numbered.
func show(out io.Writer, it check.Item, left int) {
	b := bufio.NewWriter(out)
	defer b.Flush()
	fmt.Fprintf(b, "\n%d left\n%s\n", left, sanitize.Line(it.Claim))
	for _, p := range it.Passages {
		fmt.Fprintf(b, "\n  %s:%s", sanitize.Short(p.Source, 160), p.Lines)
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

// askFor asks for the answer to an item. It is empty if the person ends.
func askFor(ctx context.Context, item string, out io.Writer, next typed) (a loopstate.ReviewAnswer, err error) {
	for {
		fmt.Fprint(out, "\n  s supported, p partly, c contradicted, n not stated, q end: ")
		said, err := next(ctx)
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
			fmt.Fprint(out, "  the deciding words, as they stand there: ")
			if a.Quote, err = next(ctx); err != nil {
				return a, err
			}
		}
		return a, nil
	}
}
