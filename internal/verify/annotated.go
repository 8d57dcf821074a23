package verify

import (
	"fmt"
	"html/template"
	"regexp"
	"sort"
	"strings"
)

// stretch is a sentence with a verdict, as it stands in a draft.
type stretch struct {
	start, end int // code points
	note       int // of its note, from 1
	look       look
}

// link is a mark in a draft that cites.
type link struct {
	start, end int
	href       string // "" when it leads nowhere that may be linked to
	dead       bool
}

// block is a run of lines that are shown together, with the notes on the sentences that begin in it.
type block struct {
	Line  int
	Class string // of the style sheet
	Text  template.HTML
	Notes []note
}

var (
	headingLine = regexp.MustCompile(`^ {0,3}(#{1,6})[ \t]`)
	itemLine    = regexp.MustCompile(`^\s*(?:[-*+]|\d{1,9}[.)])\s`)
	fenceLine   = regexp.MustCompile("^ {0,3}(```+|~~~+)")
)

// annotated lays a draft out: every character of it as it was written, the sentences marked, the citations linked.
func annotated(text []rune, stretches []stretch, links []link, notes map[int]note) []block {
	sort.SliceStable(stretches, func(i, j int) bool { return stretches[i].start < stretches[j].start })
	sort.SliceStable(links, func(i, j int) bool { return links[i].start < links[j].start })
	w := annotator{text: text, stretches: stretches, links: links, begun: map[int]bool{}, notes: notes}
	line, fence := 0, ""
	var open *block // the block that further lines belong to
	from := 0
	flush := func(to int) {
		if open != nil {
			open.Text, open.Notes = w.write(from, to)
			w.blocks = append(w.blocks, *open)
			open = nil
		}
	}
	for at := 0; at < len(text); {
		end := at
		for end < len(text) && text[end] != '\n' {
			end++
		}
		line++
		s := string(text[at:end])
		m := fenceLine.FindStringSubmatch(s)
		switch {
		case fence != "":
			if m != nil && strings.HasPrefix(m[1], fence) {
				fence = ""
				flush(end)
			}
		case strings.TrimSpace(s) == "":
			flush(at)
		default:
			class := classOf(s)
			if m != nil {
				fence = m[1]
			}
			if open == nil || class != "p" && !(class == "table" && open.Class == "table") || strings.HasPrefix(open.Class, "h") {
				flush(at)
				open, from = &block{Line: line, Class: class}, at
			}
		}
		at = end + 1
	}
	flush(len(text))
	return w.blocks
}

func classOf(line string) string {
	switch m := headingLine.FindStringSubmatch(line); {
	case m != nil:
		return fmt.Sprintf("h h%d", len(m[1]))
	case fenceLine.MatchString(line):
		return "code"
	case strings.HasPrefix(strings.TrimSpace(line), "|"):
		return "table"
	case itemLine.MatchString(line):
		return "item"
	}
	return "p"
}

type annotator struct {
	text      []rune
	stretches []stretch
	links     []link
	begun     map[int]bool // notes whose sentence was begun
	notes     map[int]note
	blocks    []block
}

// write writes the text between two places, and returns the notes on the sentences that begin there.
func (w *annotator) write(from, to int) (template.HTML, []note) {
	to = min(to, len(w.text))
	for to > from && w.text[to-1] == '\n' {
		to--
	}
	var b strings.Builder
	var notes []note
	for at := from; at < to; {
		end := to
		s, next := covering(at, len(w.stretches), func(i int) (int, int) { return w.stretches[i].start, w.stretches[i].end })
		end = min(end, next)
		l, next := covering(at, len(w.links), func(i int) (int, int) { return w.links[i].start, w.links[i].end })
		end = min(end, next)
		if s >= 0 {
			x := w.stretches[s]
			id := ""
			if !w.begun[x.note] {
				w.begun[x.note] = true
				id = fmt.Sprintf(` id="s%d"`, x.note)
				fmt.Fprintf(&b, `<a class="sign %s" href="#n%d"><span aria-hidden="true">%s</span><span class="vh">%s, note </span>%d</a>`, x.look.Class, x.note, x.look.Sign, x.look.Word, x.note)
				notes = append(notes, w.notes[x.note])
			}
			fmt.Fprintf(&b, `<span class="s %s"%s>`, x.look.Class, id)
		}
		piece := string(w.text[at:end])
		if l >= 0 {
			w.links[l].write(&b, piece)
		} else {
			b.WriteString(string(foreignHTML(piece)))
		}
		if s >= 0 {
			b.WriteString("</span>")
		}
		at = max(end, at+1)
	}
	return template.HTML(b.String()), notes //nolint:gosec // foreignHTML escapes
}

// covering is the last of n intervals, sorted by their start, that begins at or before a place, if it covers it
// (-1 if not), and where the answer changes next.
func covering(at, n int, interval func(int) (start, end int)) (index, until int) {
	i := sort.Search(n, func(i int) bool { s, _ := interval(i); return s > at })
	until = 1 << 62
	if i < n {
		until, _ = interval(i)
	}
	if i == 0 {
		return -1, until
	}
	if _, end := interval(i - 1); at < end {
		return i - 1, min(until, end)
	}
	return -1, until
}

// write writes a mark. Of [text](address) the text is the link, and the address stands small behind it.
func (l link) write(b *strings.Builder, written string) {
	open := fmt.Sprintf(`<a class="cite" href="%s" rel="noreferrer noopener nofollow">`, template.HTMLEscapeString(l.href))
	shut := "</a>"
	if l.href == "" {
		open, shut = `<span class="cite">`, "</span>"
	}
	if l.dead {
		open, shut = `<span class="cite dead">`, "</span>"
	}
	shown, rest := written, ""
	if cut := strings.LastIndex(written, "]("); cut > 0 {
		shown, rest = written[:cut+1], written[cut+1:]
	}
	b.WriteString(open + string(foreignHTML(shown)) + shut)
	if rest != "" {
		b.WriteString(`<span class="address">` + string(foreignHTML(rest)) + `</span>`)
	}
}
