package check

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/check"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/review"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
)

const (
	reviewsFile     = "reviews.db" // of batches, in the data folder
	reviewDays      = 90           // that it keeps them; chosen
	maxAnswersBytes = 8 << 20
)

// service returns the use cases over a store; nil is none, for checks that record nothing.
func (run *verifyRun) service(pages *check.Pages, store loopstate.Store, model loops.ClaimReader) *loops.Service {
	const patient = 24 * time.Hour // the person can interrupt
	return loops.New(loops.Config{Store: store, Reader: pages, ClaimReader: model, Owner: loops.LocalOwner, Now: time.Now,
		NewID: setup.NewID, Generator: "citeloop " + console.Version, Logger: slog.New(slog.DiscardHandler), Patience: patient,
		MaxCited: check.MaxAddresses})
}

// review returns who reads, and puts what was found before into the configuration; nil if nobody does. done closes its store.
func (run *verifyRun) review(ctx context.Context, pages *check.Pages, cfg *check.Config, drafts []check.Draft) (
	out *check.Review, done func(), err error) {
	done = func() {}
	if run.read == "" {
		return nil, done, nil
	}
	path := filepath.Join(run.settings.DataDir, reviewsFile)
	var model loops.ClaimReader
	if run.read == readModel {
		path = sqlite.Memory
		if model, err = setup.OpenClaimReader(run.settings); err == nil && model == nil {
			err = console.Usagef("--read=model needs a model: set CITELOOP_READER_URL and CITELOOP_READER_MODEL " +
				"(docs/verdicts.md#the-reader)")
		}
		if err != nil {
			return nil, done, err
		}
	}
	store, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return nil, done, fmt.Errorf("opening the store of reviews: %w", err)
	}
	done = func() { _ = store.Close() } // what it has acknowledged is on disk
	question := "review"
	for _, d := range drafts {
		if full, err := filepath.Abs(d.Name); err == nil && len(question) < loopstate.MaxTextChars/4 {
			question += " " + full
		}
	}
	out = &check.Review{Service: run.service(pages, store, model), Question: question}
	if err := forgetOld(ctx, out.Service); err != nil {
		return nil, done, err
	}
	if cfg.Known, err = out.Earlier(ctx); err != nil {
		return nil, done, err
	}
	if run.noLock {
		cfg.Known = check.Readings{}
	}
	switch run.read {
	case readModel:
		cfg.Read = out.ByModel
	case readTerminal:
		name := cmp.Or(run.p.Env("USER"), run.p.Env("USERNAME"))
		cfg.Read = readAtTerminal(out, run.p.Stdout, console.NewAnswers(run.p.Stdin).Next, name)
	default:
		cfg.Read = out.ForFile
		err = run.takeAnswers(ctx, out, cfg.Known)
	}
	return out, done, err
}

// forgetOld deletes reviews that are older than reviewDays.
func forgetOld(ctx context.Context, svc *loops.Service) error {
	heads, err := svc.Heads(ctx)
	for _, h := range heads {
		if time.Since(h.UpdatedAt) > reviewDays*24*time.Hour {
			err = errors.Join(err, svc.Delete(ctx, h.Loop))
		}
	}
	return err
}

// takeAnswers takes the answers of the file of --read, if it is there.
func (run *verifyRun) takeAnswers(ctx context.Context, review *check.Review, known check.Readings) error {
	if _, err := os.Lstat(run.read); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	body, err := safefile.ReadInput(run.read, run.p.Stdin, maxAnswersBytes)
	if err != nil {
		return err
	}
	var answers check.Batch
	if err := json.Unmarshal(body, &answers); err != nil {
		return console.Usagef("%s: invalid answers: %w; use {batch, reader, answers[{item, answer, quote}]}", run.read, err)
	}
	found, err := review.Take(ctx, answers, run.read)
	if err != nil {
		return console.Usagef("%s: %w", run.read, err)
	}
	maps.Copy(known, found)
	return nil
}

// writeBatch writes what is left to read for any reader, and as a page for people. The files do not reveal which items are tests.
func (run *verifyRun) writeBatch(from *check.Review) error {
	batch := from.File()
	switch {
	case !strings.HasSuffix(run.read, fileOfItems):
		return nil
	case len(batch.Items) == 0:
		fmt.Fprintf(run.p.Stderr, "no sentence is left to read: %s stays as it is\n", run.read)
		return nil
	}
	sheet := run.sheet()
	err := safefile.WriteFile(run.read, func(w io.Writer) error { return console.WriteJSON(w, batch) })
	if err == nil {
		err = safefile.WriteFile(sheet, func(w io.Writer) error { return review.WriteFile(w, batch.Batch, pageOf(from.Items)) })
	}
	if err == nil {
		fmt.Fprintf(run.p.Stderr, "wrote %s to %s and, as a page for people, to %s; with the answers: citeloop verify --read=%s %s\n",
			console.Counted(len(batch.Items), "item", "items"), run.read, sheet, "ANSWERS.json", run.named())
	}
	return err
}

// sheet is the name of the page beside the file of items.
func (run *verifyRun) sheet() string { return strings.TrimSuffix(run.read, fileOfItems) + ".html" }

// pageOf returns items for the page.
func pageOf(items []check.Item) (out []verify.ReviewItem) {
	for _, it := range items {
		item := verify.ReviewItem{Item: it.Item, Claim: it.Claim}
		for _, p := range it.Passages {
			at := loopstate.ReviewWindow{SourceID: p.Source, Lines: p.Lines, Heading: p.Heading}
			item.Passages = append(item.Passages, reader.Passage{ReviewWindow: at, Text: p.Text})
		}
		out = append(out, item)
	}
	return out
}
