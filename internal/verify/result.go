package verify

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// maxDead bounds the citations that lead to nothing and are recorded and answered; the others are counted. Each has
	// DeadChars of its sentence, because one sentence can have thousands of them.
	maxDead = 100
	// DeadChars bounds the sentence and the reason of such a citation, in code points.
	DeadChars = 300
	// maxCitations bounds the citations of a sentence that are followed; those after them are errors. 668 documents of real
	// hosts have at most a few in one sentence.
	maxCitations = 100
)

// Result is what is known of a list of claims or a draft once it was checked: what cites nothing or leads to nothing, what is read
// and unread, the verdict with its cause. Its methods are called in this order: OnDemand, Resolve, Unresolved, Settle,
// Wanted, Decide, the last after [Check] of its claims.
type Result struct {
	Statements
	StateID      string
	Verdict      string // Pass, Review or Fail
	Groundedness float64
	Threshold    float64
	Tally        Tally
	Hallucinated []loopstate.Hallucinated // the first maxDead
	Dead         int                      // number of citations that lead to nothing
	Conflicts    []Conflict
	CoverageGaps []string
	Flags        []string // of the whole; a claim has its own
	Cycle        int
	GeneratedAt  time.Time
	Review       ReviewNeeded
	Pending      []string // keys of claims that nobody has read, each once

	OfDraft bool // else of a list of claims
	Sources map[string]Source
	Reused  map[string]loopstate.Reading // from elsewhere

	unread []Lookup
	why    map[string]string // an address was not read, by its canonical key

	// Of the loop.
	library   Library
	readings  map[string]loopstate.Reading
	accuracy  map[string]float64 // of the readers of a batch, by batch
	aborted   bool
	localOnly bool // only the user's folders were searched: they seldom have a second source of anything
}

// Begin copies what a verification uses of a loop.
func Begin(st *loopstate.State, threshold float64, now time.Time) Result {
	return Result{StateID: st.Loop, Threshold: cmp.Or(threshold, DefaultThreshold), GeneratedAt: now.UTC(), CoverageGaps: CoverageGaps(st),
		library: LibraryOf(st), readings: maps.Clone(st.Readings), accuracy: accuracies(st),
		aborted: st.Abort != "", localOnly: st.LocalOnly()}
}

// accuracies returns, for each counted batch, the measured accuracy of its reader in all counted batches of the loop.
func accuracies(st *loopstate.State) map[string]float64 {
	type tests struct{ good, n int }
	of, out := map[loopstate.Reader]tests{}, map[string]float64{}
	for _, r := range st.Reviews {
		for _, who := range r.Readers {
			if t := of[who]; r.Status == loopstate.BatchCounted {
				of[who] = tests{t.good + r.Planted.Good + r.Controls.Good, t.n + r.Planted.N + r.Controls.N}
			}
		}
	}
	for _, r := range st.Reviews {
		if r.Status == loopstate.BatchCounted && len(r.Readers) > 0 && of[r.Readers[0]].n > 0 {
			out[r.Batch] = reader.Accuracy(of[r.Readers[0]].good, of[r.Readers[0]].n)
		}
	}
	return out
}

// CoverageGaps describes the claims that stayed unsupported over two cycles despite searches in between.
func CoverageGaps(st *loopstate.State) []string {
	gaps := []string{}
	for _, c := range st.CurrentClaims() {
		if c.Gap {
			last := c.Tries[len(c.Tries)-1]
			gaps = append(gaps, fmt.Sprintf("%s — unsupported in cycles %d and %d despite %d searches in between: the sources do not "+
				"cover it",
				c.Claim, last.Cycle, c.Check.Cycle, c.Check.Searches-last.Searches))
		}
	}
	slices.Sort(gaps)
	return gaps
}

// OnDemand lets cited addresses that nobody has stored be read, unless the loop is aborted: [Result.Unresolved] has them.
// Otherwise they are errors. resolve returns the address of a relative link.
func (v *Result) OnDemand(reads bool, resolve func(link string) string) {
	v.library.OnDemand, v.library.Resolve = reads && !v.aborted, resolve
}

