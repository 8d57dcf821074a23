package textcheck

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/verify"
)

// Row is a claim of a file with what was found.
type Row struct {
	ID json.RawMessage `json:"id"` // as in the claim
	Outcome

	Claim   string   `json:"-"`
	Unknown []string `json:"-"` // citations without a text, or of lines that it does not have
	Line    int      `json:"-"` // of the claim in its file, from 1; 0 in a synthesis

	of verify.Claim
}

// RowTally counts rows.
type RowTally struct {
	verify.Tally
	Hallucinated int // citations without a text
	Findings     map[Kind]int
	Review       *ReviewSummary
}

func (t *RowTally) add(r Row) {
	t.Tally.Add(r.of)
	t.found(Hallucinated, len(r.Unknown))
	for _, f := range findingsOf(r.of) {
		t.found(f.Kind, 1)
	}
}

func (t *RowTally) found(kind Kind, n int) {
	if t.Findings == nil {
		t.Findings = map[Kind]int{}
	}
	if t.Findings[kind] += n; kind == Hallucinated {
		t.Hallucinated += n
	}
}

// Verdict returns the verdict on the file.
func (t RowTally) Verdict(failOn []Kind, threshold float64) string {
	return verdictOf(t.Tally, t.Tally.Unread+t.Tally.NotChecked, t.Findings, failOn, threshold)
}

// ExitCode returns 0 for pass, 1 for fail and 3 for undecided.
func (t RowTally) ExitCode(failOn []Kind, threshold float64) int {
	return exitCode(t.Verdict(failOn, threshold))
}

// String returns the tally on one line.
func (t RowTally) String() string {
	s := inWords(t.Tally)
	if t.Hallucinated > 0 {
		s += fmt.Sprintf("; citations without a text: %d", t.Hallucinated)
	}
	if t.Review != nil {
		s += "; review: " + t.Review.String()
	}
	return s
}

// ClaimFiles is a file of claims and a file of texts, with one JSON object a line.
//
// A claim is {id, claim, source_ids[], quote?}, where a source id may name lines (S1:120-128); a source is {id, text, title?,
// url?, source_type?}. Keys may be in camel case, other keys are ignored. Ids of claims may repeat, those of sources only with
// the same text.
type ClaimFiles struct {
	Claims      io.Reader
	ClaimsName  string
	Sources     io.Reader // an io.ReaderAt as well, to keep texts beyond 16 MiB out of memory
	SourcesName string
	Review      *Review // who reads the claims; nil = nobody
}

// Claims checks every claim of a file and emits the rows in the order of the file. The same files give the same rows.
// Memory is bounded by the texts in memory, the ids, and a window of 16,384 claims; a review takes no more than these. An
// invalid line is a *RowError; the rows before it may have been emitted.
func Claims(ctx context.Context, files ClaimFiles, emit func(Row) error) (RowTally, error) {
	texts, err := readTexts(files.Sources, files.SourcesName, maxHeldBytes)
	if err != nil {
		return RowTally{}, err
	}
	e := examiner{claims: files.ClaimsName, texts: texts, emit: emit, by: files.Review}
	in := newLineReader(files.Claims, files.ClaimsName)
	for {
		line, err := in.read()
		if errors.Is(err, io.EOF) {
			return e.tally, e.flush(ctx)
		}
		if err != nil {
			return e.tally, err
		}
		var row claimRow
		if err := in.decode(line, &row); err != nil {
			return e.tally, err
		}
		problem := row.problem()
		if len(row.ID) == 0 || string(row.ID) == "null" {
			problem = "id is missing"
		}
		if problem != "" {
			return e.tally, in.problem("%s", problem)
		}
		if err := e.ask(ctx, row, in.line); err != nil {
			return e.tally, err
		}
	}
}

const (
	// windowClaims is the number of claims that are checked together, so that each text is prepared once for them.
	windowClaims = 16_384
	// preparedBytes bounds the texts that are prepared at a time; see verify.BytesPerByte.
	preparedBytes = 8 << 20
)

