package judge

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// proof is the quote of an opinion, found again.
type proof struct {
	quote   string             // as it stands in the passage; empty when the opinion has none
	passage grounding.Evidence // the passage that has it
	denies  string             // the flag of a negation that the quote has and the claim has not, or the reverse
}

const (
	// maxQuoteChars bounds a quote. No passage that is sent has more.
	maxQuoteChars = 2 * maxPassageChars
	// minQuoteTerms is how much a quote must say: fewer words stand everywhere (chosen).
	minQuoteTerms = 3
)

// examine finds an opinion's quote again. failure says why the opinion counts for nothing.
func examine(q Question, o Opinion) (found proof, failure string) {
	switch {
	case o.Failure != "":
		return proof{}, o.Failure
	case !o.Verdict.known():
		return proof{}, fmt.Sprintf("%.40q is no verdict", o.Verdict)
	case strings.TrimSpace(o.Quote) == "":
		if o.Verdict.needsQuote() {
			return proof{}, fmt.Sprintf("%s without a quote", o.Verdict)
		}
		return proof{}, ""
	case utf8.RuneCountInString(o.Quote) > maxQuoteChars:
		return proof{}, fmt.Sprintf("the quote has more than %d characters", maxQuoteChars)
	}
	found, ok := find(q.Passages, o.SourceID, o.Quote)
	if !ok {
		return proof{}, fmt.Sprintf("the quote %q does not stand in the passages", sanitize.Short(o.Quote, 80))
	}
	if !o.Verdict.needsQuote() {
		return found, ""
	}
	if len(passages.Terms(found.quote)) < minQuoteTerms {
		return proof{}, fmt.Sprintf("the quote %q is too short to prove anything", found.quote)
	}
	related, denies := compared(q.Claim, found.quote)
	if !related {
		return proof{}, fmt.Sprintf("the quote %q has nothing of the claim", sanitize.Short(found.quote, 80))
	}
	found.denies = denies
	return found, ""
}

// find looks the quote up in the passages of the source that it names; of all, when it names none.
func find(list []grounding.Evidence, sourceID, quote string) (proof, bool) {
	for _, p := range list {
		if sourceID != "" && p.SourceID != sourceID {
			continue
		}
		if words, ok := standsIn(quote, p.Text); ok {
			return proof{quote: words, passage: p}, true
		}
	}
	return proof{}, false
}

// standsIn returns the words of the text that a quote is a copy of: the same letters and numbers, typography aside, as
// grounding compares quotes. An author may leave something out by an ellipsis; a judge may not, since the
// word left out could be "not". So the found words must in turn stand in the quote.
func standsIn(quote, text string) (words string, ok bool) {
	grade, at := grounding.GradeQuote(quote, text)
	switch grade {
	case grounding.QuoteExact:
		return at.Text, true
	case grounding.QuoteNormalised:
		back, _ := grounding.GradeQuote(at.Text, quote)
		return at.Text, back == grounding.QuoteExact || back == grounding.QuoteNormalised
	}
	return "", false
}

// compared lets the rules read the quoted words as if they were all that the source says. related means that they
// have a word, number or name of the claim: an instruction to the model, copied out of a page, mostly has not.
func compared(claim, quote string) (related bool, denies string) {
	const id = "quote"
	v := grounding.NewChecker([]grounding.Source{{ID: id, Text: quote}}).
		Check(grounding.Claim{Text: claim, Citations: []grounding.Citation{{SourceID: id}}})
	for _, flag := range v.Flags {
		if strings.HasPrefix(flag, grounding.FlagNegationMismatch) {
			denies = flag
		}
	}
	return v.Passage != nil, denies
}
