package verify

import (
	"github.com/citeloop/citeloop/internal/docid"
	"time"

	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/loopstate"
)

// Result is what is known of a list of claims or a draft once it was checked: what cites nothing or leads to nothing, what is read
// and unread, the verdict with its cause.
type Result struct {
	StateID      string
	Verdict      string // Pass, Review or Fail
	Groundedness float64
	Threshold    float64
	Tally        Tally
	Claims       []Claim
	Hallucinated []loopstate.Hallucinated // the first maxDead
	Dead         int                      // number of citations that lead to nothing
	Uncited      []Claim
	Own          []Claim // of a draft: the author's own statements, which are not checked
	Conflicts    []Conflict
	CoverageGaps []string
	Flags        []string
	Cycle        int
	GeneratedAt  time.Time
	Review       ReviewNeeded
	Pending      []string // keys of claims that nobody has read, each once

	OfDraft    bool              // else of a list of claims
	References []draft.Reference // of a draft
	Mistitled  []WrongTitle
	Strays     []Dead   // citations that are on no claim, or not followed
	ToRead     []string // addresses that are to be read first; then nothing else is set
	Sources    map[string]Source
	Reused     map[string]loopstate.Reading // of the same words with other citations

	unread []unreadAddress
	most   int               // addresses that a check reads
	left   int               // further addresses, which this check did not try
	why    map[string]string // an address was not read, by its canonical key
	state  stateOf
}

// stateOf is what a verification uses of the loop.
type stateOf struct {
	library   Library
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
func (v Result) Gate() bool {
	return v.Dead == 0 && (v.OfDraft || len(v.Uncited) == 0)
}

// open returns how many claims may still turn out to be supported: those to be read, and those whose texts were not there.
func (v Result) open() int { return len(v.Pending) + v.Tally.NotChecked }

// readings returns the answers about the claims by their keys.
func (v *Result) readings() map[string]loopstate.Reading {
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
func (v *Result) Checks() []loopstate.CheckedClaim {
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
func (v *Result) Candidates() []loopstate.ReviewCandidate {
	var out []loopstate.ReviewCandidate
	for _, c := range v.Claims {
		if c.Key != "" {
			out = append(out, c.Candidate())
		}
	}
	return out
}

// PageOf returns the PDF page on which a passage of this verification begins, from 1, or 0.
func (v Result) PageOf(p Passage) int {
	return v.Sources[p.SourceID].Pages.At(p.Start)
}

// SourceURL returns the address of a cited source.
func (v Result) SourceURL(id string) string { return v.Sources[id].FinalURL }

// OnDemand lets cited addresses that nobody has stored be read, unless the loop is aborted: [Result.ToRead] has them.
// Otherwise they are errors. resolve returns the address of a relative link.
func (v *Result) OnDemand(reads bool, resolve func(link string) string) {
	v.state.library.OnDemand, v.state.library.Resolve = reads && !v.state.aborted, resolve
}

// Follow returns the citation of an address that the text lists.
func (v *Result) Follow(address string) Citation {
	cite := []Claim{{Citations: []Citation{{URL: address}}}}
	v.state.library.Follow(cite)
	return cite[0].Citations[0]
}

// Wanted returns the sources of the loop, their origins, and which of their texts the verification reads.
func (v *Result) Wanted() (sources []loopstate.Source, origin func(string) string, wanted map[string]bool) {
	wanted = map[string]bool{}
	for _, c := range v.Claims {
		for _, id := range c.SourceIDs() {
			wanted[id] = true
		}
	}
	return v.state.library.Sources, v.state.origin, wanted
}

// supportedReading is an item of a counted batch whose claim the reader found supported.
type supportedReading struct {
	loopstate.Reading
	item  loopstate.ReviewItem
	words string // the key of its words alone
}

// unreadAddress is a cited address that a check tried to read.
type unreadAddress struct{ url, why string }

// WhyUnread returns why the address of a citation was not read.
func (v Result) WhyUnread(cite Citation) string { return v.why[docid.CanonicalKey(cite.URL, "")] }

// Unread returns how many cited addresses were not read. Whether they say what the text states is not known.
func (v Result) Unread() int { return len(v.unread) + v.left }

// unreadKeys returns the keys of the candidates without a reading, each once.
func unreadKeys(candidates []loopstate.ReviewCandidate, readings map[string]loopstate.Reading) (keys []string) {
	seen := map[string]bool{}
	for _, c := range candidates {
		if _, read := readings[c.Key]; !read && !seen[c.Key] {
			seen[c.Key] = true
			keys = append(keys, c.Key)
		}
	}
	return keys
}

// ReviewNeeded counts the claims for a second reader.
type ReviewNeeded struct {
	Pending int    // claims that nobody has read
	Batch   string // the open batch, or ""
}

// Needed counts what a loop wants read.
func Needed(st *loopstate.State) ReviewNeeded {
	out := ReviewNeeded{Pending: len(st.PendingReviews())}
	if r := st.OpenReview(); r != nil {
		out.Batch = r.Batch
	}
	return out
}
