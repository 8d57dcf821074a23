package pdf

import "testing"

func TestOrnaments(t *testing.T) {
	t.Parallel()
	if a, b := len([]rune(ornaments)), len([]rune(ornamentCodes)); a != b {
		t.Fatalf("%d ornaments for %d characters", a, b)
	}
	spell := func(s string, font *pdfFont) string {
		out := ""
		for _, r := range s {
			out += withoutOrnament(string(r), font)
		}
		return out
	}
	bitmaps, named := &pdfFont{}, &pdfFont{name: "ZapfDingbats"}
	if got := spell("❚❤❡ ❡✣❝✐❡♥t ♠♦❞❡❧✱ ✷✵✷✷", bitmaps); got != "The efficient model, 2022" {
		t.Errorf("%q", got)
	}
	if got := spell("❤ ✓", named); got != "❤ ✓" {
		t.Errorf("of a font of ornaments: %q", got)
	}
}