// examiner collects claims in a window, checks them, and emits their rows.
type examiner struct {
	claims string // the name of their file
	texts  *textSet
	emit   func(Row) error
	by     *Review
	window []Row
	tally  RowTally
}

// ask adds a claim to the window.
func (e *examiner) ask(ctx context.Context, row claimRow, line int) error {
	r := Row{ID: row.ID, Claim: row.Claim, Line: line, of: verify.Claim{Text: row.Claim}}
	if quote := strings.TrimSpace(row.Quote); quote != "" {
		r.of.Quotes = []string{quote}
	}
	for _, id := range row.sources() {
		if !slices.ContainsFunc(r.of.Citations, func(c verify.Citation) bool { return c.Raw == id }) {
			r.of.Citations = append(r.of.Citations, e.cite(id))
		}
	}
	e.window = append(e.window, r)
	if len(e.window) < windowClaims {
		return nil
	}
	if e.by != nil {
		return &RowError{e.claims, line, fmt.Sprintf("too many claims for a review: at most %d; divide the file", windowClaims-1)}
	}
	return e.flush(ctx)
}

// cite returns the citation of an id, which may have colons itself.
func (e *examiner) cite(id string) verify.Citation {
	cite := verify.Citation{SourceID: id}
	if at := strings.LastIndexByte(id, ':'); at >= 0 && e.texts.why(id) != "" {
		if named, ok := lines.ParseRanges(id[at+1:]); ok && e.texts.why(id[:at]) == "" {
			cite.SourceID, cite.Lines = id[:at], named
		}
	}
	cite.Raw, cite.Problem = id, e.texts.why(cite.SourceID)
	return cite
}

// flush checks the claims of the window, those of the same texts together.
func (e *examiner) flush(ctx context.Context) error {
	order := make([]int, len(e.window))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(firstSource(e.window[a]), firstSource(e.window[b])) })
	for len(order) > 0 {
		texts, n, size := map[string]verify.Source{}, 0, 0
		for ; n < len(order) && (n == 0 || size < preparedBytes); n++ {
			for _, id := range e.window[order[n]].of.SourceIDs() {
				if _, ok := texts[id]; ok {
					continue
				}
				src, err := e.texts.load(id)
				if err != nil {
					return err
				}
				texts[id], size = src, size+len(src.Text.String())
			}
		}
		claims := make([]verify.Claim, n)
		for i, at := range order[:n] {
			claims[i] = e.window[at].of
		}
		if err := verify.Check(ctx, claims, texts); err != nil {
			return err
		}
		for i, at := range order[:n] {
			e.window[at].of = claims[i]
		}
		order = order[n:]
	}
	if e.by != nil {
		v := reviewing{by: e.by, all: true, source: e.texts.load, texts: make([][]*verify.Claim, 1)}
		for i := range e.window {
			v.texts[0] = append(v.texts[0], &e.window[i].of)
		}
		if err := v.run(ctx); err != nil {
			return err
		}
		e.tally.Review = &v.summary
	}
	for _, r := range e.window {
		r.Outcome = outcomeOf(r.of, nil)
		r.Flags = slices.DeleteFunc(r.Flags, func(f string) bool { return f == verify.FlagUnknownSource }) // with the ids below
		for _, cite := range r.of.Citations {
			if cite.Problem != "" {
				r.Unknown = append(r.Unknown, cite.Raw)
				r.Flags = append(r.Flags, fmt.Sprintf("%s: %s: %s", verify.FlagUnknownSource, sanitize.Short(cite.Raw, 60), cite.Problem))
			}
		}
		e.tally.add(r)
		if err := e.emit(r); err != nil {
			return err
		}
	}
	e.window = nil
	return ctx.Err()
}

func firstSource(r Row) string {
	if ids := r.of.SourceIDs(); len(ids) > 0 {
		return ids[0]
	}
	return ""
}
