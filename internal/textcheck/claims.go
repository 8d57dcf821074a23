package textcheck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/internal/grounding/review"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// Row is a claim of a file with its verdict.
type Row struct {
	ID                 json.RawMessage  `json:"id"` // as in the claim
	Status             grounding.Status `json:"status"`
	Support            float64          `json:"support"`
	Confidence         float64          `json:"confidence"`
	QuoteGrade         string           `json:"quote_grade,omitempty"`
	Passages           []RowPassage     `json:"passages"` // best first, at most grounding.MaxPassages
	Flags              []string         `json:"flags"`
	IndependentOrigins int              `json:"independent_origins"`
	// Reading is the answer of an accepted second reader.
	Reading *loopstate.Reading `json:"reading,omitempty"`

	Claim   string   `json:"-"`
	Because string   `json:"-"`
	Unknown []string `json:"-"` // the ids without a text
	Line    int      `json:"-"` // of the claim in its file, from 1
	Column  int      `json:"-"` // 0 where a line is a row
}

// RowPassage is a passage: text[start:end] in code points is Text.
type RowPassage struct {
	SourceID string `json:"source_id"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Text     string `json:"text"`
}

// take adds a verdict to the row, which keeps its flags of unknown ids.
func (r *Row) take(c *citing.Claim) error {
	if err := c.FlagInjection(func(string) (string, error) { return "", nil }); err != nil {
		return err
	}
	v := c.Verdict
	r.Status, r.Support, r.Confidence, r.QuoteGrade = v.Status, sixDigits(v.Support), sixDigits(v.Confidence), v.QuoteGrade
	r.Flags = append(r.Flags, v.Flags...)
	r.IndependentOrigins, r.Because = v.IndependentOrigins, v.Because
	for _, e := range v.Passages {
		e.Text = strings.Clone(e.Text) // a part of a text would keep the whole
		r.Passages = append(r.Passages, RowPassage(e))
	}
	return nil
}

// Tally counts rows.
type Tally struct {
	Claims       int `json:"claims"`
	Grounded     int `json:"grounded"`
	Inferred     int `json:"inferred"`
	Unsupported  int `json:"unsupported"`
	Uncited      int `json:"uncited"`      // number of unsupported claims without citations
	Hallucinated int `json:"hallucinated"` // citations without a text

	Review *ReviewSummary `json:"review,omitempty"`
}

func (t *Tally) add(r Row) {
	t.Claims++
	switch r.Status {
	case grounding.Grounded:
		t.Grounded++
	case grounding.Inferred:
		t.Inferred++
	default:
		t.Unsupported++
	}
	if slices.Contains(r.Flags, grounding.FlagUncited) {
		t.Uncited++
	}
	t.Hallucinated += len(r.Unknown)
}

// Verdict returns fail for a finding of failOn or too few grounded claims, otherwise pass.
func (t Tally) Verdict(failOn []Kind, threshold float64) string {
	for _, kind := range failOn {
		n := map[Kind]int{Hallucinated: t.Hallucinated, Unsupported: t.Unsupported, Inferred: t.Inferred, Uncited: t.Uncited}[kind]
		if n > 0 {
			return Fail
		}
	}
	if t.Claims > 0 && share(t.Grounded, t.Claims) < threshold {
		return Fail
	}
	return Pass
}

// ExitCode returns 0 for a pass and 1 for a fail.
func (t Tally) ExitCode(failOn []Kind, threshold float64) int {
	return exitCode(t.Verdict(failOn, threshold))
}

// String returns the tally on one line.
func (t Tally) String() string {
	s := fmt.Sprintf("%d claims: %d grounded, %d inferred, %d unsupported", t.Claims, t.Grounded, t.Inferred, t.Unsupported)
	if t.Uncited > 0 {
		s += fmt.Sprintf(" (%d for citing nothing)", t.Uncited)
	}
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
// A claim is {id, claim, source_ids[], quote?}, a source {id, text, title?, url?, source_type?}; keys may be in
// camel case, other keys are ignored. Ids of claims may repeat, those of sources only with the same text.
type ClaimFiles struct {
	Claims      io.Reader
	ClaimsName  string
	Sources     io.Reader // an io.ReaderAt as well, to keep texts beyond 16 MiB out of memory
	SourcesName string
	Review      *Review // reads claims that wording does not decide; nil = no review
}

// Claims checks every claim of a file and emits the rows in the order of the file. The same files give the same rows.
// Memory is bounded by the texts in memory, the ids, and a window of 16,384 claims; a review takes no more than these. An
// invalid line is a *RowError; the rows before it may have been emitted.
func Claims(ctx context.Context, files ClaimFiles, emit func(Row) error) (Tally, error) {
	texts, err := readTexts(files.Sources, files.SourcesName, maxHeldBytes)
	if err != nil {
		return Tally{}, err
	}
	e := examiner{claims: files.ClaimsName, texts: texts, emit: emit, by: files.Review}
	lines := newLineReader(files.Claims, files.ClaimsName)
	for {
		line, err := lines.read()
		if errors.Is(err, io.EOF) {
			return e.tally, e.flush(ctx)
		}
		if err != nil {
			return e.tally, err
		}
		var row claimRow
		if err := lines.decode(line, &row); err != nil {
			return e.tally, err
		}
		if len(row.ID) == 0 || string(row.ID) == "null" {
			return e.tally, lines.problem("id is missing")
		}
		if problem := row.problem(); problem != "" {
			return e.tally, lines.problem("%s", problem)
		}
		if err := e.ask(ctx, row, lines.line, 0); err != nil {
			return e.tally, err
		}
	}
}

// examiner collects claims in a window, checks them, and emits their rows.
type examiner struct {
	claims string // the name of their file
	texts  *textSet
	emit   func(Row) error
	by     *Review
	window []*question
	tally  Tally
}

// ask adds a claim to the window.
func (e *examiner) ask(ctx context.Context, row claimRow, line, column int) error {
	q := &question{row: Row{ID: row.ID, Passages: []RowPassage{}, Flags: []string{}, Claim: row.Claim, Line: line, Column: column},
		claim: citing.Claim{Text: row.Claim}}
	if quote := strings.TrimSpace(row.Quote); quote != "" {
		q.claim.Quotes = []string{quote}
	}
	for _, id := range row.sources() {
		if slices.Contains(q.ids, id) || slices.Contains(q.row.Unknown, id) {
			continue
		}
		if why := e.texts.why(id); why != "" {
			q.row.Unknown = append(q.row.Unknown, id)
			q.row.Flags = append(q.row.Flags, fmt.Sprintf("%s: %s: %s", grounding.FlagUnknownSource, sanitize.Short(id, 60), why))
			continue
		}
		q.ids = append(q.ids, id)
		q.claim.Ask(id, "")
	}
	if len(q.ids) == 0 {
		q.row.Status, q.row.Confidence, q.row.Because = grounding.Unsupported, 1, "Its citations have no text."
		if len(q.row.Unknown) == 0 {
			q.row.Flags, q.row.Because = []string{grounding.FlagUncited}, "It cites no source."
		}
	}
	if e.window = append(e.window, q); len(e.window) < windowClaims {
		return nil
	}
	if e.by != nil {
		return &RowError{e.claims, line, fmt.Sprintf("too many claims for a review: at most %d; divide the file", windowClaims-1)}
	}
	return e.flush(ctx)
}

// flush checks the claims of the window.
func (e *examiner) flush(ctx context.Context) error {
	if err := answer(ctx, e.texts, e.window); err != nil {
		return err
	}
	if err := e.review(ctx); err != nil {
		return err
	}
	for _, q := range e.window {
		e.tally.add(q.row)
		if err := e.emit(q.row); err != nil {
			return err
		}
	}
	e.window = nil
	return ctx.Err()
}

// review asks the reader about the claims of the window that wording does not decide.
func (e *examiner) review(ctx context.Context) error {
	if e.by == nil {
		return nil
	}
	v := reviewing{by: e.by, hash: func(id string) string { return e.texts.at[id].hash.String() }, material: e.material}
	flags := make([]int, len(e.window)) // number of flags of the rows
	for i, q := range e.window {
		v.subjects = append(v.subjects, subject{Claim: &q.claim})
		flags[i] = len(q.claim.Flags)
	}
	err := v.run(ctx)
	e.tally.Review = v.summary
	for i, s := range v.subjects {
		if row := &e.window[i].row; s.reading != nil {
			row.Status, row.Because, row.Reading = s.Status, s.Because, s.reading
			row.Flags = append(row.Flags, s.Flags[flags[i]:]...)
		}
	}
	return err
}

// material returns the pending claims of a batch with the grounded ones of the same texts. Only these texts are in
// memory.
func (e *examiner) material(pending, grounded []review.Candidate) ([]review.Candidate, review.Texts, error) {
	held := map[string]string{}
	var sources []grounding.Source
	for _, c := range pending {
		for _, id := range c.SourceIDs {
			if _, ok := held[id]; ok {
				continue
			}
			src, err := e.texts.load(id)
			if err != nil {
				return nil, review.Texts{}, err
			}
			held[id] = src.Text
			sources = append(sources, src)
		}
	}
	candidates := slices.Clone(pending)
	for _, c := range grounded {
		if !slices.ContainsFunc(c.SourceIDs, func(id string) bool { _, ok := held[id]; return !ok }) {
			candidates = append(candidates, c)
		}
	}
	return candidates, review.NewTexts(grounding.NewChecker(sources), func(id string) string { return held[id] }), nil
}
