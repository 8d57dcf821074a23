package check

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
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
	out     io.Writer
	answers *console.Answers
	name    string // of the person
	ended   bool
}

// read shows what waits in a loop, batch after batch or only one of them, until the person ends or a batch is void.
func (t *terminal) read(ctx context.Context, svc *loops.Service, st *loopstate.State, only string) error {
	in := loops.ReviewInput{Loop: st.Loop, Batch: only, Reader: loopstate.Reader{Kind: loops.ReaderPerson, Name: t.name}}
	for {
		got, err := svc.Review(ctx, in)
		switch in.Batch, in.Answers = got.Batch, nil; {
		case loopstate.Has(err, loopstate.CodeNothingToRead):
			return nil
		case err != nil || got.Left == 0 || got.Status == loopstate.BatchVoid || len(got.Items) == 0 && only != "":
			return err
		case len(got.Items) == 0: // the batch is closed
			in.Batch = ""
			continue
		}
		for _, x := range got.Refused {
			fmt.Fprintln(t.out, refusal(x))
		}
		show(t.out, named(got.Items[0], st.Sources), got.Left)
		answer, err := t.ask(ctx, got.Items[0].Item)
		if t.ended = errors.Is(err, console.ErrNoAnswer); t.ended {
			_, err = fmt.Fprintf(t.out, "%d left; the answers are kept, go on with the same command\n", got.Left)
			return err
		} else if err != nil {
			return err
		}
		in.Answers = []loopstate.ReviewAnswer{answer}
	}
}

// show writes the sentence, then file and lines with the lines as they are.
func show(out io.Writer, it verify.ReviewItem, left int) {
	b := bufio.NewWriter(out)
	defer b.Flush()
	fmt.Fprintf(b, "\n%d left\n%s\n", left, sanitize.Line(it.Claim))
	for _, p := range it.Passages {
		fmt.Fprintln(b)
		for line := range strings.Lines(loops.Given{}.Show("", p)) {
			fmt.Fprintf(b, "  %s\n", sanitize.Line(line))
		}
	}
}

// ask asks for the answer to an item. The error is [console.ErrNoAnswer] if the person ends.
func (t *terminal) ask(ctx context.Context, item string) (a loopstate.ReviewAnswer, err error) {
	a.Item = item
	for said := ""; a.Answer == ""; a.Answer = keys[strings.ToLower(said)] {
		fmt.Fprint(t.out, "\n  s supported, p partly, c contradicted, n not stated, q end: ")
		if said, err = t.answers.Next(ctx); err != nil || strings.ToLower(said) == "q" {
			return a, cmp.Or(err, console.ErrNoAnswer)
		}
	}
	if a.Answer == loopstate.AnswerPartly || a.Answer == loopstate.AnswerContradicted {
		fmt.Fprint(t.out, "  the deciding words, as they stand there: ")
		a.Quote, err = t.answers.Next(ctx)
	}
	return a, err
}
