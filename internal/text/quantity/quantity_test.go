package quantity

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// show writes a quantity as tests compare it.
func show(q Quantity) string {
	if q.Kind == Date {
		return fmt.Sprintf("date %d-%d-%d", q.Year, q.Month, q.Day)
	}
	out := [...]string{"", "≥", "≤", ">", "<", "~"}[q.Relation] + fmt.Sprintf("%g", math.Round(q.Value*1e9)/1e9)
	if q.Unit != "" {
		out += " " + q.Unit
	}
	return out
}

func TestRead(t *testing.T) {
	tests := []struct{ language, text, want string }{
		{"", "1,234 boats", "1234"},
		{"", "1 234 in narrow spaces: 1\u202f234", "1; 234; 1234"},
		{"", "1.2 million people", "1.2e+06"},
		{"", "42,5 metres, 3,25 %, lines 3,5 and 7", "42.5 m; 3.25 %; 3; 5; 7"},
		{"", "$5bn, €3.5 million and 12 dollars, £5m, US$ 7, EUR 8", "5e+09 $; 3.5e+06 €; 12 $; 5e+06 £; 7 $; 8 €"},
		{"", "12 %, 12%, 12 percent, twelve per cent", "12 %; 12 %; 12 %; 12 %"},
		{"", "twenty-five ducks and two hundred and six swans", "25; 206"},
		{"", "five, six and seven thousand", "5; 6; 7000"},
		{"", "3 March 2024, March 3, 2024, 3rd of March 2024, 2024-03-03", "date 2024-3-3; date 2024-3-3; date 2024-3-3; date 2024-3-3"},
		{"", "In March 2024 and on May 5", "date 2024-3-0; date 0-5-5"},
		{"", "it may 5", "5"},
		{"", "2024年3月3日, 二〇二四年, 5月", "date 2024-3-3; 2024 year; date 0-5-0"},
		{"", "十二个, 一百二十名, 3千万元, 1.05万亿美元, 百分之十二, 百分之12.5",
			"12; 120; 3e+07 CNY; 1.05e+12 $; 12 %; 12.5 %"},
		{"", "３．５％", "3.5 %"},
		{"", "the 3rd of four", "4"},
		{"", "the 1990s at 10:30", ""},
		{"", "It fell [12] and [3, 4] rose[^5]", ""},
		{"", "COVID-19, A320 and H2O but mid-1990", "1990"},
		{"", "S3, HTTP/2, v1.2, CVE-2024-1234, 5G, #7, 1.2.3, 192.168.0.1, 1-800-555-1234", ""},
		{"", "1. First item\n2) Other item\n3. More", ""},
		{"", "from 1939–1975", "1939; 1975"},
		{"", "第三次, 一起, 三星", ""},
		{"", "12345678901234567890123", ""},
		{"", "one of the largest", ""},
		{"", "−5 °C, -5, (-3.5%), from -5 to +5, a - 5, minus 7, -$5", "-5 °C; -5; -3.5 %; -5; 5; 5; -7; -5 $"},
		{"", "10^5, 10⁻³, 1e5, 3 × 10^5, 2x10⁶ m, 1.5E-3, 1,200³", "100000; 0.001; 100000; 300000; 2e+06 m; 0.0015; 1200"},
		{"", "≤ 5, <5, >= 5, <= 5, ~5, p < .05, at least 5, 5 or more, no more than 5, 5+",
			"≤5; <5; ≥5; ≤5; ~5; <0.05; ≥5; ≥5; ≤5; ≥5"},
		{"", "5 mW, 5 MW, 5 Mb, 5 MB, 5 KM, 5 mb", "5 mW; 5 MW; 5 Mb; 5 MB; 5 km; 5"},
		{"", "100 boats a year, 5 kilometres per hour", "100; 5 km/h"},
		{"", "5–10 km, 5 to 10 %", "5; 10 km; 5; 10 %"},
		{"", "½, 2½ years, two and a half years, a third of it", "50 %; 2.5 year; 2.5 year; 33.33333333 %"},
		{"", "12 sq km, 3 m², 60 mph, 5-km walk", "12 km²; 3 m²; 60 mph; 5 km"},
		{"en", "14 boats sailed on 16 November", "14; date 0-11-16"},
		{"de", "zwanzig, 1.234,5 kg, 1.234.567, 17 000, 3,5 Mio. Euro", "20; 1234.5 kg; 1.234567e+06; 17000; 3.5e+06 €"},
		{"fr", "quatre-vingt-douze, dix-sept, deux cents, 1 234,5", "92; 17; 200; 1234.5"},
		{"es", "treinta y cinco, mil doscientos, 2 mil millones", "35; 1200; 2e+09"},
		{"ja", "200人以上、3割、1億2000万円、2時間", "≥200; 30 %; 1.2e+08 JPY; 2 h"},
		{"zh", "最多可容纳200名客人, 每年300吨", "≤200; 300 t"},
		{"sv", "1,5 km", "1.5 km"},
		{"en", "12 500 litres, room 12 500 people, 1 250 000 people, 2024 500 litres", "12500 l; 12; 500; 1.25e+06; 2024; 500 l"},
		{"en", `It is $21$ metres, $3.5\%$, $21\,\mathrm{m}$, $\pm 5$ cm, $20 or $30, $20-$30`,
			"21 m; 3.5 %; 21 m; 5 cm; 20 $; 30 $; 20 $; 30 $"},
		{"en", `$4.2 \times 10^{9}$/L, $10^{-3}$, $3 \cdot 10^9$, $x_1$`, "4.2e+09; 0.001; 3e+09"},
		{"en", "40 dollars a day, $40 a day, €40 per month, 10 m s⁻¹, 10 mg L−1, 10 m, 1 of 2",
			"40 $/d; 40 $/d; 40 €/month; 10 m/s; 10 mg/l; 10 m; 1; 2"},
		{"en", "A$40, US$40, HK$ 5, 4.2 × 10<sup>9</sup>", "40 AUD; 40 $; 5 HKD; 4.2e+09"},
		{"en", "in May, since March, may in June 2011", "date 0-5-0; date 0-3-0; date 2011-6-0"},
		{"en", "12.5 lakh, 1.5 crore, 6 ppm, 6 times", "1.25e+06; 1.5e+07; 6 ppm; 6 times"},
		{"it", "1,25 milioni, 3,5 miliardi", "1.25e+06; 3.5e+09"},
		{"pt", "3,5 bilhões", "3.5e+09"},
		{"nl", "3,5 miljard", "3.5e+09"},
		{"pl", "12,5 tys. litrów, 1,25 mln, 3,5 mld zł, 12 500", "12500; 1.25e+06; 3.5e+09; 12500"},
		{"sv", "rymmer 12 500 liter, 1,25 miljoner", "12500; 1.25e+06"},
		{"ru", "12,5 тыс., 3,5 млрд, в июне 2011", "12500; 3.5e+09; date 2011-6-0"},
		{"fr", "3,5 Md€", "3.5e+09 €"},
	}
	for _, tt := range tests {
		t.Run(tt.language+" "+tt.text, func(t *testing.T) {
			var got []string
			for _, q := range Read(tt.language, tt.text) {
				got = append(got, show(q))
			}
			if diff := cmp.Diff(tt.want, strings.Join(got, "; ")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSameValue(t *testing.T) {
	tests := []struct {
		language, claim, text string
		want                  bool
	}{
		{"", "1,234 boats", "1234 boats", true},
		{"", "1.2 million boats", "1,200,000 boats", true},
		{"", "1.2 million boats", "1,203,431 boats", true}, // a rounded figure
		{"", "1.2 million boats", "1,290,000 boats", false},
		{"", "1,200,001 boats", "1.2 million boats", false}, // the claim knows more than the text
		{"", "USD 3.5 million", "$3.5 million a year", true},
		{"", "$3.5 million a month", "$3.5 million a year", false},
		{"", "40 litres", "40 litres a minute", false},
		{"", "12 %", "12 percent", true},
		{"", "twelve boats", "12 boats", true},
		{"", "12艘船", "十二艘船", true},
		{"", "40 %", "14 %", false},
		{"", "5 degrees", "−5 degrees", false},
		{"", "10^5", "105", false},
		{"", "10^5", "100,000", true},
		{"", "300 boats", "312 boats", false},
		{"", "about 300 boats", "312 boats", true},
		{"", "about 3,000 boats", "2,987 boats", true},
		{"", "about 300 boats", "420 boats", false},
		{"", "more than 300 boats", "312 boats", true},
		{"", "more than 300 boats", "299 boats", false},
		{"", "nearly 300 boats", "296 boats", true},
		{"", "约300艘", "312艘", true},
		{"", "3 March 2024", "2024-03-03", true},
		{"", "March 3, 2024", "2024年3月3日", true},
		{"", "3 March 2024", "3 March 2023", false},
		{"", "3 March 2024", "4 March 2024", false},
		{"", "March 2024", "3 March 2024", true},
		{"", "3 March 2024", "March 2024", false},
		{"", "in 1994", "3 May 1994", true},
		{"", "5 km", "5,000 metres", true},
		{"", "5km", "5 kilometers", true},
		{"", "2.5 kg", "2,500 grams", true},
		{"", "5 kg", "5 km", false},
		{"", "£5m", "5 million pounds", true},
		{"", "$3bn", "3 billion dollars", true},
		{"", "$3bn", "3 billion euros", false},
		{"", "10k runners", "10,000 runners", true},
		{"", "90 minutes", "1.5 hours", true},
		{"", "90 min", "two hours", false},
		{"", "over 50 years", "over five decades", true},
		{"", "200 years", "two centuries", true},
		{"", "36 eggs", "three dozen eggs", true},
		{"", "20 °C", "20 degrees Celsius", true},
		{"", "20 °C", "20 °F", false},
		{"", "5公里", "5 km", true},
		{"", "4 MW", "4,000 kilowatts", true},
		{"", "4 MW", "4 mW", false},
		{"", "60 mph", "60 miles per hour", true},
		{"", "more than 40 boats", "more than 50 boats", false},
		{"", "more than 50 boats", "more than 50 boats", true},
		{"", "more than 1300 boats", "more than 1293 boats", true}, // the same figure, given more roundly
		{"", "more than 1293 boats", "more than 1300 boats", false},
		{"", "at least 20", "more than 20", true},
		{"", "≥ 20", "at least 20", true},
		{"", "p < 0.05", "p = 0.003", true},
		{"", "p < 0.05", "p = 0.08", false},
		{"", "less than 30", "3", false},
		{"", "近70%", "近69%", true},
		{"en", "a fifth of the pupils", "20 % of the pupils", true},
		{"en", "a third of the pupils", "33 % of the pupils", true},
		{"en", "33 % of the pupils", "a third of the pupils", true},
		{"en", "a third of the pupils", "35 % of the pupils", false},
		{"en", "two weeks", "14 days", true},
		{"en", "a dozen boats", "12 boats", true},
		{"en", "30 t of herring", "30 tonnes of herring", true},
		{"en", "30 t of herring", "30 kg of herring", false},
		{"en", "5 nights", "5 days", false},
		{"de", "ein Fünftel der Schüler", "20 Prozent der Schüler", true},
		{"de", "zwölf Monate", "1 Jahr", true},
		{"de", "am 14.11.2026", "am 14. November 2026", true},
		{"de", "am 14.11.2026", "am 14. Oktober 2026", false},
		{"de", "3,5 Tonnen", "3500 kg", true},
		{"fr", "un cinquième des élèves", "20 % des élèves", true},
		{"fr", "une douzaine de bateaux", "12 bateaux", true},
		{"fr", "le 14.11.2026", "le 14 novembre 2026", true},
		{"es", "la quinta parte de los alumnos", "el 20 % de los alumnos", true},
		{"es", "una docena de barcos", "12 barcos", true},
		{"zh", "三分之一的学生", "33%的学生", true},
		{"zh", "五分之一的学生", "25%的学生", false},
		{"zh", "3万5000人", "35000人", true},
		{"zh", "1.2亿元", "12000万元", true},
		{"zh", "三成的学生", "30%的学生", true},
		{"zh", "一半的学生", "50%的学生", true},
		{"ja", "3分の1の生徒", "33%の生徒", true},
		{"ja", "三分の一の生徒", "34%の生徒", false},
		{"ja", "生徒の半分", "生徒の50%", true},
		{"ja", "2時間", "120分", true},
		{"ja", "2キログラム", "2000グラム", true},
	}
	for _, tt := range tests {
		t.Run(tt.language+" "+tt.claim+" / "+tt.text, func(t *testing.T) {
			a, b := Read(tt.language, tt.claim), Read(tt.language, tt.text)
			if len(a) != 1 || len(b) != 1 {
				t.Fatalf("read %d and %d quantities, want one each", len(a), len(b))
			}
			if got := a[0].SameValue(b[0]); got != tt.want {
				t.Errorf("%s matches %s: %v, want %v", show(a[0]), show(b[0]), got, tt.want)
			}
		})
	}
}

// Every file of every language has entries, and every unit can be converted.
func TestData(t *testing.T) {
	for _, language := range []string{"en", "de", "fr", "es", "zh", "ja", "other"} {
		found := map[string]int{}
		for _, entries := range lexicons()[language] {
			for _, e := range entries {
				found[e.kind]++
				relation := e.kind == "before" || e.kind == "behind"
				if e.kind == "unit" && (e.value <= 0 || e.name == "") || relation && relations[e.name] == Equal {
					t.Errorf("%s: %+v", language, e)
				}
			}
		}
		kinds := []string{"number", "scale", "fraction", "added", "before", "behind", "unit"}
		if language == "other" {
			kinds = []string{"scale", "month", "during", "unit"}
		}
		for _, kind := range kinds {
			if found[kind] == 0 {
				t.Errorf("%s has no %s", language, kind)
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{"1,234.5 %", "March 3, 2024", "2024年3月3日 二〇二四年 百分之十二 三分之一",
		"twenty-five hundred and",
		"10:30 1990s A320 [1]", "$5bn 3/4/2024 3.4.2024", "１２３，４５６", "1\u00a0\xff2", "May 5.", "1. a\n(2) b",
		"½ 2½ -5–10 km 10^-5 3×10⁻³",
		"a third of half a kilogram after a year", "1.2.3.", "1e5 5 mW"} {
		for _, language := range []string{"", "de", "fr", "zh", "ja", "sv"} {
			f.Add(language, s)
		}
	}
	f.Fuzz(func(t *testing.T, language, text string) {
		last, runes := 0, []rune(text)
		for _, q := range Read(language, text) {
			if q.Start < last || q.End <= q.Start || q.End > len(runes) {
				t.Fatalf("quantity from %d to %d after %d in %d characters", q.Start, q.End, last, len(runes))
			}
			if got := string(runes[q.Start:q.End]); utf8.ValidString(text) && got != q.Text {
				t.Fatalf("%q at %d, the text has %q", q.Text, q.Start, got)
			}
			last = q.Start
			if q.Kind == Number && q.Relation == Equal && !q.SameValue(q) {
				t.Fatalf("%q does not match itself", q.Text)
			}
		}
	})
}
