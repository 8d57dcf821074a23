package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
)

const (
	reviewsFile = "reviews.db" // of batches, in the data folder
	reviewDays  = 90           // that it keeps them; chosen
)

// service returns the use cases over a store; nil is none, for checks that record nothing.
func (run *verifyRun) service(store loopstate.Store, model loops.ClaimReader) *loops.Service {
	const patient = 24 * time.Hour // the person can interrupt
	return loops.New(loops.Config{Store: store, Reader: run.pages, ClaimReader: model, Owner: loops.LocalOwner, Now: time.Now,
		NewID: setup.NewID, Generator: generator, Logger: slog.New(slog.DiscardHandler), Patience: patient, MaxCited: maxAddresses})
}

// openService sets what checks the drafts. With --read it is a new loop, whose store sees to it that each answer is kept at once, that a
// batch is answered once, and that a void one stays void. What readers found in an earlier one is known: a file has answers to it, or a
// person goes on with it. The caller closes the store, which is nil without --read.
func (run *verifyRun) openService(ctx context.Context, drafts []Draft) (store loopstate.Store, err error) {
	path, model := filepath.Join(run.settings.DataDir, reviewsFile), loops.ClaimReader(nil)
	switch run.read {
	case "":
		run.svc = run.service(nil, nil)
		return nil, nil
	case readModel:
		path = sqlite.Memory
		if model, err = setup.OpenClaimReader(run.settings); err == nil && model == nil {
			err = console.Usagef("--read=model needs a model: set CITELOOP_READER_URL and CITELOOP_READER_MODEL " +
				"(docs/verdicts.md#the-reader)")
		}
		if err != nil {
			return nil, err
		}
	case readTerminal:
		name := cmp.Or(run.p.Env("USER"), run.p.Env("USERNAME"))
		run.terminal = &terminal{out: run.p.Stdout, answers: console.NewAnswers(run.p.Stdin), name: name}
	}
	if store, err = sqlite.Open(ctx, path, sqlite.Options{}); err != nil {
		return nil, fmt.Errorf("opening the store of reviews: %w", err)
	}
	run.svc = run.service(store, model)
	question := "review"
	for _, d := range drafts {
		if len(question) < loopstate.MaxTextChars/4 {
			question += " " + absolute(d.Name)
		}
	}
	if err = run.goOn(ctx, question); err == nil && run.toFile() {
		err = run.take(ctx)
	}
	if err != nil {
		return store, err
	}
	tokens := 100_000_000 // the user's own budget is with the endpoint
	started, err := run.svc.Start(ctx, loopstate.StartInput{Query: question, Complexity: "simple",
		Budget: loopstate.Amounts{Tokens: &tokens}})
	run.loop = started.StateID
	return store, err
}

// goOn has a person read on in the batch of the same drafts that is open. Reviews that are older than reviewDays are deleted.
func (run *verifyRun) goOn(ctx context.Context, question string) error {
	heads, err := run.svc.Heads(ctx)
	for _, h := range heads {
		if time.Since(h.UpdatedAt) > reviewDays*24*time.Hour {
			err = errors.Join(err, run.svc.Delete(ctx, h.Loop))
		} else if h.Query == question && run.read == readTerminal && run.earlier == nil && err == nil {
			if run.earlier, err = run.svc.Snapshot(ctx, h.Loop, 0); err == nil && run.earlier.Review("") == nil {
				run.earlier = nil
			}
		}
	}
	if err != nil || run.earlier == nil {
		return err
	}
	if err = run.terminal.read(ctx, run.svc, run.earlier, run.earlier.Review("").Batch); err == nil {
		run.earlier, err = run.svc.Snapshot(ctx, run.earlier.Loop, 0)
	}
	return err
}

// verify checks a draft, and has what waits read: by the model within the check, by a person after it, or by whoever gets the file.
func (run *verifyRun) verify(ctx context.Context, d Draft) (v verify.Result, err error) {
	in := loops.VerifyInput{Loop: run.loop, Scratch: run.loop == "", Draft: d.Text, Threshold: verify.DefaultThreshold,
		Resolve: run.pages.linksOf(d.Name), Known: run.known(d)}
	if run.read == readModel {
		in.Judge = loops.JudgeModel
	}
	v, err = run.svc.Verify(ctx, in)
	for _, flag := range v.Flags {
		if why, ok := strings.CutPrefix(flag, loops.FlagNotReviewed+": "); ok {
			run.notes = append(run.notes, "review: "+why)
		}
	}
	if err != nil || len(v.Pending) == 0 || run.read != readTerminal || run.terminal.ended {
		return v, err
	}
	st, err := run.svc.Snapshot(ctx, run.loop, 0)
	if err == nil {
		err = run.terminal.read(ctx, run.svc, st, "")
	}
	if err != nil {
		return v, err
	}
	return run.svc.Verify(ctx, in)
}

// known returns what is known about the claims of a draft from an earlier review or its lock.
func (run *verifyRun) known(d Draft) func(verify.Claim) (loopstate.Reading, bool) {
	return func(c verify.Claim) (reading loopstate.Reading, ok bool) {
		if run.earlier != nil {
			reading, ok = run.earlier.Readings[c.Key]
			reading.Loop = run.earlier.Loop
		}
		if !ok {
			reading, ok = d.lock.reading(d.Name, c)
		}
		return reading, ok
	}
}

// named returns an item with the names of its sources in place of their ids.
func named(it verify.ReviewItem, sources []loopstate.Source) verify.ReviewItem {
	for i, p := range it.Passages {
		if at := slices.IndexFunc(sources, func(src loopstate.Source) bool { return src.ID == p.SourceID }); at >= 0 {
			it.Passages[i].SourceID = nameOf(sources[at].FinalURL)
		}
	}
	return it
}

// readers says who has read in a loop, and how careful they were.
func readers(st *loopstate.State) (notes []string) {
	if st == nil {
		return nil
	}
	read := slices.DeleteFunc(slices.Clone(st.Reviews), func(b loopstate.Review) bool {
		return len(b.Readers) == 0 || b.Status == loopstate.BatchOpen
	})
	for i, b := range read {
		if b.Status == loopstate.BatchVoid && i < len(read)-1 {
			continue // said before
		}
		note := "reader not tested, the texts are too short"
		if b.Planted.N+b.Controls.N > 0 {
			note = fmt.Sprintf("caught %d of %d planted errors and passed %d of %d controls", b.Planted.Good, b.Planted.N,
				b.Controls.Good, b.Controls.N)
		}
		if b.Status == loopstate.BatchVoid {
			note += "; it is void and changed nothing: read again, with other test items"
		}
		notes = append(notes, fmt.Sprintf("review %s by %s: %s", b.Batch, sanitize.Short(b.Readers[0].String(), 60), note))
	}
	return notes
}

// refusal says why an answer was refused.
func refusal(x loops.RefusedAnswer) string {
	out := fmt.Sprintf("%s: the quote is not in its lines: %q", x.Item, sanitize.Short(x.Quote, sentenceChars))
	if x.Nearest != "" {
		out += fmt.Sprintf("; nearest: %q", sanitize.Short(x.Nearest, sentenceChars))
	}
	return out
}
