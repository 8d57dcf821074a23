package report

import (
	"bytes"
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"

	"github.com/citeloop/citeloop/internal/report/markup"
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// mdBody returns the host's text as Markdown: citations link to the list of sources, sentences that are not supported
// are marked, and HTML, unsafe links and images become text. missed are the sentences that the text does not show, by
// index.
func mdBody(d Document, f facts) (text string, missed []int) {
	b := bodyOf(d)
	source := b.withSigns(f)
	for range maxPasses {
		mended := neutralize(source)
		if !bytes.Equal(mended, source) {
			source = mended
			continue
		}
		if text := b.release(source, f); bytes.Equal(neutralize(text), text) {
			return strings.Trim(undirected(string(text)), "\n"), b.unplaced
		}
		break
	}
	// A text that still contains markup is shown as plain text.
	return strings.TrimRight(mdLines(b.written(string(source)), ""), "\n"), b.unplaced
}

// maxPasses bounds the passes of mend: one change may reveal another place; real texts need one pass.
const maxPasses = 6

// edit replaces bytes of the source.
type edit struct {
	at, until int
	with      string
}

func apply(source []byte, edits []edit) []byte {
	sort.SliceStable(edits, func(i, j int) bool { return edits[i].at < edits[j].at })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		if e.at < at {
			continue
		}
		out.Write(source[at:e.at])
		out.WriteString(e.with)
		at = e.until
	}
	out.Write(source[at:])
	return out.Bytes()
}

// withSigns adds a placeholder for the verdict after each sentence that is not grounded and ends in prose. Of neighbouring
// sentences of the author's own in a paragraph, only the last has one: a sign after every sentence is hard to read.
func (b *body) withSigns(f facts) []byte {
	inProse := make(map[int]bool)
	for _, p := range markup.Pieces(b.root, b.source) {
		if p.Kind == markup.Prose {
			for k := b.from(p.Start); k < len(b.spans) && b.spans[k].start < p.Stop; k++ {
				if b.spans[k].last <= p.Stop {
					inProse[k] = true
				}
			}
		}
	}
	var edits []edit
	class := func(k int) string { return style.VerdictOf(f.Sentences[b.spans[k].sentence].Status).Class }
	for k, s := range b.spans {
		if class(k) == "v-grounded" || !inProse[k] {
			continue
		}
		if next := k + 1; class(k) == ownClass && next < len(b.spans) && inProse[next] && class(next) == ownClass && sameParagraph(b.source[s.last:b.spans[next].start]) {
			continue
		}
		edits = append(edits, edit{s.last, s.last, hold(signOpen, s.sentence)})
	}
	return apply(b.source, edits)
}

// sameParagraph reports whether the text between two sentences is only space within a paragraph.
func sameParagraph(between []byte) bool {
	return len(bytes.TrimSpace(between)) == 0 && bytes.Count(between, []byte("\n")) <= 1
}

// neutralize escapes markup that must not be rendered, and closes a code block that would include the text after it.
func neutralize(source []byte) []byte {
	const last = "\n\n⟦end⟧\n"
	root := markup.Parse(append(bytes.Clone(source), last...))
	var edits []edit
	escape := func(at int, with string) {
		if at >= 0 && at < len(source) {
			edits = append(edits, edit{at, at, with})
		}
	}
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.RawHTML, *ast.HTMLBlock:
			if raw, ok := n.(*ast.RawHTML); ok && markup.LineBreak(raw, source) {
				break
			}
			for _, p := range markup.Own(n, source) {
				for i := p.Start; i < min(p.Stop, len(source)); i++ {
					if source[i] == '<' {
						edits = append(edits, edit{i, i + 1, "&lt;"})
					}
				}
			}
		case *ast.Link:
			if target := string(n.Destination); sanitize.Link(markup.Resolved(target)) == "" && !strings.HasPrefix(target, "#") {
				escape(n.Pos(), `\`)
			}
		case *ast.Image: // becomes "!" and a link, so that nothing is loaded
			escape(n.Pos(), `\`)
		case *ast.AutoLink:
			if n.AutoLinkType == ast.AutoLinkURL && sanitize.Link(string(n.URL(source))) == "" && n.Pos() < len(source) && source[max(0, n.Pos())] == '<' {
				edits = append(edits, edit{n.Pos(), n.Pos() + 1, "&lt;"})
			}
		}
		return ast.WalkContinue, nil
	})
	if len(edits) > 0 {
		return apply(source, edits)
	}
	if end := root.LastChild(); end != nil {
		if fence := openFence(end, source); fence != "" {
			return append(bytes.TrimRight(bytes.Clone(source), "\n"), "\n"+fence+"\n"...)
		}
	}
	return source
}

var fenceRun = regexp.MustCompile("^[ \t]*(`{3,}|~{3,})")

// openFence returns the fence that closes the code block at the end of the document, if it contains the end mark.
func openFence(n ast.Node, source []byte) string {
	for ; n != nil; n = n.LastChild() {
		code, ok := n.(*ast.FencedCodeBlock)
		if !ok || code.Pos() < 0 || code.Pos() >= len(source) {
			continue
		}
		lines := code.Lines()
		if lines.Len() == 0 || lines.At(lines.Len()-1).Stop <= len(source) {
			return ""
		}
		if m := fenceRun.FindSubmatch(source[code.Pos():]); m != nil {
			return string(m[1])
		}
	}
	return ""
}

// release replaces the placeholders: in prose by citations and signs, in code by the original text.
func (b *body) release(source []byte, f facts) []byte {
	root := markup.Parse(source)
	kinds := make(map[int]string) // byte of a placeholder -> its context
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		for _, p := range markup.Own(n, source) {
			if p.Kind != markup.Prose {
				continue
			}
			kind := "prose"
			for parent := n.Parent(); parent != nil; parent = parent.Parent() {
				if parent.Kind() == ast.KindLink || parent.Kind() == ast.KindImage {
					kind = "link"
				}
			}
			for _, m := range placeholder.FindAllIndex(source[p.Start:p.Stop], -1) {
				kinds[p.Start+m[0]] = kind
			}
		}
		return ast.WalkContinue, nil
	})
	var edits []edit
	for _, m := range placeholder.FindAllSubmatchIndex(source, -1) {
		n, _ := strconv.Atoi(string(source[m[4]:m[5]]))
		sign := string(source[m[2]:m[3]]) == "\uE002"
		with := ""
		switch kind := kinds[m[0]]; {
		case sign && kind != "" && n < len(f.Sentences):
			v := f.Sentences[n].Verdict()
			if with = " (" + v.Sign + " " + f.words.T(v.Word) + ")"; v.Class == ownClass {
				with = v.Sign // the legend has the words
			}
		case sign || n >= len(b.citations):
		case kind == "":
			with = b.citations[n].written
		default:
			for _, c := range b.citations[n].sources {
				with += f.mdCitation(b.citations[n].sentence, c, kind == "link")
			}
		}
		if strings.HasPrefix(with, "[") && exclaims(source[:m[0]]) {
			edits = append(edits, edit{m[0] - 1, m[0], "&#33;"}) // "![" would begin an image
		}
		edits = append(edits, edit{m[0], m[1], with})
	}
	return apply(source, edits)
}

