package verdict

import (
	"time"

	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Verification is the result of Verify.
type Verification struct {
	StateID      string
	Verdict      string // verify.Pass, Review or Fail
	Groundedness float64
	Threshold    float64
	Tally        verify.Tally
	Claims       []verify.Claim
	Hallucinated []loopstate.Hallucinated // the first maxDead
	Dead         int                      // number of citations that lead to nothing
	Uncited      []verify.Claim
	Own          []verify.Claim // of a draft: the author's own statements, which are not checked
	Conflicts    []Conflict
	CoverageGaps []string
	Flags        []string
	Cycle        int
	GeneratedAt  time.Time
	Review       ReviewNeeded
	Pending      []string // keys of claims that nobody has read, each once

	OfDraft    bool              // else of a list of claims
	References []draft.Reference // of a draft
	Strays     []verify.Dead     // citations that are on no claim, or not followed
	ToRead     []string          // addresses that are to be read first; then nothing else is set
	Sources    map[string]verify.Source
	Reused     map[string]loopstate.Reading // of the same words with other citations

	unread []unreadAddress
	most   int               // addresses that a check reads
	left   int               // further addresses, which this check did not try
	why    map[string]string // an address was not read, by its canonical key
	state  stateOf
}

// stateOf is what a verification uses of the loop.
type stateOf struct {
	library   verify.Library
	origin    func(string) string
	readings  map[string]loopstate.Reading
	supported []supportedReading
	accuracy  map[string]float64 // of the readers of a batch, by batch
	disputes  []loopstate.Contradiction
	aborted   bool
	localOnly bool // only the user's folders were searched: they seldom have a second source of anything
}

// Gate reports whether all citations are valid: none is hallucinated, and none is missing in a list of claims. If it is
// false, the result is an error, whatever the verdicts.
func (v Verification) Gate() bool {
	return v.Dead == 0 && (v.OfDraft || len(v.Uncited) == 0)
}

// open returns how many claims may still turn out to be supported: those to be read, and those whose texts were not there.
func (v Verification) open() int { return len(v.Pending) + v.Tally.NotChecked }

// readings returns the answers about the claims by their keys.
func (v *Verification) readings() map[string]loopstate.Reading {
	out := map[string]loopstate.Reading{}
	for _, c := range v.Claims {
		if c.Reading != nil {
			out[c.Key] = *c.Reading
		}
	}
	return out
}

// Checks returns the checks that the loop records: those of listed claims that cite a source. The sentences of a draft are
// not claims of the loop, because drafts change often.
func (v *Verification) Checks() []loopstate.CheckedClaim {
	var out []loopstate.CheckedClaim
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
		cc := loopstate.CheckedClaim{Claim: loopstate.ClaimInput{Claim: c.Text, SourceIDs: c.References()},
			Check: loopstate.ClaimCheck{Status: status, Key: c.Key, Lines: c.Lines(), Cites: c.References(), Flags: c.Flags}}
		if len(c.Passages) > 0 {
			p := c.Passages[0]
			cc.Check.SourceID, cc.Check.Start, cc.Check.End = p.SourceID, p.Start, p.End
		}
		out = append(out, cc)
	}
	return out
}

// Candidates returns the claims for a reader.
func (v *Verification) Candidates() []loopstate.ReviewCandidate {
	var out []loopstate.ReviewCandidate
	for _, c := range v.Claims {
		if c.Key != "" {
			out = append(out, c.Candidate())
		}
	}
	return out
}

// PageOf returns the PDF page on which a passage of this verification begins, from 1, or 0.
func (v Verification) PageOf(p verify.Passage) int {
	return v.Sources[p.SourceID].Pages.At(p.Start)
}

// SourceURL returns the address of a cited source.
func (v Verification) SourceURL(id string) string { return v.Sources[id].FinalURL }

// OnDemand lets cited addresses that nobody has stored be read, unless the loop is aborted: [Verification.ToRead] has them.
// Otherwise they are errors. resolve returns the address of a relative link.
func (v *Verification) OnDemand(reads bool, resolve func(link string) string) {
	v.state.library.OnDemand, v.state.library.Resolve = reads && !v.state.aborted, resolve
}

// Follow returns the citation of an address that the text lists.
func (v *Verification) Follow(address string) verify.Citation {
	cite := []verify.Claim{{Citations: []verify.Citation{{URL: address}}}}
	v.state.library.Follow(cite)
	return cite[0].Citations[0]
}

// Wanted returns the sources of the loop, their origins, and which of their texts the verification reads.
func (v *Verification) Wanted() (sources []loopstate.Source, origin func(string) string, wanted map[string]bool) {
	wanted = map[string]bool{}
	for _, c := range v.Claims {
		for _, id := range c.SourceIDs() {
			wanted[id] = true
		}
	}
	return v.state.library.Sources, v.state.origin, wanted
}

// Conflict is one point on which two sources disagree: a contradiction that a host, a critic or a reader recorded, or two
// claims that are equal but for a number and cite different sources.
type Conflict struct {
	Topic          string
	A, B           verify.Passage
	ValueA, ValueB string // of two claims; empty for a recorded contradiction
	Because        string
}

// supportedReading is an item of a counted batch whose claim the reader found supported.
type supportedReading struct {
	loopstate.Reading
	item  loopstate.ReviewItem
	words string // the key of its words alone
}

// unreadAddress is a cited address that a check tried to read.
type unreadAddress struct{ url, why string }

// Unread returns how many cited addresses were not read. Whether they say what the text states is not known.
func (v Verification) Unread() int { return len(v.unread) + v.left }
