package report

import (
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/draft"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/quote"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// A citation keeps the label that its author gave it, with the lines that were read beside it: [S1:120], [7, line 120],
// (Smith 2020, lines 3–4). A link or an address has no label: it gets the number of the source.

// MarkOf returns a citation of a draft with its place, the lines that it names and its label.
func MarkOf(c verify.Citation) MarkerAt {
	return MarkerAt{Start: c.Start, End: c.End, SourceID: c.SourceID, Lines: c.Lines.String(), Label: labelOf(c.Marker)}
}

// labelOf returns the label of a mark, without brackets; "" for a link or an address.
func labelOf(m draft.Marker) string {
	switch m.Kind {
	case draft.MarkerID, draft.MarkerNumber:
		return m.Target
	case draft.MarkerFootnote:
		return "^" + m.Target
	case draft.MarkerAuthor:
		name, _, _ := strings.Cut(m.Target, " ")
		for part := range strings.SplitSeq(strings.Trim(m.Raw, "()（） "), ";") { // (Smith 2020; Jones 2021)
			if strings.Contains(strings.ToLower(part), name) {
				return strings.TrimSpace(part)
			}
		}
		return strings.Trim(m.Raw, "()（） ")
	}
	return ""
}

// maxLabelChars bounds a label, in bytes: the longest mark that package draft reads, and more.
const maxLabelChars = 200

// nameSources gives each source the label of the list: that of its author if it has one of its own, else a free number, or its
// id where the text cites by id.
func (f *facts) nameSources() {
	taken := map[string]bool{}
	for i := range f.Sources {
		f.Sources[i].own = ""
	}
	for _, s := range f.Document.Sentences {
		for _, m := range s.Markers {
			label := sanitize.Line(m.Label)
			if at, ok := f.byID[m.SourceID]; ok && label != "" && len(label) <= maxLabelChars && f.Sources[at].own == "" && !taken[label] {
				f.Sources[at].own, taken[label] = label, true
			}
		}
	}
	if len(taken) == 0 {
		return
	}
	for i := range f.Sources {
		if s := &f.Sources[i]; s.own == "" && s.Number > 0 && !s.ByID {
			n := s.Number
			for taken[strconv.Itoa(n)] {
				n++
			}
			s.own, taken[strconv.Itoa(n)] = strconv.Itoa(n), true
		}
	}
}

// reference returns the text of a citation: its label, and the lines.
func (f facts) reference(s Source, label, lines string) string {
	if label = sanitize.Line(label); label == "" || len(label) > maxLabelChars {
		label = s.label()
	}
	switch {
	case lines == "":
		return label
	case label == sanitize.Line(s.ID) && f.Parts == nil:
		return label + ":" + sanitize.Line(lines)
	}
	return label + ", " + LineWords(f.words, lines)
}

// linesOf returns the receipts of a source that support a sentence, by index, and their lines: the cited ones; where the
// author cited none, those that decided for the reader; else all.
func (s Sentence) linesOf(source string) (which []int, at lines.Ranges) {
	cited := false
	var decided []int
	for j, r := range s.Receipts {
		if r.SourceID != source {
			continue
		}
		which, cited = append(which, j), cited || r.Cited != ""
		if _, _, ok := decides(r.Passage, s.Reading); ok {
			decided = append(decided, j)
		}
	}
	if len(decided) > 0 && !cited {
		which = decided
	}
	for _, j := range which {
		named := s.Receipts[j].Cited
		if named == "" {
			named = s.Receipts[j].Lines
		}
		if ranges, ok := lines.ParseRanges(named); ok {
			at = at.And(ranges)
		}
	}
	return which, at
}

// shown returns the receipts of a citation, and its lines as the report shows them: the cited ones, else those that were read.
func (s Sentence) shown(to cited) (which []int, lines string) {
	which, at := s.linesOf(to.id)
	if to.lines == "" {
		return which, at.String()
	}
	return which, to.lines
}

// cites lists the sources of a sentence's receipts, each once, in order.
func (s Sentence) cites() (out []string) {
	for _, r := range s.Receipts {
		if !slices.Contains(out, r.SourceID) {
			out = append(out, r.SourceID)
		}
	}
	return out
}

func (r Receipt) lineWords(m messages.Table) string { return LineWords(m, r.Lines) }

// LineWords names lines: "line 120", "lines 120–128"; "" for none.
func LineWords(m messages.Table, lines string) string {
	switch at := sanitize.Line(strings.ReplaceAll(lines, "-", "–")); {
	case at == "":
		return ""
	case strings.ContainsAny(at, "–,"):
		return m.T("lines %s", at)
	default:
		return m.T("line %s", at)
	}
}

// decides returns where the words that decided a reading are in a passage, in code points.
func decides(passage string, reading *loopstate.Reading) (start, end int, ok bool) {
	if reading == nil || strings.TrimSpace(reading.Quote) == "" {
		return 0, 0, false
	}
	grade, at := quote.Find(reading.Quote, passage)
	return at.Start, at.End, (grade == quote.Exact || grade == quote.Normalised) && at.Start < at.End
}
