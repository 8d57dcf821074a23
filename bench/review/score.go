package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/citeloop/citeloop/internal/grounding/review"
	"github.com/citeloop/citeloop/loopstate"
)

// answerFile has a reader's answers for one batch.
type answerFile struct {
	Batch   string                   `json:"batch"`
	Reader  string                   `json:"reader"`
	Answers []loopstate.ReviewAnswer `json:"answers"`
}

// answers of one reader: batch -> item -> answer.
type answers map[string]map[string]loopstate.ReviewAnswer

// readAnswers reads answers from a file, from all files *.json of a folder, or from files that match a pattern.
func readAnswers(where string) ([]answerFile, error) {
	if info, err := os.Stat(where); err == nil && info.IsDir() {
		where = filepath.Join(where, "*.json")
	}
	names, err := filepath.Glob(where)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("no answers: %s", where)
	}
	var out []answerFile
	for _, name := range names {
		var f answerFile
		if err := readJSON(name, &f); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

func readJSON(name string, v any) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// check reports whether the key was made from the set.
func (k key) check(s set) error {
	claims := s.byID()
	for _, b := range k.Batches {
		for _, it := range b.Items {
			if c, ok := claims[it.Key]; it.Key != "" && (!ok || c.Claim != it.Claim) {
				return fmt.Errorf("item %s is not the claim %s of the set; use the set that the key was made from", it.Item, it.Key)
			}
		}
	}
	return nil
}

func (s set) byID() map[string]claim {
	out := map[string]claim{}
	for _, c := range s.Claims {
		out[c.ID] = c
	}
	return out
}

// accept checks answers against the items, and looks up their quotes in the passages.
func (k key) accept(s set, files []answerFile) (answers, error) {
	out := answers{}
	for _, f := range files {
		i := slices.IndexFunc(k.Batches, func(b batchKey) bool { return b.Batch == f.Batch })
		switch {
		case i < 0:
			return nil, fmt.Errorf("unknown batch: %s", f.Batch)
		case out[f.Batch] != nil:
			return nil, fmt.Errorf("batch %s is answered twice; give the answers of one reader", f.Batch)
		}
		given, err := k.Batches[i].accept(s, f.Answers)
		if err != nil {
			return nil, fmt.Errorf("batch %s: %w", f.Batch, err)
		}
		out[f.Batch] = given
	}
	return out, nil
}

func (b batchKey) accept(s set, given []loopstate.ReviewAnswer) (map[string]loopstate.ReviewAnswer, error) {
	out := map[string]loopstate.ReviewAnswer{}
	for _, a := range given {
		i := slices.IndexFunc(b.Items, func(it loopstate.ReviewItem) bool { return it.Item == a.Item })
		if i < 0 {
			return nil, fmt.Errorf("unknown item: %s", a.Item)
		}
		if _, ok := out[a.Item]; ok {
			return nil, fmt.Errorf("item is answered twice: %s", a.Item)
		}
		if !slices.Contains(loopstate.ReviewAnswers(), a.Answer) {
			return nil, fmt.Errorf("%s: unknown answer: %q", a.Item, a.Answer)
		}
		a.Found = review.QuoteFound(a.Quote, s.passages(b.Items[i]))
		out[a.Item] = a
	}
	return out, nil
}

// batchResult is the referee's result for one batch.
type batchResult struct {
	batchKey
	planted, controls loopstate.Tally
	status            string
	unquoted          int // answers that count as not_stated because their quote is not in the passages
}

// outcome has the verdicts of both keys on the claims of the answered batches.
type outcome struct {
	claims    []claim
	first     map[string]string // claim id -> status by key 1
	both      map[string]string
	unsampled map[string]string                 // as both, without the readings of claims that wording grounds
	sampled   int                               // claims that wording grounds and the reader saw
	answers   map[string]loopstate.ReviewAnswer // claim id -> the answer that changed or confirmed its status
	flags     map[string]int
	batches   []batchResult
	unread    []string // batches without answers
	pending   int      // pending claims of the answered batches
	chars     int      // of everything that the reader was shown
	items     int
}

// judge applies a reader's answers like the referee of a loop.
func (k key) judge(s set, given answers) outcome {
	out := outcome{first: k.ByWording, both: map[string]string{}, unsampled: map[string]string{}, answers: map[string]loopstate.ReviewAnswer{}, flags: map[string]int{}}
	claims := s.byID()
	for _, b := range k.Batches {
		read, ok := given[b.Batch]
		if !ok {
			out.unread = append(out.unread, b.Batch)
			continue
		}
		for _, id := range b.Claims {
			out.claims = append(out.claims, claims[id])
			out.both[id], out.unsampled[id] = k.ByWording[id], k.ByWording[id]
		}
		r := batchResult{batchKey: b}
		r.planted, r.controls, r.status = loopstate.Referee(b.Items, read)
		out.chars += b.chars(s)
		for _, it := range b.Items {
			out.items++
			switch it.Role {
			case loopstate.ReviewPending:
				out.pending++
			case loopstate.ReviewSample:
				out.sampled++
			}
			a := read[it.Item]
			if a.Answer != "" && a.Counts() != a.Answer {
				r.unquoted++
			}
			if r.status != loopstate.BatchCounted || it.Key == "" {
				continue
			}
			status, _, flag := loopstate.AfterReading(k.ByWording[it.Key], a.Counts())
			out.both[it.Key], out.answers[it.Key] = status, a
			if it.Role == loopstate.ReviewPending {
				out.unsampled[it.Key] = status
			}
			if flag != "" {
				out.flags[flag]++
			}
		}
		out.batches = append(out.batches, r)
	}
	return out
}

func scoreFiles(s set, keyFile, where string, listErrors bool, w io.Writer) error {
	var k key
	if err := readJSON(keyFile, &k); err != nil {
		return err
	}
	files, err := readAnswers(where)
	if err != nil {
		return err
	}
	if err := k.check(s); err != nil {
		return err
	}
	given, err := k.accept(s, files)
	if err != nil {
		return err
	}
	out := k.judge(s, given)
	out.write(w)
	if listErrors {
		out.writeErrors(w)
	}
	return writeSynthetic(w, s, k)
}
