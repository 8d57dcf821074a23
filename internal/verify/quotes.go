package verify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/quote"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/loopstate"
)

// findQuotes grades the quotations of the claim in all that it cites.
func (c *Claim) findQuotes(cited []Source) {
	for i := range c.Citations {
		if cite := &c.Citations[i]; cite.Quote != "" && cite.Resolved() {
			q := c.quoted(cite.Quote, cited, cite.SourceID)
			if q.SourceID == cite.SourceID && len(cite.Lines) == 0 {
				cite.Lines = lines.Ranges{q.lines}
			}
		}
	}
	for _, said := range c.Quotes {
		c.quoted(said, cited, "")
	}
	if c.Has(FlagQuoteAbsent) {
		c.Status, c.Because = loopstate.Unsupported, "A quotation is nowhere in the texts that it cites."
	}
}

// quoted grades one quotation in the source that has it best, the named one before others.
func (c *Claim) quoted(said string, in []Source, named string) Quoted {
	best := Quoted{Quote: said, Grade: quote.Absent}
	for _, src := range in {
		grade, at := c.find(said, src)
		n := rankOf(grade) - rankOf(best.Grade)
		if n > 0 || n == 0 && (src.ID != named || grade == quote.Absent) {
			continue
		}
		best = Quoted{Quote: said, Grade: grade, SourceID: src.ID, Line: src.Text.Lines().At(at.Start), Start: at.Start, End: at.End,
			lines: src.Text.Lines().Lines(at.Start, at.End)}
		if grade == quote.Fuzzy {
			_, best.Changed = quote.Changed(said, at.Text)
		}
	}
	if best.Grade == quote.Absent && slices.ContainsFunc(in, func(src Source) bool { return titled(said, src.Title) }) {
		return best
	}
	shown, flag := sanitize.Short(said, 80), ""
	switch {
	case best.Grade == quote.Absent:
		flag = fmt.Sprintf("%s: %q", FlagQuoteAbsent, shown)
	case best.Grade == quote.Fuzzy:
		flag = fmt.Sprintf("%s: %s:%d has %s in %q", FlagQuoteFuzzy, best.SourceID, best.Line, strings.Join(best.Changed, ", "), shown)
	case named != "" && best.SourceID != named:
		flag = fmt.Sprintf("%s: %q is in %s:%d, not in %s", FlagQuoteOther, shown, best.SourceID, best.Line, named)
	default:
		if cited := c.citedLines(best.SourceID); !cited.Overlap(best.lines) {
			flag = fmt.Sprintf("%s: %q is in %s:%d, not in its lines %s", FlagQuoteOther, shown, best.SourceID, best.Line, cited)
		}
	}
	if flag != "" {
		c.Flags = append(c.Flags, flag)
	}
	c.Quoted = append(c.Quoted, best)
	return best
}

// titled reports whether the title of a work has the words in quotation marks.
func titled(said, title string) bool {
	grade, _ := quote.Find(said, title)
	return grade == quote.Exact || grade == quote.Normalised
}

// find looks a quotation up in a source, and where it stands several times, in the lines that the claim cites.
func (c *Claim) find(said string, src Source) (quote.Grade, words.Span) {
	grade, at := src.Text.quotes().Find(said)
	cited := c.citedLines(src.ID)
	if grade == quote.Absent || cited.Overlap(src.Text.Lines().Lines(at.Start, at.End)) {
		return grade, at
	}
	for _, r := range cited {
		start, _, text := src.Text.Lines().Span(r)
		if g, within := quote.Find(said, text); rankOf(g) <= rankOf(grade) {
			return g, words.Span{Start: start + within.Start, End: start + within.End, Text: within.Text}
		}
	}
	return grade, at
}

// citedLines returns the lines that the claim cites of a source, or nil where a citation means the whole text.
func (c *Claim) citedLines(source string) (cited lines.Ranges) {
	for _, cite := range c.Citations {
		if cite.SourceID != source {
			continue
		}
		if len(cite.Lines) == 0 {
			return nil
		}
		cited = cited.And(cite.Lines)
	}
	return cited
}

func rankOf(g quote.Grade) int {
	return slices.Index([]quote.Grade{quote.Exact, quote.Normalised, quote.Fuzzy, quote.Absent}, g)
}

// QuoteGrade returns the worst grade of the claim's quotations, or "" without any.
func (f Finding) QuoteGrade() quote.Grade {
	var worst quote.Grade
	for _, q := range f.Quoted {
		if worst == "" || rankOf(q.Grade) > rankOf(worst) {
			worst = q.Grade
		}
	}
	return worst
}
