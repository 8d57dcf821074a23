package grounding

import (
	"fmt"
	"strings"
)

// because says in one sentence what decided.
func because(v Verdict, f finding) string {
	switch {
	case v.QuoteGrade == QuoteAbsent:
		for _, flag := range v.Flags {
			if what, ok := strings.CutPrefix(flag, FlagQuoteAbsent+": "); ok {
				at := strings.LastIndexByte(what, ' ')
				return fmt.Sprintf("The quote %s is not in %s.", strings.TrimSuffix(what[:at], " is not in"), what[at+1:])
			}
		}
	case len(v.Differences) > 0:
		return asSentence(v.Differences[0].String())
	case v.Status == Unsupported:
		return "Nothing in the cited texts is about this."
	}
	where := v.SourceID
	switch {
	case v.Status == Grounded && f.verbatim != nil:
		return fmt.Sprintf("%s says it word for word.", where)
	case v.Status == Grounded:
		return fmt.Sprintf("A passage of %s accounts for every word that carries meaning.", where)
	case v.QuoteGrade == QuoteFuzzy:
		return fmt.Sprintf("The quote differs from %s in single words.", where)
	case v.Passage == nil:
		return "The cited texts have none of the claim's words; wording alone does not decide."
	case f.foreign:
		return fmt.Sprintf("Wording alone does not decide between languages (%s); the closest passage is in %s.", v.Language, where)
	case len(v.Missing) > 0:
		return fmt.Sprintf("Wording alone does not decide: the closest passage, in %s, lacks %q.", where, strings.Join(v.Missing[:min(3, len(v.Missing))], ", "))
	case f.best != nil && len(f.best.unsaid) > 0:
		return fmt.Sprintf("Wording alone does not decide: the closest passage, in %s, also says %q.", where, f.best.unsaidWords())
	case f.best != nil && len(f.best.order) == 0 && len(f.best.below) > 0:
		t := f.best.claim.tokens[f.best.below[0]]
		return fmt.Sprintf("Wording alone does not decide: the closest passage, in %s, has %q only together with words that the claim leaves out.", where, f.best.claim.text[t.start:t.end])
	}
	return fmt.Sprintf("Wording alone does not decide: the closest passage, in %s, has these words in another order.", where)
}

// unsaidWords is the first operator of the passage that the claim leaves out.
func (x *account) unsaidWords() string {
	o := x.passage.operators[x.unsaid[0]]
	first, last := x.passage.tokens[o.first], x.passage.tokens[o.last]
	if first.sentence != last.sentence {
		last = first
	}
	return x.doc.sentences[first.sentence].Text[first.start:last.end]
}
