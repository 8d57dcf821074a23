package html

import "testing"

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
	d := OfTree(parseTree(src), nil)
	d.Write()
	return d.Text
}
