package archive

import (
	"strings"
	"testing"
)

// What Word does not show is not in the text, and what it strikes through is marked.
func TestDOCXHidden(t *testing.T) {
	const secret, seen = "obey me", "seen"
	run := func(properties string) string {
		return `<w:p><w:r><w:t>a </w:t></w:r><w:r><w:rPr>` + properties + `</w:rPr><w:t>` + secret +
			`</w:t></w:r><w:r><w:t> z</w:t></w:r></w:p>`
	}
	row := func(properties string) string {
		return `<w:tbl><w:tr><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr><w:tr><w:trPr>` + properties +
			`</w:trPr><w:tc><w:p><w:r><w:t>` + secret + `</w:t></w:r></w:p></w:tc></w:tr></w:tbl>`
	}
	tests := []struct{ name, body, want string }{
		{"plain", run(""), "a obey me z"},
		{"vanish", run("<w:vanish/>"), "a z"},
		{"vanish, off", run(`<w:vanish w:val="0"/>`), "a obey me z"},
		{"webHidden", run("<w:webHidden/>"), "a z"},
		{"specVanish", run("<w:specVanish/>"), "a z"},
		{"by a style of characters", run(`<w:rStyle w:val="Gone"/>`), "a z"},
		{"by a style based on it", run(`<w:rStyle w:val="Child"/>`), "a z"},
		{"by a style, and shown again", run(`<w:rStyle w:val="Gone"/><w:vanish w:val="false"/>`), "a obey me z"},
		{"by a style of paragraphs", `<w:p><w:pPr><w:pStyle w:val="Gone"/></w:pPr><w:r><w:t>` + secret +
			`</w:t></w:r></w:p><w:p><w:r><w:t>z</w:t></w:r></w:p>`, "z"},
		{"a deleted row", row("<w:del/>"), "a"},
		{"a hidden row", row("<w:hidden/>"), "a"},
		{"a row", row("<w:cantSplit/>"), "a\nobey me"},
		{"deleted words", `<w:p><w:r><w:t>a</w:t></w:r><w:del><w:r><w:delText>` + secret + `</w:delText></w:r></w:del></w:p>`, "a"},
		{"a symbol", `<w:p><w:r><w:t xml:space="preserve">5 </w:t><w:sym w:font="Symbol" w:char="F0B1"/><w:t> 1 </w:t><w:sym ` +
			`w:font="Symbol" w:char="F06D"/><w:sym w:font="Wingdings" w:char="F0B1"/><w:sym w:char="0000"/></w:r></w:p>`, "5 ± 1 μ"},
		{"an arrow of Wingdings", `<w:p><w:r><w:t>a</w:t><w:sym w:font="Wingdings" w:char="F0E0"/><w:t>b</w:t></w:r></w:p>`, "a→b"},
		{"a sign of an old file", `<w:p><w:r><w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr><w:t>g &#xF0A3; h</w:t></w:r></w:p>`, "g ≤ h"},
		{"a field in the code of a field", `<w:p><w:r><w:t>Page </w:t><w:fldChar w:fldCharType="begin"/><w:instrText> = </w:instrText>` +
			`<w:fldChar w:fldCharType="begin"/><w:fldChar w:fldCharType="separate"/><w:t>12</w:t><w:fldChar w:fldCharType="end"/>` +
			`</w:r><w:r><w:fldChar w:fldCharType="separate"/><w:t>11</w:t><w:fldChar w:fldCharType="end"/><w:t> of it</w:t></w:r></w:p>`,
			"Page 11 of it"},
		{"letters above a word", `<w:p><w:r><w:ruby><w:rt><w:r><w:t>とう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東</w:t></w:r>` +
			`</w:rubyBase></w:ruby></w:r></w:p>`, "東"},
		{"wide and high cells", `<w:tbl><w:tr>` + cell("Gate") + cell("March") + cell("May") + `</w:tr><w:tr>` +
			cell("North", `<w:vMerge w:val="restart"/>`) + cell("both", `<w:gridSpan w:val="2"/>`) + cell("9") + `</w:tr><w:tr>` +
			cell("", `<w:vMerge/>`) + cell("3") + cell("4") + `</w:tr><w:tr><w:trPr><w:gridBefore w:val="1"/></w:trPr>` + cell("5") +
			`</w:tr></w:tbl>`, "Gate | March | May\nNorth | both |  | 9\nNorth | 3 | 4\n | 5"},
		{"a column of numbers", `<w:tbl><w:tr><w:tc><w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:p></w:tc>` +
			cell("open it") + `</w:tr></w:tbl>`, "1. | open it"},
		{"an empty item", item("") + item("", "x"), "2. x"},
		{"a deleted item", item("<w:del/>") + item("", "x"), "1. x"},
		{"a moved item", item("<w:moveFrom/>") + item("", "x"), "1. x"},
		{"a hidden item", item("<w:vanish/>") + item("", "x"), "1. x"},
		{"an item that is not hidden", item(`<w:vanish w:val="0"/>`) + item("", "x"), "2. x"},
		{"struck", run("<w:strike/>"), "a ~~obey me~~ z"},
		{"struck twice", run("<w:dstrike/>"), "a ~~obey me~~ z"},
		{"struck by a style", run(`<w:rStyle w:val="Old"/>`), "a ~~obey me~~ z"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := `<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>` + seen + `</w:t></w:r></w:p>` + tt.body + `</w:body></w:document>`
			x, err := docxOf(t.Context(), zipOf(t, "[Content_Types].xml", "<Types/>", "word/document.xml", body, "word/styles.xml",
				`<w:styles xmlns:w="w"><w:style w:styleId="Gone"><w:rPr><w:vanish/></w:rPr></w:style><w:style `+
					`w:styleId="Child"><w:basedOn w:val="Gone"/></w:style><w:style `+
					`w:styleId="Old"><w:rPr><w:strike/></w:rPr></w:style></w:styles>`, "word/numbering.xml", `<w:numbering xmlns:w="w">`+
					`<w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"/></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/>`+
					`</w:num></w:numbering>`), 2<<20)
			if err != nil {
				t.Fatal(err)
			}
			if want := seen + "\n\n" + tt.want; x.Text != want {
				t.Errorf("text %q, want %q", x.Text, want)
			}
			gone := tt.want == "a z" || tt.want == "z" || strings.HasSuffix(tt.name, " row") && tt.want == "a"
			if gone != (x.HiddenChars > 0) {
				t.Errorf("HiddenChars = %d", x.HiddenChars)
			}
		})
	}
}

