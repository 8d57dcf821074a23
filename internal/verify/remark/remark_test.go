package remark

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestFind(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, claim, text, want string }{
		{"number", "The ferry carried 331 passengers in May.", "The ferry carried 311 passengers in May.",
			"331 is not in the cited lines; S1:40 has 311"},
		{"scale", "Its repair cost $1.2 billion.", "Its repair cost $1.2 million.",
			"$1.2 billion is not in the cited lines; S1:40 has $1.2 million"},
		{"unit", "The path along the canal is 12 miles long.", "The path along the canal is 12 km long.",
			"12 miles is not in the cited lines; S1:40 has 12 km"},
		{"scale of a currency", "Its repair cost $1.2 billion.", "Its repair cost $1.2 million.",
			"$1.2 billion is not in the cited lines; S1:40 has $1.2 million"},
		{"number in words", "Cooling takes four days.", "Cooling takes three days; opening it earlier cracks the glaze.",
			"four days is not in the cited lines; S1:40 has three days"},
		{"month", "The quay was opened in June 1911.", "It was opened in May 1911 and rebuilt in 1954.",
			"June 1911 is not in the cited lines; S1:40 has May 1911"},
		{"other form", "The ferry carried twelve passengers in May.", "The ferry carried 12 passengers in May.", ""},
		{"difference", "The port grew by 40 berths.", "The port had 100 berths in 2010 and 140 berths in 2020.", ""},
		{"negation added", "The bridge does not carry lorries above ten tonnes.", "The bridge does carry lorries above ten tonnes.",
			`the claim has "not carry lorries" where S1:40 has "carry lorries"`},
		{"negation dropped", "The bridge was closed to lorries in June.", "The bridge was not closed to lorries in June.",
			`the claim has "closed to" where S1:40 has "not closed to"`},
		{"negated otherwise", "The mayor did not pay the fine.", "The mayor refused to pay the fine.", ""},
		{"opposite", "Total sleep of the patients fell in the second week.", "Total sleep of the patients rose in the second week.",
			`the claim has "fell" where S1:40 has "rose"`},
		{"abbreviation", "The charges were brought in the US in May last year.",
			"The charges were brought in the United States in May last year.", ""},
		{"apposition", "Petra Vogel won the title.", "Petra Vogel, a vet from Linz, won the title.", ""},
		{"myth", "Goldfish forget everything after three seconds.", "Myth: Goldfish forget everything after three seconds.",
			`S1:40 has "Myth", which the claim leaves out`},
		{"second line", "The quay was closed to visitors after dark.", "The harbour is old.\nThe quay was opened to visitors after dark.",
			`the claim has "closed" where S1:41 has "opened"`},
		{"characters", "老年患者服药后血压明显上升。", "老年患者服药后血压明显下降。",
			`the claim has "上升" where S1:40 has "下降"`},
		{"paraphrase", "Sea water had eaten away the old pier by then.", "Corrosion destroyed the structure.", ""},
		{"empty", "", "Corrosion destroyed the structure.", ""},
		{"no text", "Corrosion destroyed the structure.", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, r := range Find(tt.claim, []Block{{SourceID: "S1", Line: 40, Start: 1000, Text: tt.text}}) {
				got = append(got, r.String())
				if r.Text != "" && string([]rune(tt.text)[r.Start-1000:r.End-1000]) != r.Text {
					t.Errorf("span %d-%d is not %q", r.Start, r.End, r.Text)
				}
			}
			if s := strings.Join(got, "; "); s != tt.want {
				t.Errorf("got  %s\nwant %s", s, tt.want)
			}
		})
	}
}

// A long hostile claim or text costs no more than its length.
func TestFindHostile(t *testing.T) {
	t.Parallel()
	n := 2_000
	if os.Getenv("CITELOOP_TEST_LONG") != "" { // a tenth shows what fails, and the whole what is slow
		n = 20_000
	}
	for _, text := range []string{strings.Repeat("a ", 10*n), strings.Repeat("not 1 km ", n), strings.Repeat("没", 5*n),
		"\xff\xfe not \xff"} {
		for _, claim := range []string{text, "The bridge was not 1 km long.", "没有人在桥上走"} {
			Find(claim, []Block{{SourceID: "S1", Text: text}})
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("The ferry carried 331 passengers in May.", "The ferry carried 311 passengers in May.\nIt was not full.")
	f.Add("血压上升", "血压不下降。")
	f.Fuzz(func(t *testing.T, claim, text string) {
		for _, r := range Find(claim, []Block{{SourceID: "S1", Line: 1, Text: text}}) {
			if r.Start < 0 || r.End < r.Start || r.End > utf8.RuneCountInString(text) {
				t.Errorf("span %d-%d is outside of the text", r.Start, r.End)
			}
			if r.String() == "" {
				t.Error("empty sentence")
			}
		}
	})
}
