package grounding

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// quoteFinding is what became of the quotes of a claim.
type quoteFinding struct {
	grade string // the worst
	words string // the first quote that was found
	at    *Evidence
	flags []string
}

func (c *Checker) quotes(citations []Citation) quoteFinding {
	var out quoteFinding
	rank := map[string]int{"": 0, QuoteExact: 1, QuoteNormalised: 2, QuoteFuzzy: 3, QuoteAbsent: 4}
	for _, ct := range citations {
		i, known := c.byID[ct.SourceID]
		if strings.TrimSpace(ct.Quote) == "" || !known {
			continue
		}
		d := c.docs[i]
		grade, at := gradeQuote(ct.Quote, d.Text, d.letters())
		at.SourceID = d.ID
		switch grade {
		case QuoteFuzzy:
			out.flags = append(out.flags, fmt.Sprintf("%s: %s in %s differs in single words", FlagQuoteFuzzy, shorten(ct.Quote), d.ID))
		case QuoteAbsent:
			if elsewhere := c.quotedIn(ct.Quote, citations, d); elsewhere != "" {
				out.flags = append(out.flags, fmt.Sprintf("%s: %s is in %s, not in %s", FlagQuoteElsewhere, shorten(ct.Quote), elsewhere, d.ID))
			}
			out.flags = append(out.flags, fmt.Sprintf("%s: %s is not in %s", FlagQuoteAbsent, shorten(ct.Quote), d.ID))
		}
		if rank[grade] > rank[out.grade] {
			out.grade = grade
		}
		if grade != QuoteAbsent && out.at == nil {
			out.at, out.words = &at, ct.Quote
		}
	}
	return out
}

// Quoted returns the first of some sources that has a quote, or the first of all when none has it.
func (c *Checker) Quoted(quote string, ids []string) string {
	for _, id := range ids {
		i, known := c.byID[id]
		if !known || len(ids) == 1 {
			continue
		}
		if grade, _ := gradeQuote(quote, c.docs[i].Text, c.docs[i].letters()); grade != QuoteAbsent {
			return id
		}
	}
	return ids[0]
}

// restate reports whether the claim is nothing but a quote that is in its source.
func (q quoteFinding) restate(claim string) bool {
	if q.grade != QuoteExact && q.grade != QuoteNormalised {
		return false
	}
	said := newLetters(claim).s
	return len(said) >= minVerbatimLetters && strings.Contains(newLetters(q.words).s, said)
}

// quotedIn returns another cited source that has the quote.
func (c *Checker) quotedIn(quote string, citations []Citation, not *document) string {
	for _, d := range c.cited(citations) {
		if d == not {
			continue
		}
		if grade, _ := gradeQuote(quote, d.Text, d.letters()); grade == QuoteExact || grade == QuoteNormalised {
			return d.ID
		}
	}
	return ""
}

// apply puts the quotes into the verdict: a good quote decides where the passage is, a bad one vetoes.
func (q quoteFinding) apply(v *Verdict) {
	v.QuoteGrade = q.grade
	v.Flags = append(v.Flags, q.flags...)
	switch q.grade {
	case QuoteAbsent:
		v.Support *= quoteVeto
		v.Status, v.Basis = Unsupported, ""
		v.SourceID = ""
		v.Confidence = 1 - v.Support
	case QuoteFuzzy:
		v.Support *= fuzzyVeto
		if v.Status == Grounded {
			v.Status, v.Basis = Inferred, ""
			v.Confidence = confidence(*v)
		}
	}
	if q.at == nil || v.Status == Unsupported {
		return
	}
	first := *q.at
	for _, e := range v.Passages { // what surrounds the quote says more about the claim than the quote alone
		if e.SourceID == q.at.SourceID && e.Start <= q.at.Start && q.at.End <= e.End {
			first = e
			break
		}
	}
	list := []Evidence{first}
	for _, e := range v.Passages {
		if len(list) < MaxPassages && e != first {
			list = append(list, e)
		}
	}
	v.Passages, v.Passage, v.SourceID = list, &first, first.SourceID
}

func shorten(s string) string {
	const keep = 60
	s = strings.Join(strings.Fields(cutChars(s, 4*keep)), " ")
	if utf8.RuneCountInString(s) > keep {
		s = cutChars(s, keep) + "…"
	}
	return fmt.Sprintf("%q", s)
}
