package archive

import (
	"fmt"
	"strings"
	"testing"
)

func TestFormatNumber(t *testing.T) {
	for _, tt := range []struct {
		n            int
		format, want string
	}{
		{36, "chineseCountingThousand", "三十六"}, {10, "chineseCounting", "十"}, {12, "japaneseCounting", "十二"},
		{105, "taiwaneseCountingThousand", "一百零五"},
		{1010, "chineseCountingThousand", "一千零一十"}, {3, "chineseLegalSimplified", "叁"}, {5, "ideographTraditional", "戊"},
		{20, "ideographDigital", "二〇"},
		{28, "lowerLetter", "bb"}, {26, "upperLetter", "Z"}, {1994, "upperRoman", "MCMXCIV"}, {4, "lowerRoman", "iv"},
		{7, "decimalZero", "07"},
		{12, "decimalFullWidth", "１２"},
		{2, "ordinal", "2nd"}, {12, "ordinal", "12th"}, {33, "ordinal", "33rd"}, {1, "cardinalText", "One"}, {3, "ordinalText", "Third"},
		{13, "cardinalText", "13"},
		{0, "upperRoman", "0"}, {-3, "lowerLetter", "-3"}, {1 << 40, "chineseCounting", "1099511627776"}, {9, "unknown", "9"},
		{2, "russianLower", "б"}, {3, "ganada", "다"}, {11, "koreanCounting", "십일"}, {105, "koreanCounting", "일백오"},
		{2, "hebrew1", "ב"}, {12, "hebrew1", "12"}, {2, "arabicAbjad", "ب"},
		{20, "decimalEnclosedCircle", "⑳"}, {21, "decimalEnclosedCircle", "21"},
		{7, "numberInDash", "- 7 -"}, {12, "thaiNumbers", "๑๒"}, {30, "russianUpper", "АА"},
	} {
		if got := formatNumber(tt.n, tt.format); got != tt.want {
			t.Errorf("formatNumber(%d, %s) = %q, want %q", tt.n, tt.format, got, tt.want)
		}
	}
}

func TestDOCXNumbers(t *testing.T) {
	level := func(n int, format, text, more string) string {
		return fmt.Sprintf(`<w:lvl w:ilvl="%d"><w:start w:val="1"/><w:numFmt w:val="%s"/><w:lvlText w:val="%s"/>%s</w:lvl>`, n, format,
			text, more)
	}
	num := func(id, of int, more string) string {
		return fmt.Sprintf(`<w:num w:numId="%d"><w:abstractNumId w:val="%d"/>%s</w:num>`, id, of, more)
	}
	numbering := `<w:numbering xmlns:w="w"><w:abstractNum w:abstractNumId="1">` + level(0, "decimal", "Art. %1", "") +
		level(1, "decimal", "%1.%2", "") + level(2, "lowerLetter", "(%3)", "") +
		`</w:abstractNum><w:abstractNum w:abstractNumId="2">` + level(0, "upperRoman", "%1.", `<w:pStyle w:val="H"/>`) +
		level(1, "decimal", "%1.%2", "<w:isLgl/>") +
		`</w:abstractNum>` + num(1, 1, "") + num(2, 1, "") +
		num(3, 1, `<w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride>`) + num(4, 2, "") +
		`<w:abstractNum w:abstractNumId="3">` + level(0, "upperRoman", "%1.", "") + level(1, "decimalZero", "Section %1.%2", "<w:isLgl/>") +
		level(2, "none", "Note:", "") + `</w:abstractNum>` + num(5, 3, "") + `</w:numbering>`
	styles := `<w:styles xmlns:w="w"><w:style w:styleId="H"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId ` +
		`w:val="4"/></w:numPr></w:pPr></w:style></w:styles>`
	var body strings.Builder
	for _, p := range []string{"1 0", "1 1", "1 1", "1 2", "2 0", "1 1", "3 0", "3 0", "H", "4 1", "H", "4 1", "0 0", "5 0", "5 1", "5 2"} {
		var id, at int
		if n, _ := fmt.Sscan(p, &id, &at); n == 2 {
			fmt.Fprintf(&body, `<w:p><w:pPr><w:numPr><w:ilvl w:val="%d"/><w:numId `+
				`w:val="%d"/></w:numPr></w:pPr><w:r><w:t>x</w:t></w:r></w:p>`, at, id)
		} else {
			body.WriteString(`<w:p><w:pPr><w:pStyle w:val="H"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>`)
		}
	}
	x, err := docxOf(t.Context(), zipOf(t, "word/document.xml", `<w:document xmlns:w="w"><w:body>`+body.String()+`</w:body></w:document>`,
		"word/numbering.xml", numbering, "word/styles.xml", styles), 2<<20)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range x.Blocks {
		got = append(got, b.Number)
	}
	want := "Art. 1, 1.1, 1.2, (a), Art. 2, 2.1, Art. 7, Art. 8, I., 1.1, II., 2.1, , I., Section 1.01, Note:"
	if strings.Join(got, ", ") != want {
		t.Errorf("numbers %q, want %q", strings.Join(got, ", "), want)
	}
}