// Resolve sets the claims of a draft, or those of a list, and the sources that they cite.
func (v *Result) Resolve(text string, claims []Claim) error {
	if v.OfDraft = text != ""; v.OfDraft {
		v.Statements = v.library.Read(draft.Parse(text))
	}
	for i, c := range claims {
		text, err := loopstate.CheckText(fmt.Sprintf("claims[%d].text", i), c.Text, loopstate.MaxTextChars)
		if err != nil {
			return err
		}
		c.Text, c.Citations, c.Quotes = text, slices.Clone(c.Citations), slices.Clip(c.Quotes)
		for _, s := range draft.Parse(text).Sentences {
			c.Quotes = append(c.Quotes, s.Quotes...)
		}
		if len(c.Citations) == 0 {
			v.Uncited = append(v.Uncited, c)
		}
		v.Claims = append(v.Claims, c)
	}
	for i := range v.Claims {
		c := &v.Claims[i]
		for _, cite := range c.Citations[min(len(c.Citations), maxCitations):] {
			cite.Problem = fmt.Sprintf("the sentence has %d citations; at most %d of one sentence are followed", len(c.Citations),
				maxCitations)
			v.Strays = append(v.Strays, Dead{Citation: cite, Claim: c.Text})
		}
		c.Citations = c.Citations[:min(len(c.Citations), maxCitations)]
	}
	for _, x := range v.Strays {
		v.dead(x)
	}
	if !v.OfDraft {
		v.library.Follow(v.Claims)
	}
	return nil
}

func (v *Result) dead(x Dead) {
	if x.Claim == "" {
		x.Claim = fmt.Sprintf("(no sentence: line %d)", x.Line)
	}
	if v.Dead++; v.Dead <= maxDead {
		safe := func(text string) string {
			return strings.Clone(sanitize.Short(docid.WithoutCredentials(text), DeadChars))
		}
		v.Hallucinated = append(v.Hallucinated, loopstate.Hallucinated{Claim: safe(x.Claim), Citation: safe(x.Written()),
			Why: safe(x.Problem)})
	}
}

// Wanted returns the sources of the loop, and which of their texts the verification reads.
func (v *Result) Wanted() (sources []loopstate.Source, wanted map[string]bool) {
	wanted = map[string]bool{}
	for _, c := range v.Claims {
		for _, id := range c.SourceIDs() {
			wanted[id] = true
		}
	}
	return v.library.Sources, wanted
}

// Decide applies the readings of the checked claims, and sets the verdict. known gives readings from elsewhere; it may be nil.
func (v *Result) Decide(known func(Claim) (loopstate.Reading, bool)) {
	for _, c := range v.Claims {
		for _, cite := range c.Citations {
			if cite.Problem != "" {
				v.dead(Dead{Citation: cite, Claim: c.Text})
			}
		}
	}
	v.applyReadings(known)
	for i := range v.Claims {
		v.withoutTexts(&v.Claims[i])
	}
	if v.OfDraft { // sentences that no citation covers after all
		for _, c := range v.Claims {
			if c.Uncovered() {
				v.Uncited = append(v.Uncited, c)
			}
		}
		v.Claims = slices.DeleteFunc(v.Claims, Claim.Uncovered)
		slices.SortStableFunc(v.Uncited, func(a, b Claim) int { return cmp.Compare(a.Sentence.Start, b.Sentence.Start) })
	}
	v.Conflicts = Conflicts(v.Claims)
	v.sum()
}

// applyReadings changes the status of claims by accepted readings of the same claims and texts.
func (v *Result) applyReadings(known func(Claim) (loopstate.Reading, bool)) {
	v.Reused = map[string]loopstate.Reading{}
	for i := range v.Claims {
		c := &v.Claims[i]
		reading, ok := v.readings[c.Key]
		if !ok && known != nil && c.Key != "" {
			if reading, ok = known(*c); ok {
				v.Reused[c.Key] = reading
			}
		}
		if !ok || c.Key == "" {
			continue
		}
		c.Apply(reading)
		accuracy, tested := v.accuracy[reading.Batch]
		if c.Confidence = accuracy; !tested && reading.Batch != "" && reading.Loop == "" {
			c.Flags = append(c.Flags, FlagReaderUntested+": the texts are too short for test items")
		}
	}
}

