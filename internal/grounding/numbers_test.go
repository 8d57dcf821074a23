package grounding

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// show writes a quantity as tests compare it.
func (q quantity) show() string {
	switch q.kind {
	case date:
		return fmt.Sprintf("date %d-%d-%d", q.year, q.month, q.day)
	case clock:
		return fmt.Sprintf("clock %d:%02d", q.month, q.day)
	case ordinal:
		return fmt.Sprintf("ordinal %g", q.value)
	case multiple:
		return fmt.Sprintf("times %g", q.value)
	case decade:
		return fmt.Sprintf("decade %g", q.value)
	}
	if q.unit == "" {
		return fmt.Sprintf("%g", q.value)
	}
	return fmt.Sprintf("%g %s", q.value, q.unit)
}

func TestQuantities(t *testing.T) {
	tests := []struct {
		text string
		want []string
	}{
		{"1,234 boats", []string{"1234 boat"}},
		{"1 234 in narrow spaces: 1\u202f234", []string{"1", "234", "1234"}},
		{"1.2 million people", []string{"1.2e+06 peopl"}},
		{"$5bn, €3.5 million and 12 dollars", []string{"5e+09 $", "3.5e+06 €", "12 $"}},
		{"12 %, 12%, 12 percent, twelve per cent", []string{"12 %", "12 %", "12 %", "12 %"}},
		{"twenty-five ducks and two hundred and six swans", []string{"25 duck", "206 swan"}},
		{"3 March 2024, March 3, 2024, 3rd of March 2024, 2024-03-03", []string{"date 2024-3-3", "date 2024-3-3", "date 2024-3-3", "date 2024-3-3"}},
		{"In March 2024 and on May 5", []string{"date 2024-3-0", "date 0-5-5"}},
		{"2024年3月3日, 二〇二四年, 5月", []string{"date 2024-3-3", "date 2024-0-0", "date 0-5-0"}},
		{"十二个, 一百二十名, 3千万元, 1.05万亿美元, 百分之十二", []string{"12 个", "120 名", "3e+07 ¥", "1.05e+12 $", "12 %"}},
		{"３．５％", []string{"3.5 %"}},
		{"the 3rd of four", []string{"ordinal 3", "4"}},
		{"the 1990s at 10:30", []string{"decade 1990", "clock 10:30"}},
		{"It fell [12] and [3, 4] rose[^5]", nil},
		{"COVID-19, A320 and H2O but mid-1990", []string{"1990"}},
		{"1. First item\n2) Other item", []string{"ordinal 1"}},
		{"from 1939–1975", []string{"1939", "1975"}},
		{"第三次, 一起, 三星", []string{"ordinal 3"}},
		{"12345678901234567890123", nil},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var got []string
			for _, q := range quantities(tt.text) {
				got = append(got, q.show())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestQuantityMatches(t *testing.T) {
	tests := []struct {
		claim, text string
		want        bool
	}{
		{"1,234 boats", "1234 boats", true},
		{"1.2 million boats", "1,200,000 boats", true},
		{"1.2 million boats", "1,203,431 boats", true}, // a rounded figure
		{"1.2 million boats", "1,290,000 boats", false},
		{"1,200,001 boats", "1.2 million boats", false}, // the claim knows more than the text
		{"12 %", "12 percent", true},
		{"12 %", "a share of 0.12", true},
		{"twelve boats", "12 boats", true},
		{"12艘船", "十二艘船", true},
		{"40 %", "14 %", false},
		{"300 boats", "312 boats", false},
		{"about 300 boats", "312 boats", true},
		{"about 300 boats", "420 boats", false},
		{"more than 300 boats", "312 boats", true},
		{"more than 300 boats", "299 boats", false},
		{"nearly 300 boats", "296 boats", true},
		{"约300艘", "312艘", true},
		{"3 March 2024", "2024-03-03", true},
		{"March 3, 2024", "2024年3月3日", true},
		{"3 March 2024", "3 March 2023", false},
		{"3 March 2024", "4 March 2024", false},
		{"March 2024", "3 March 2024", true},
		{"3 March 2024", "March 2024", false},
		{"2024-03-04", "03/04/2024", true}, // either order
		{"2024-03-04", "04/03/2024", true},
		{"in 1994", "3 May 1994", true},
		{"the 1990s", "in 1994", true},
		{"the 1990s", "in 2004", false},
		{"10:30", "22:30", true}, // a.m. and p.m. are words
		{"10:30", "10:45", false},
	}
	for _, tt := range tests {
		t.Run(tt.claim+" / "+tt.text, func(t *testing.T) {
			a, b := quantities(tt.claim), quantities(tt.text)
			if len(a) != 1 || len(b) != 1 {
				t.Fatalf("read %d and %d quantities, want one each", len(a), len(b))
			}
			if got := a[0].matches(b[0]); got != tt.want {
				t.Errorf("%s matches %s: %v, want %v", a[0].show(), b[0].show(), got, tt.want)
			}
		})
	}
}

func FuzzQuantities(f *testing.F) {
	for _, s := range []string{"1,234.5 %", "March 3, 2024", "2024年3月3日 二〇二四年 百分之十二", "twenty-five hundred and", "10:30 1990s A320 [1]", "$5bn 3/4/2024 3.4.2024", "１２３，４５６", "1\u00a0\xff2", "May 5.", "1. a\n(2) b"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, q := range quantities(text) {
			if q.start < last || q.end <= q.start || q.end > len(text) {
				t.Fatalf("quantity from %d to %d after %d in %d bytes", q.start, q.end, last, len(text))
			}
			last = q.start
			if q.kind == cardinal && !q.matches(q) && q.relation == exactly {
				t.Fatalf("%q does not match itself", text[q.start:q.end])
			}
		}
	})
}
