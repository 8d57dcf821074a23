package grounding

import (
	"slices"
	"strings"
	"unicode"
)

// splitOwn parts the sentences from index from on that have the mark [inference] after their last citation. What the citation
// closes is checked, what follows is the author's own. A citation after the mark closes the whole sentence.
func (p *draftReader) splitOwn(from int) {
	for i := from; i < len(p.out.Sentences); i++ {
		s := &p.out.Sentences[i]
		if s.inferred == 0 || len(s.Markers) == 0 || s.Split || s.Markers[len(s.Markers)-1].Start >= s.inferred {
			continue
		}
		cut := 0
		for _, m := range s.Markers {
			cut = max(cut, m.End)
		}
		if cell := p.cellEnd(cut, s.End); cell < s.inferred {
			cut = cell
		}
		next := cut
		for next < s.End && (p.role[next] == roleMark || p.role[next] == roleSyntax || unicode.IsSpace(p.mask[next]) || strings.ContainsRune(",;:.)|–—、，；。：", p.mask[next])) {
			next++
		}
		own := DraftSentence{Text: s.lead + p.visible(next, s.End), Head: s.Head, lead: s.lead, Start: next, End: s.End, Own: OwnInference, Split: true, inferred: s.inferred}
		cited := s.lead + p.visible(s.Start, cut)
		if hasWord(own.Text) && !hasWord(cited) && labels(p.mask[cut:s.End]) { // "[S3] (2021): a list without tests [inference]"
			s.Own, s.IsClaim = OwnInference, false
			continue
		}
		if !hasWord(own.Text) || !hasWord(cited) {
			continue
		}
		line := p.lineAt(next, s.Line-1)
		own.Line, own.Column = line+1, next-p.lines[line].start+1
		s.Text, s.End, s.Split = cited, cut, true
		own.Quotes = slices.DeleteFunc(slices.Clone(s.Quotes), func(q string) bool { return !strings.Contains(own.Text, q) })
		s.Quotes = slices.DeleteFunc(s.Quotes, func(q string) bool { return !strings.Contains(s.Text, q) })
		p.out.Sentences = slices.Insert(p.out.Sentences, i+1, own)
	}
}

// labels reports whether the text behind a mark makes the mark a label: a colon, a bracket or a dash follows it.
func labels(behind []rune) bool {
	for _, r := range behind {
		if !unicode.IsSpace(r) && r != '*' && r != '_' {
			return strings.ContainsRune(":(–—（：", r)
		}
	}
	return false
}

// cellEnd returns the end of the table cell that holds place i, or the length of the text if no cell ends before end.
func (p *draftReader) cellEnd(i, end int) int {
	for ; i < end; i++ {
		if p.mask[i] == '|' && p.role[i] == roleProse {
			return i
		}
	}
	return len(p.src)
}

// ownScope follows what makes more than one sentence the author's own: a mark [inference] at the end of a heading covers its
// section, at the beginning of a paragraph the paragraph, in a line that introduces a list or a table all of that. A line such
// as "None of the sources read says:" covers its list, and a heading such as "What the sources do not say" its section.
type ownScope struct {
	level   int    // of the heading whose section is covered; 0 for none
	section string // kind of the statements in it: OwnInference or OwnAbsence
	lead    leadState
	kind    string // of the statements behind the lead: OwnInference, OwnAbsence or OwnOpen
}

// leadState says where the reader is after a line that introduces something as the author's own.
type leadState int

const (
	noLead leadState = iota
	leadNext
	leadList
)

// heading opens or closes the section of a heading. The head of a table changes nothing.
func (o *ownScope) heading(p *draftReader, b draftBlock, markers []Marker) {
	if b.level == 0 {
		return
	}
	o.lead = noLead
	if b.level <= o.level {
		o.level = 0
	}
	switch {
	case o.level > 0:
	case p.endsInferred(b, markers, "#*_"):
		o.level, o.section = b.level, OwnInference
	case saysOwn("heading", strings.TrimLeft(p.visible(b.start, b.end), "#*_0123456789.) ")):
		o.level, o.section = b.level, OwnAbsence
	}
}

// endsInferred reports whether a block ends with the mark [inference], apart from some characters.
func (p *draftReader) endsInferred(b draftBlock, markers []Marker, ignored string) bool {
	if len(markers) == 0 || markers[len(markers)-1].Kind != markerInference {
		return false
	}
	return strings.Trim(string(p.src[markers[len(markers)-1].End:b.end]), ignored+" \t\r\n") == ""
}

// cover makes the uncited sentences of a block, from index first on, the author's own where a mark covers the block.
func (o *ownScope) cover(p *draftReader, b draftBlock, markers []Marker, first int) {
	covered, kind := o.level > 0, OwnInference
	if covered {
		kind = o.section
	}
	listed := b.item || b.row
	switch {
	case o.lead == leadNext && listed:
		covered, kind, o.lead = true, o.kind, leadList
	case o.lead == leadNext:
		covered, o.lead = covered || o.kind == OwnInference, noLead
	case o.lead == leadList && listed:
		covered, kind = true, o.kind
	default:
		o.lead = noLead
	}
	opens := len(markers) > 0 && markers[0].Kind == markerInference && strings.Trim(string(p.src[b.start:markers[0].Start]), "*_ \t") == ""
	text := strings.TrimRight(string(p.src[b.start:b.end]), "*_ \t\r\n")
	leads := strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：")
	sentences := p.out.Sentences[min(first, len(p.out.Sentences)):]
	if !b.row && (leads && (opens || p.endsInferred(b, markers, ":：*_")) || b.emphasised && p.endsInferred(b, markers, "*_:：")) {
		o.lead, o.kind = leadNext, OwnInference
		for i := range sentences {
			if s := &sentences[i]; len(s.Markers) == 0 && s.Own == OwnInference && (strings.HasSuffix(s.Text, ":") || strings.HasSuffix(s.Text, "：") || b.emphasised) {
				s.Own = "" // a label
			}
		}
	}
	if n := len(sentences) - 1; n >= 0 && leads && !listed && o.lead == noLead && len(sentences[n].Markers) == 0 {
		if kind := ownBy(sentences[n].Text, false); kind == OwnAbsence || kind == OwnOpen {
			o.lead, o.kind = leadNext, kind
		}
	}
	for i := range sentences {
		if s := &sentences[i]; (covered || opens) && s.IsClaim && len(s.Markers) == 0 {
			s.Own, s.IsClaim = kind, false
		}
	}
}