// item is a paragraph of a list whose mark has properties.
func item(properties string, words ...string) string {
	return `<w:p><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr><w:rPr>` + properties + `</w:rPr></w:pPr><w:r><w:t>` +
		strings.Join(words, "") + `</w:t></w:r></w:p>`
}

// cell is a cell of a table with properties.
func cell(text string, properties ...string) string {
	return `<w:tc><w:tcPr>` + strings.Join(properties, "") + `</w:tcPr><w:p><w:r><w:t>` + text + `</w:t></w:r></w:p></w:tc>`
}

// The style sheets of a book hide what they hide in its reader.
func TestEPUBSheets(t *testing.T) {
	page := strings.Replace(chapter("First chapter", `Spring tides are high.</p><p class="x">obey me`), "</head>",
		`<link rel="stylesheet" href="../css/a.css"/></head>`, 1)
	x, err := epubOf(t.Context(), zipOf(t, "META-INF/container.xml", epubContainer, "OEBPS/book.opf", epubPackage, "OEBPS/text/one.xhtml",
		page, "OEBPS/css/a.css", "p.x { display: none ! important }"), 2<<20)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(x.Text, "obey") || !strings.Contains(x.Text, "Spring tides are high.") || x.HiddenChars == 0 {
		t.Errorf("text %q, %d characters are hidden", x.Text, x.HiddenChars)
	}
}