// sum counts, and sets the flags and the verdict.
func (v *Result) sum() {
	counts, seen := map[string]int{}, map[string]bool{}
	for _, c := range v.Claims {
		v.Tally.Add(c)
		for _, flag := range c.Flags {
			kind, _, _ := strings.Cut(flag, ":")
			counts[kind]++
		}
		if c.Pending() && !seen[c.Key] {
			seen[c.Key] = true
			v.Pending = append(v.Pending, c.Key)
		}
	}
	if v.Tally.Own = len(v.Own); v.OfDraft { // in a list of claims the uncited ones are claims, too
		v.Tally.Uncited += len(v.Uncited)
	}
	if v.localOnly {
		counts[FlagSingleSource] = 0
	}
	if v.Groundedness = v.Tally.Groundedness(); v.Tally.Total() == 0 {
		v.Flags = append(v.Flags, "no_claims: the draft has no sentence that claims something")
	}
	for _, f := range []struct {
		n    int
		what string
	}{
		{counts[FlagSingleSource], FlagSingleSource + ": claims that cite one independent source: %d"},
		{counts[FlagSecondaryOnly], FlagSecondaryOnly + ": claims that cite press or practitioners alone: %d"},
		{v.Dead, "hallucinated_citation: citations of sources or lines that do not exist: %d"},
		{len(v.Uncited), "uncited: sentences that claim something and cite nothing: %d; cite a source, or mark what is your own with " +
			"[inference]"},
	} {
		if f.n > 0 {
			v.Flags = append(v.Flags, fmt.Sprintf(f.what, f.n))
		}
	}
	v.Flags = append(v.Flags, v.unreadFlags()...)
	v.Verdict = v.Tally.Verdict(v.Threshold, v.open(), v.Dead)
	if v.Verdict == Pass && v.Unread() > 0 {
		v.Verdict = Review
	}
}

// Gate reports whether all citations are valid: none is hallucinated, and none is missing in a list of claims. If it is
// false, the result is an error, whatever the verdicts.
func (v Result) Gate() bool { return v.Dead == 0 && (v.OfDraft || len(v.Uncited) == 0) }

// open returns how many claims may still turn out to be supported: those to be read, and those whose texts were not there.
func (v Result) open() int { return len(v.Pending) + v.Tally.NotChecked }

// Checks returns the checks that the loop records: those of listed claims that cite a source. The sentences of a draft are
// not claims of the loop, because drafts change often.
func (v *Result) Checks() (out []loopstate.Claim) {
	if v.OfDraft {
		return nil
	}
	for _, c := range v.Claims {
		if len(c.SourceIDs()) == 0 {
			continue
		}
		status := c.Status
		if c.Reading != nil { // the state applies the reading itself
			status = loopstate.Inferred
		}
		check := loopstate.ClaimCheck{Status: status, Key: c.Key, Lines: c.Lines(), Cites: c.References(), Flags: c.Flags}
		if len(c.Passages) > 0 {
			p := c.Passages[0]
			check.SourceID, check.Start, check.End = p.SourceID, p.Start, p.End
		}
		out = append(out, loopstate.Claim{Claim: c.Text, SourceIDs: c.References(), Check: &check})
	}
	return out
}

// Candidates returns the claims for a reader.
func (v *Result) Candidates() (out []loopstate.ReviewCandidate) {
	for _, c := range v.Claims {
		if c.Key != "" {
			out = append(out, c.Candidate())
		}
	}
	return out
}

// PageOf returns the PDF page on which a passage of this verification begins, from 1, or 0.
func (v Result) PageOf(p Passage) int { return v.Sources[p.SourceID].Pages.At(p.Start) }

// SourceURL returns the address of a cited source.
func (v Result) SourceURL(id string) string { return v.Sources[id].FinalURL }
