package archive

import (
	"strings"
	"testing"
)

// Formulas of DOCX become TeX.
func TestDOCXFormulas(t *testing.T) {
	r := func(s string) string { return "<m:r><m:t>" + s + "</m:t></m:r>" }
	tests := []struct{ name, omml, want string }{
		{"fraction", "<m:f><m:num>" + r("a+1") + "</m:num><m:den>" + r("2b") + "</m:den></m:f>", `\frac{a+1}{2b}`},
		{"power", "<m:sSup><m:e>" + r("x") + "</m:e><m:sup>" + r("2") + "</m:sup></m:sSup>", `x^{2}`},
		{"index and power", "<m:sSubSup><m:e>" + r("x") + "</m:e><m:sub>" + r("i") + "</m:sub><m:sup>" + r("2") + "</m:sup></m:sSubSup>",
			`x_{i}^{2}`},
		{"square root", `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/><m:e>` + r("x") + "</m:e></m:rad>", `\sqrt{x}`},
		{"cube root", "<m:rad><m:deg>" + r("3") + "</m:deg><m:e>" + r("x") + "</m:e></m:rad>", `\sqrt[3]{x}`},
		{"sum", `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>` + r("i=1") + "</m:sub><m:sup>" + r("n") + "</m:sup><m:e>" +
			r("i") + "</m:e></m:nary>", `\sum_{i=1}^{n} i`},
		{"brackets", `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>` + r("x") + "</m:e></m:d>", `[x]`},
		{"function", "<m:func><m:fName>" + r("sin") + "</m:fName><m:e>" + r("x") + "</m:e></m:func>", `\sin x`},
		{"accent", `<m:acc><m:accPr><m:chr m:val="̂"/></m:accPr><m:e>` + r("x") + "</m:e></m:acc>", `\hat{x}`},
		{"matrix", "<m:m><m:mr><m:e>" + r("1") + "</m:e><m:e>" + r("2") + "</m:e></m:mr><m:mr><m:e>" + r("3") + "</m:e><m:e>" + r("4") +
			"</m:e></m:mr></m:m>", `\begin{matrix} 1 & 2 \\ 3 & 4 \end{matrix}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := `<w:document xmlns:w="w" xmlns:m="m"><w:body><w:p><w:r><w:t xml:space="preserve">so </w:t></w:r><m:oMath>` + tt.omml +
				`</m:oMath></w:p></w:body></w:document>`
			got, err := docxOf(t.Context(), zipOf(t, "word/document.xml", body), 2<<20)
			if err != nil {
				t.Fatal(err)
			}
			if want := "so $" + tt.want + "$"; strings.ReplaceAll(got.Text, " ", "") != strings.ReplaceAll(want, " ", "") {
				t.Errorf("%q, want %q", got.Text, want)
			}
		})
	}
}