// exclaims reports whether s ends in an exclamation mark that is not escaped.
func exclaims(s []byte) bool {
	rest, ok := bytes.CutSuffix(s, []byte("!"))
	return ok && (len(rest)-len(bytes.TrimRight(rest, `\\`)))%2 == 0
}

// mdCitation returns a citation in the text: its label, with the lines that were read, as a link to the receipt of the sentence,
// which has the words of these lines. The inner brackets are escaped, because the text could define a reference of that name.
func (f facts) mdCitation(sentence int, to cited, plain bool) string {
	s, at, ok := f.source(to.id)
	if !ok {
		says := f.words.T("not read")
		if to.label != "" {
			says = sanitize.Line(to.label) + ", " + says
		}
		return mdBrackets(to, says)
	}
	which, shown := f.Sentences[sentence].shown(to)
	says := mdBrackets(to, f.reference(s, to.label, shown))
	switch {
	case plain:
		return says
	case len(which) > 0 && f.Sentences[sentence].receipted():
		return fmt.Sprintf("[%s](#p%d)", says, sentence+1)
	}
	return fmt.Sprintf("[%s](#source-%d)", says, at+1)
}

func mdBrackets(to cited, says string) string {
	return strings.NewReplacer("[", `\[`, "]", `\]`).Replace(to.open) + mdEscape(says) + strings.NewReplacer("[", `\[`, "]", `\]`).Replace(to.shut)
}

// mdCite returns a citation outside of the text, as a link to the list of sources.
func mdCite(f facts, id, lines string, plain bool) string {
	s, at, ok := f.source(id)
	switch {
	case !ok:
		return `\[not read\]`
	case plain:
		return `\[` + mdEscape(f.reference(s, "", lines)) + `\]`
	}
	return fmt.Sprintf(`[\[%s\]](#source-%d)`, mdEscape(f.reference(s, "", lines)), at+1)
}

// mdEscape escapes one line of untrusted text for Markdown (CommonMark, with GitHub's tables, strikethrough and
// mathematics).
func mdEscape(s string) string {
	s = sanitize.Line(s)
	var b strings.Builder
	for i, r := range s {
		switch {
		case strings.ContainsRune("\\`*_{}[]<>|~&$", r), r == '!' && strings.HasPrefix(s[i+1:], "["):
			b.WriteByte('\\')
		case i == 0 && strings.ContainsRune("#+-=:", r): // would begin a block
			b.WriteByte('\\')
		case (r == '.' || r == ')') && i > 0 && i < 10 && strings.Trim(s[:i], "0123456789") == "": // would begin a list
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u2028", "\n", "\u2029", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n")

// mdLines escapes untrusted text of several lines and adds a prefix to each. It trims lines and joins blank lines.
func mdLines(s, prefix string) string {
	var b strings.Builder
	blank := true
	for line := range strings.Lines(lineEnds.Replace(s)) {
		line = mdEscape(line)
		if line != "" {
			b.WriteString(prefix + line + "\n")
		} else if !blank {
			b.WriteString(strings.TrimRight(prefix, " ") + "\n")
		}
		blank = line == ""
	}
	return b.String()
}

// mdAddress writes an address as a link, or as text if it is not allowed.
func mdAddress(raw string) string {
	if link := sanitize.Link(raw); link != "" && !strings.ContainsFunc(link, func(r rune) bool { return r == '<' || r == '>' || unicode.IsSpace(r) }) {
		return "<" + link + ">"
	}
	return mdEscape(raw)
}

// mdLink writes a link with trusted words.
func mdLink(words, address string) string { return "[" + words + "](" + mdTarget(address) + ")" }

// mdTarget writes the address of a link: a result of sanitize.Link, which cannot end the link early. "&" would begin a
// character reference.
func mdTarget(address string) string { return "<" + strings.ReplaceAll(address, "&", "&amp;") + ">" }

// undirected replaces characters that change the text direction, which plain text cannot isolate.
func undirected(s string) string {
	return strings.Map(func(r rune) rune {
		if sanitize.ChangesDirection(r) {
			return unicode.ReplacementChar
		}
		return r
	}, s)
}
