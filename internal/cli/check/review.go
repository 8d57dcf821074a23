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

// readings are what readers found, by the keys of the sentences.
type readings map[string]loopstate.Reading

// reviewer has somebody read the waiting sentences of drafts. Items, test items and answers are in a loop, whose store sees to it that
// each answer is kept at once, that a batch is answered once, and that a void one stays void. Nil is nobody.
type reviewer struct {
	svc      *loops.Service
	store    loopstate.Store
	by       string              // --read
	question string              // of the loop: what is checked
	loop     string              // "" until the first draft
	notes    []string            // who read, and how careful they were
	items    []verify.ReviewItem // for a file, with the names of their sources
	terminal *terminal           // nil: another way of reading
}

// service returns the use cases over a store; nil is none, for checks that record nothing.
func (run *verifyRun) service(store loopstate.Store, model loops.ClaimReader) *loops.Service {
	const patient = 24 * time.Hour // the person can interrupt
	return loops.New(loops.Config{Store: store, Reader: run.pages, ClaimReader: model, Owner: loops.LocalOwner, Now: time.Now,
		NewID: setup.NewID, Generator: generator, Logger: slog.New(slog.DiscardHandler), Patience: patient, MaxCited: maxAddresses})
}

// openReviewer sets who reads, and takes the answers that are in a file.
func (run *verifyRun) openReviewer(ctx context.Context, drafts []Draft) (err error) {
	path, model := filepath.Join(run.settings.DataDir, reviewsFile), loops.ClaimReader(nil)
	switch run.read {
	case "":
		return nil
	case readModel:
		path = sqlite.Memory
		if model, err = setup.OpenClaimReader(run.settings); err == nil && model == nil {
			err = console.Usagef("--read=model needs a model: set CITELOOP_READER_URL and CITELOOP_READER_MODEL " +
				"(docs/verdicts.md#the-reader)")
		}
		if err != nil {
			return err
		}
	}
	store, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return fmt.Errorf("opening the store of reviews: %w", err)
	}
	r := &reviewer{svc: run.service(store, model), store: store, by: run.read, question: "review"}
	if run.read == readTerminal {
		name := cmp.Or(run.p.Env("USER"), run.p.Env("USERNAME"))
		r.terminal = &terminal{out: run.p.Stdout, answers: console.NewAnswers(run.p.Stdin), name: name}
	}
	run.reviewer = r
	for _, d := range drafts {
		if len(r.question) < loopstate.MaxTextChars/4 {
			r.question += " " + absolute(d.Name)
		}
	}
	if err = r.goOn(ctx); err == nil && strings.HasSuffix(run.read, fileOfItems) {
		err = run.take(ctx)
	}
	return err
}

// goOn goes on with the first batch of the same question that is open. Reviews that are older than reviewDays are deleted.
func (r *reviewer) goOn(ctx context.Context) error {
	heads, err := r.svc.Heads(ctx)
	for _, h := range heads {
		if time.Since(h.UpdatedAt) > reviewDays*24*time.Hour {
			err = errors.Join(err, r.svc.Delete(ctx, h.Loop))
		} else if h.Query == r.question && r.loop == "" {
			st, failed := r.svc.Snapshot(ctx, h.Loop, 0)
			if failed != nil {
				return failed
			}
			if st.OpenReview() != nil {
				r.loop = h.Loop
			}
		}
	}
	return err
}

// read has what waits in a draft read. It returns what was found, nothing if that is done later.
func (r *reviewer) read(ctx context.Context, d Draft, in loops.VerifyInput) (readings, error) {
	if r.terminal != nil && r.terminal.ended {
		return nil, nil
	}
	if r.loop == "" {
		tokens := 100_000_000 // the user's own budget is with the endpoint
		started, err := r.svc.Start(ctx, loopstate.StartInput{Query: r.question, Complexity: "simple",
			Budget: loopstate.BudgetInput{Tokens: &tokens}})
		if err != nil {
			return nil, err
		}
		r.loop = started.StateID
	}
	in.Scratch, in.Loop, in.Judge = false, r.loop, loops.JudgeNone
	if r.by == readModel {
		in.Judge = loops.JudgeModel
	}
	v, err := r.svc.Verify(ctx, in)
	if err != nil {
		return nil, err
	}
	named := func(it verify.ReviewItem) verify.ReviewItem {
		it.Passages = slices.Clone(it.Passages)
		for i, p := range it.Passages {
			it.Passages[i].SourceID = cmp.Or(nameOf(v.SourceURL(p.SourceID)), p.SourceID)
		}
		return it
	}
	switch {
	case strings.HasSuffix(r.by, fileOfItems):
		return nil, r.collect(ctx, named)
	case r.terminal != nil:
		if err := r.terminal.read(ctx, r.svc, r.loop, named); err != nil {
			return nil, err
		}
	}
	found, err := r.found(ctx)
	for _, flag := range v.Flags {
		if why, ok := strings.CutPrefix(flag, loops.FlagNotReviewed+": "); ok {
			r.notes = append(r.notes, "review: "+why)
		}
	}
	return found, err
}

// found returns what the readers of the loop found, and notes how careful they were.
func (r *reviewer) found(ctx context.Context) (readings, error) {
	r.notes = nil
	st, err := r.svc.Snapshot(ctx, r.loop, 0)
	if err != nil {
		return nil, err
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
		r.notes = append(r.notes, fmt.Sprintf("review %s by %s: %s", b.Batch, sanitize.Short(b.Readers[0].String(), 60), note))
	}
	return st.Readings, nil
}

// refusal says why an answer was refused.
func refusal(x loops.RefusedAnswer) string {
	out := fmt.Sprintf("%s: the quote is not in its lines: %q", x.Item, sanitize.Short(x.Quote, sentenceChars))
	if x.Nearest != "" {
		out += fmt.Sprintf("; nearest: %q", sanitize.Short(x.Nearest, sentenceChars))
	}
	return out
}
