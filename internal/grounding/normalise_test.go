package grounding

import (
	"strings"
	"testing"
)

// The same amount in another form is equal, in every language with word lists; a near one is not.
func TestAmountsInOtherForms(t *testing.T) {
	tests := []struct {
		language, claim, text string
		want                  bool
	}{
		{"en", "one in fifty pupils", "2 % of the pupils", true},
		{"en", "1 in 50 pupils", "2 % of the pupils", true},
		{"en", "one in forty pupils", "2 % of the pupils", false},
		{"en", "a fifth of the pupils", "20 % of the pupils", true},
		{"en", "a third of the pupils", "33 % of the pupils", true},
		{"en", "33 % of the pupils", "a third of the pupils", true},
		{"en", "a third of the pupils", "35 % of the pupils", false},
		{"en", "half a kilogram of flour", "500 g of flour", true},
		{"en", "half a kilogram of flour", "50 g of flour", false},
		{"en", "half of the pupils", "50 % of the pupils", true},
		{"en", "four in five pupils", "81 % of the pupils", false},
		{"en", "about four in five pupils", "81 % of the pupils", true},
		{"en", "after a year", "after twelve months", true},
		{"en", "after a year", "after eleven months", false},
		{"en", "two weeks", "14 days", true},
		{"en", "half an hour", "30 minutes", true},
		{"en", "a dozen boats", "12 boats", true},
		{"en", "profits doubled", "profits were twice as high", true},
		{"en", "profits tripled", "profits were twice as high", false},
		{"en", "30 t of herring", "30 tonnes of herring", true},
		{"en", "30 t of herring", "30 kg of herring", false},
		{"en", "5 nights", "5 days", false},
		{"en", "one in 2019", "0.05 %", false},
		{"de", "ein Fünftel der Schüler", "20 Prozent der Schüler", true},
		{"de", "jeder fünfzigste Schüler", "2 % der Schüler", true},
		{"de", "ein halbes Kilogramm Mehl", "500 Gramm Mehl", true},
		{"de", "fünf Boote", "5 Boote", true},
		{"de", "zwölf Monate", "1 Jahr", true},
		{"de", "30 t", "30 Tonnen", true},
		{"de", "am 14.11.2026", "am 14. November 2026", true},
		{"de", "am 14.11.2026", "am 14. Oktober 2026", false},
		{"de", "3,5 Tonnen", "3500 kg", true},
		{"de", "vier von fünf Schülern", "80 % der Schüler", true},
		{"de", "doppelt so viel", "zweimal so viel", true},
		{"fr", "un cinquième des élèves", "20 % des élèves", true},
		{"fr", "quatre élèves sur cinq", "80 % des élèves", false}, // the noun between the two is not read
		{"fr", "un demi-kilogramme de farine", "500 g de farine", true},
		{"fr", "une douzaine de bateaux", "12 bateaux", true},
		{"fr", "le 14.11.2026", "le 14 novembre 2026", true},
		{"fr", "trois semaines", "21 jours", true},
		{"es", "la quinta parte de los alumnos", "el 20 % de los alumnos", true},
		{"es", "uno de cada cincuenta", "el 2 %", true},
		{"es", "medio kilo de harina", "500 g de harina", true},
		{"es", "una docena de barcos", "12 barcos", true},
		{"es", "dos semanas", "14 días", true},
		{"zh", "三分之一的学生", "33%的学生", true},
		{"zh", "五分之一的学生", "20%的学生", true},
		{"zh", "五分之一的学生", "25%的学生", false},
		{"zh", "3万5000人", "35000人", true},
		{"zh", "1.2亿元", "12000万元", true},
		{"zh", "三成的学生", "30%的学生", true},
		{"zh", "两年半", "30个月", true},
		{"zh", "一半的学生", "50%的学生", true},
		{"ja", "3分の1の生徒", "33%の生徒", true},
		{"ja", "三分の一の生徒", "34%の生徒", false},
		{"ja", "3割の生徒", "30%の生徒", true},
		{"ja", "生徒の半分", "生徒の50%", true},
		{"ja", "1億2000万円", "12000万円", true},
		{"ja", "2時間", "120分", true},
		{"ja", "2キログラム", "2000グラム", true},
	}
	for _, tt := range tests {
		t.Run(tt.language+" "+tt.claim+" / "+tt.text, func(t *testing.T) {
			r := newReader(tt.language)
			a, b := r.read(tt.claim, 0).numbers, r.read(tt.text, 0).numbers
			if len(a) == 0 || len(b) == 0 {
				t.Fatalf("read %d and %d numbers", len(a), len(b))
			}
			if got := a[0].matches(b[0]); got != tt.want {
				t.Errorf("%s matches %s: %v, want %v", a[0].show(), b[0].show(), got, tt.want)
			}
		})
	}
}

