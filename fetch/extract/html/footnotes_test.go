package html

import (
	"context"
	"testing"
)

func TestFootnotes(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, html, want string }{
		{"Markdown's own", `<p>Tides<sup id="fnref:1"><a href="#fn:1" class="footnote-ref">1</a></sup> rise.</p><div ` +
			`class="footnotes"><ol><li id="fn:1"><p>Twice a day.&#160;<a href="#fnref:1" ` +
			`class="footnote-backref">↩</a></p></li></ol></div>`,
			"Tides[1] rise.\n\n1. Twice a day."},
		{"Wikipedia", `<p>Tides<sup class="reference" id="cite_ref-1"><a href="#cite_note-1">[1]</a></sup> rise.</p><ol ` +
			`class="references"><li id="cite_note-1"><span><b><a href="#cite_ref-1">^</a></b></span> <span>Byron, Tides.</span></li></ol>`,
			"Tides[1] rise.\n\n1. Byron, Tides."},
		{"roles of publications", `<p>Tides<a role="doc-noteref" href="#n2" id="r2"><sup>a</sup></a> rise.</p><aside ` +
			`role="doc-footnote" id="n2"><p>Twice. <a href="#r2">back</a></p></aside>`,
			"Tides[a] rise.\n\n[a] Twice."},
		{"numbers in brackets", `<p>Tides <a href="#ref5">[5]</a> rise.</p><h2>References</h2><p id="ref5">Byron 1899.</p>`,
			"Tides [5] rise.\n\n## References\n\n[5] Byron 1899."},
		{"an anchor in the note", `<p>Tides<sup><a href="#f1">1</a></sup>.</p><p><a name="f1"></a>1. Twice.</p>`,
			"Tides[1].\n\n1. Twice."},
		{"one note, two references", `<p>A<sup><a href="#n">1</a></sup> b<sup><a href="#n">1</a></sup></p><ol><li id="n">Note</ol>`,
			"A[1] b[1]\n\n1. Note"},
		{"two notes with one number", `<p>A<sup><a href="#n">1</a></sup> b<sup><a href="#m">1</a></sup></p><ol><li id="n">Note<li ` +
			`id="m">Other</ol>`,
			"A[1] b[1]\n\n1. Note\n2. Other"},
		{"a contents list is no reference", `<ul><li><a href="#s1">Section 1</a></ul><h2 id="s1">Section 1</h2><p>x</p>`,
			"- Section 1\n\n## Section 1\n\nx"},
		{"a mark behind a number", `<p>41<sup><a href="#n">2</a></sup> m, 42<sup><a href="#n">[2]</a></sup> m.</p><ol><li id="n">Note</ol>`,
			"41[2] m, 42[2] m.\n\n1. Note"},
		{"a mark and an exponent", `<p>2<sup>32</sup> l<a href="#n" role="doc-noteref"><sup>a</sup></a></p><ol><li id="n">Note</ol>`,
			"2³² l[a]\n\n1. Note"},
		{"Pandoc", `<p>The gate is old<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>.</p><section ` +
			`id="footnotes"><ol><li id="fn1"><p>1974 was wet.<a href="#fnref1" role="doc-backlink">↩︎</a></p></li></ol></section>`,
			"The gate is old[1].\n\n1. 1974 was wet."},
		{"LaTeXML", `<p>The gate is old<span class="ltx_note ltx_role_footnote" id="footnote1"><sup class="ltx_note_mark">1</sup><span ` +
			`class="ltx_note_outer"><span class="ltx_note_content"><sup class="ltx_note_mark">1</sup><span class="ltx_tag ` +
			`ltx_tag_note">1</span>1974 was wet.</span></span></span> and leaks<span class="ltx_note"><sup class="ltx_note_mark">2</sup>` +
			`<span class="ltx_note_content">Seen.</span></span>.</p><p>End.</p>`,
			"The gate is old[1] and leaks[2].\n\n[1] 1974 was wet.\n\n[2] Seen.\n\nEnd."},
		{"Distill", `<p>The gate is old<d-footnote>Built in 1974.</d-footnote> and leaks.</p>`,
			"The gate is old[1] and leaks.\n\n[1] Built in 1974."},
		{"Tufte", `<div>The gate is old<label class="margin-toggle sidenote-number" for="sn-1"></label><input type="checkbox" ` +
			`class="margin-toggle"><span class="sidenote">Built in 1974.</span> and leaks.<p>End.</p></div>`,
			"The gate is old[1] and leaks.\n\n[1] Built in 1974.\n\nEnd."},
		{"a note in a cell", `<table><tr><th>a<th>b<tr><td>c<span class="ltx_note"><sup class="ltx_note_mark">1</sup>D.</span>` +
			`<td>e</table>`,
			"a | b\nc[1] | e\n\n[1] D."},
		{"docutils", `<p>old <a class="footnote-reference brackets" href="#id4" id="id1">2</a></p><dl class="footnote brackets"><dt ` +
			`class="label" id="id4"><span class="brackets"><a class="fn-backref" href="#id1">2</a></span></dt><dd><p>Seen.</p></dd></dl>`,
			"old [2]\n\n[2] Seen."},
		{"docutils, newer", `<p>old <a class="footnote-reference brackets" href="#f1" id="id1" role="doc-noteref">1</a></p><aside ` +
			`class="footnote brackets" id="f1"><span class="label"><span>[</span><a role="doc-backlink" href="#id1">1</a><span>]</span>` +
			`</span><span class="backrefs">(<a role="doc-backlink" href="#id1">1</a>,<a role="doc-backlink" href="#id2">2</a>)</span>` +
			`<p>Seen.</p></aside>`, "old [1]\n\n[1] Seen."},
		{"Asciidoctor", `<p>old<sup>[<a id="_fr1" class="footnote" href="#_fd1">1</a>]</sup></p><div class="footnote" id="_fd1"><a ` +
			`href="#_fr1">1</a>. Measured by lamp.</div>`, "old[1]\n\n[1] Measured by lamp."},
		{"links of a note to other places", `<h2 id="s">Gates</h2><p>old<sup id="r1"><a href="#fn1">1</a></sup> oak<sup><a href="#fn2" ` +
			`id="r2">2</a></sup></p><ol><li id="fn1">See <a href="#s">the gates</a> and note <a href="#fn2">2</a>. ` +
			`<a href="#s">↩︎</a><li id="fn2">Seen. <a href="#r2">Back to the text</a></ol>`,
			"## Gates\n\nold[1] oak[2]\n\n1. See the gates and note 2.\n2. Seen."},
		{"a link in a note of docutils", `<h2 id="s">Gates</h2><p>old <a class="footnote-reference" href="#id2" id="id1">1</a></p><dl ` +
			`class="footnote"><dt class="label" id="id2"><span class="brackets"><a class="fn-backref" href="#id1">1</a></span></dt>` +
			`<dd><p>See <a class="reference internal" href="#s">the gates</a> for more.</p></dd></dl>`,
			"## Gates\n\nold [1]\n\n[1] See the gates for more."},
		{"an exponent", `<p>x<sup>2</sup></p>`, "x²"},
		{"a reference without a note", `<p>x<sup><a href="#gone">1</a></sup></p>`, "x¹"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := wholeText(tt.html); got != tt.want {
				t.Errorf("text %q, want %q", got, tt.want)
			}
		})
	}
}

// wholeText is the text of a page of which everything is content.
func wholeText(src string) string {
	doc := parseTree(src)
	d, _ := OfTrees(context.Background(), doc, doc)
	d.Write()
	return d.Text
}
