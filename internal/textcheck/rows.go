package textcheck

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
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

// LostContradiction is a contradiction that cites unknown ids.
type LostContradiction struct {
	Topic   string   `json:"topic"`
	Unknown []string `json:"unknown"`
}

// RowFiles are a file of claims and a file of texts.
type RowFiles struct {
	Claims      io.Reader
	ClaimsName  string
	Sources     io.Reader
	SourcesName string
	Review      *Review // who reads the claims; nil = nobody
}

// Rows is the result of checking a file of claims, in the order of the file.
type Rows struct {
	verify.Tally
	Rows         []Row
	Lost         []LostContradiction // of a synthesis
	Hallucinated int                 // citations without a text
	Findings     map[Kind]int
	Review       *ReviewSummary

	claims, sources string // names of the files
}

// Claims checks every claim of a file with one JSON object a line against those of another. The same files give the same rows.
// An invalid line is a *RowError.
//
// A claim is {id, claim, source_ids[], quote?}, where a source id may name lines (S1:120-128); a source is {id, text, title?,
// url?, source_type?}. Keys may be in camel case, other keys are ignored. Ids of claims may repeat, those of sources only with
// the same text.
func Claims(ctx context.Context, files RowFiles) (*Rows, error) {
	texts, err := readTexts(files.Sources, files.SourcesName)
	if err != nil {
		return nil, err
	}
	claims, err := readClaims(files.Claims, files.ClaimsName)
	if err != nil {
		return nil, err
	}
	return checkRows(ctx, files, claims, texts)
}

// Synthesis checks the claims of a synthesis of RSL against the texts of its store, as [Claims] does, and the ids of its
// contradictions.
func Synthesis(ctx context.Context, files RowFiles) (*Rows, error) {
	claims, contradictions, err := readSynthesis(files.Claims, files.ClaimsName)
	if err != nil {
		return nil, err
	}
	texts, err := readStore(files.Sources, files.SourcesName)
	if err != nil {
		return nil, err
	}
	out, err := checkRows(ctx, files, claims, texts)
	if err != nil {
		return nil, err
	}
	for _, x := range contradictions {
		if ids := slices.DeleteFunc(slices.Clone(x.sources()), func(id string) bool { return texts.cite(id).Problem == "" }); len(ids) > 0 {
			out.Lost = append(out.Lost, LostContradiction{x.Topic, ids})
			out.found(Hallucinated, len(ids))
		}
	}
	return out, nil
}

// Verdict returns the verdict on the file.
func (r *Rows) Verdict(failOn []Kind, threshold float64) string {
	return verdictOf(r.Tally, r.Tally.Unread+r.Tally.NotChecked, r.Findings, failOn, threshold)
}

// ExitCode returns 0 for pass, 1 for fail and 3 for undecided.
func (r *Rows) ExitCode(failOn []Kind, threshold float64) int {
	return outcome.ExitCode(r.Verdict(failOn, threshold))
}

// String returns the counts on one line.
func (r *Rows) String() string {
	s := r.Tally.String()
	if r.Hallucinated > 0 {
		s += fmt.Sprintf("; citations without a text: %d", r.Hallucinated)
	}
	if r.Review != nil {
		s += "; review: " + r.Review.String()
	}
	return s
}

func (r *Rows) found(kind Kind, n int) {
	if r.Findings[kind] += n; kind == Hallucinated {
		r.Hallucinated += n
	}
}

// claim returns the claim of a row.
func (s *textSet) claim(row claimRow) verify.Claim {
	out := verify.Claim{Text: row.Claim}
	if quote := strings.TrimSpace(row.Quote); quote != "" {
		out.Quotes = []string{quote}
	}
	for _, id := range s.ids(row.sources()) {
		if !slices.ContainsFunc(out.Citations, func(c verify.Citation) bool { return c.Raw == id }) {
			out.Citations = append(out.Citations, s.cite(id))
		}
	}
	return out
}

// preparedBytes bounds the texts that are prepared at a time; see verify.BytesPerByte.
const preparedBytes = 8 << 20

// check checks claims, those of the same texts together.
func (s *textSet) check(ctx context.Context, claims []verify.Claim) error {
	origins := loopstate.OriginsOf(s.records)
	order := make([]int, len(claims))
	for i := range order {
		order[i] = i
	}
	first := func(c verify.Claim) string { return strings.Join(c.SourceIDs()[:min(1, len(c.SourceIDs()))], "") }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(first(claims[a]), first(claims[b])) })
	for len(order) > 0 {
		texts, n, size := map[string]verify.Source{}, 0, 0
		for ; n < len(order) && (n == 0 || size < preparedBytes); n++ {
			for _, id := range claims[order[n]].SourceIDs() {
				if _, ok := texts[id]; !ok {
					texts[id] = s.source(id, origins)
					size += len(s.texts[s.at[id]])
				}
			}
		}
		part := make([]verify.Claim, n)
		for i, at := range order[:n] {
			part[i] = claims[at]
		}
		if err := verify.Check(ctx, part, texts); err != nil {
			return err
		}
		for i, at := range order[:n] {
			claims[at] = part[i]
		}
		order = order[n:]
	}
	return nil
}

// checkRows checks claims, and has them read.
func checkRows(ctx context.Context, files RowFiles, claims []claimRow, texts *textSet) (*Rows, error) {
	loop := newLoop()
	v := verify.Begin(loop, 0, time.Time{})
	for _, row := range claims {
		v.Claims = append(v.Claims, texts.claim(row))
	}
	if err := texts.check(ctx, v.Claims); err != nil {
		return nil, err
	}
	out := &Rows{Findings: map[Kind]int{}, claims: files.ClaimsName, sources: files.SourcesName}
	if files.Review != nil {
		read := reviewing{by: files.Review, loop: loop,
			texts: [][]loopstate.ReviewCandidate{v.Candidates()}, sources: map[string]verify.Source{}}
		for _, c := range v.Claims {
			for _, id := range c.SourceIDs() {
				if _, ok := read.sources[id]; !ok {
					read.sources[id] = texts.source(id, nil)
				}
			}
		}
		read.begin()
		if err := read.run(ctx); err != nil {
			return nil, err
		}
		out.Review, v.Sources = &read.summary, read.sources
		v.Recall(loop)
	}
	v.Decide()
	out.Tally = v.Tally
	for i, c := range v.Claims {
		c.Confidence = sixDigits(c.Confidence)
		r := Row{ID: claims[i].ID, Claim: c.Text, Line: claims[i].line, Outcome: outcomeOf(c, nil), of: c}
		r.Flags = slices.DeleteFunc(r.Flags, func(f string) bool { return f == verify.FlagUnknownSource }) // with the ids below
		for _, cite := range c.Citations {
			if cite.Problem != "" {
				r.Unknown = append(r.Unknown, cite.Raw)
				r.Flags = append(r.Flags, fmt.Sprintf("%s: %s: %s", verify.FlagUnknownSource, sanitize.Short(cite.Raw, 60), cite.Problem))
			}
		}
		out.found(Hallucinated, len(r.Unknown))
		for _, f := range findingsOf(c) {
			out.found(f.Kind, 1)
		}
		out.Rows = append(out.Rows, r)
	}
	return out, ctx.Err()
}