// The first day of a range has the month of the second.
func TestRangesOfDays(t *testing.T) {
	for text, want := range map[string]string{
		"de vom 14. bis 16. November 2026":  "date 2026-11-14 date 2026-11-16",
		"en from 14 to 16 November":         "date 0-11-14 date 0-11-16",
		"en November 14–16":                 "date 0-11-14 date 0-11-16",
		"fr du 14 au 16 novembre 2026":      "date 2026-11-14 date 2026-11-16",
		"es del 14 al 16 de noviembre":      "date 0-11-14 date 0-11-16",
		"en 14 boats sailed on 16 November": "14 boat date 0-11-16",
	} {
		language, text, _ := strings.Cut(text, " ")
		var got []string
		for _, q := range newReader(language).read(text, 0).numbers {
			got = append(got, q.show())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// A bound is kept: a plain number does not follow from "up to", and "at most" denies "at least".
func TestBounds(t *testing.T) {
	tests := []struct {
		language, text, claim string
		want                  Status
		kind                  DifferenceKind
	}{
		{"en", "The hall seats at least 200 guests in winter.", "The hall seats at least 200 guests in winter.", Grounded, ""},
		{"en", "The hall seats more than 200 guests in winter.", "The hall seats at least 200 guests in winter.", Grounded, ""},
		{"en", "The hall seats at least 200 guests in winter.", "The hall seats at most 200 guests in winter.", Unsupported, DifferentQuantifier},
		{"en", "The hall seats up to 200 guests in winter.", "The hall seats 200 guests in winter.", Inferred, ""},
		{"de", "Der Saal fasst mindestens 200 Gäste im Winter.", "Der Saal fasst höchstens 200 Gäste im Winter.", Unsupported, DifferentQuantifier},
		{"fr", "La salle accueille au moins 200 personnes en hiver.", "La salle accueille au plus 200 personnes en hiver.", Unsupported, DifferentQuantifier},
		{"es", "La sala admite al menos 200 personas en invierno.", "La sala admite como máximo 200 personas en invierno.", Unsupported, DifferentQuantifier},
		{"zh", "这个大厅冬天至少容纳200名客人。", "这个大厅冬天最多容纳200名客人。", Unsupported, DifferentQuantifier},
		{"ja", "このホールは冬に200人以上の客を収容する。", "このホールは冬に200人以下の客を収容する。", Unsupported, DifferentQuantifier},
		{"en", "Take 40 tonnes of sand and mix it with lime.", "Take 40 kilograms of sand and mix it with lime.", Unsupported, DifferentUnit},
		{"de", "Die Fahrt dauert 50 Minuten und kostet nichts.", "Die Fahrt dauert 50 Stunden und kostet nichts.", Unsupported, DifferentUnit},
		{"zh", "每次浇水300毫升，不要浇在叶子上。", "每次浇水300升，不要浇在叶子上。", Unsupported, DifferentUnit},
		{"ja", "毎回300ミリリットルの水を与え、葉にはかけない。", "毎回300リットルの水を与え、葉にはかけない。", Unsupported, DifferentUnit},
	}
	for _, tt := range tests {
		t.Run(tt.claim, func(t *testing.T) {
			v := NewChecker([]Source{{ID: "S1", Text: tt.text}}).Check(Claim{Text: tt.claim, Citations: cite("S1")})
			if v.Status != tt.want {
				t.Errorf("%s, want %s: %s %v", v.Status, tt.want, v.Because, v.Differences)
			}
			if tt.kind != "" && (len(v.Differences) == 0 || v.Differences[0].Kind != tt.kind) {
				t.Errorf("differences %v, want %s", v.Differences, tt.kind)
			}
		})
	}
}
