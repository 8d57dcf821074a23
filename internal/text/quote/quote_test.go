package quote

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/text/words"
)

const text = `The harbour master said: “We have never seen so many boats – 1,250 of them – in the old har-
bour.” The ﬁrst ferry arrived at noon, and the crew was greeted by the mayor with bread and salt.
港口的负责人说：“我们从未见过这么多船。” It was −5 °C, p < 0.05 and 10⁵ cells at 5 MW; ` +
	`growth of 1.5 % in 2020–21.`

func TestFind(t *testing.T) {
	tests := []struct {
		name, quote string
		grade       Grade
		at          string
	}{
		{"exact", "The harbour master said", Exact, "The harbour master said"},
		{"quotation marks around it", `"We have never seen so many boats"`, Exact, "We have never seen so many boats"},
		{"case", "the HARBOUR master said", Normalised, "The harbour master said"},
		{"dash and line-end hyphen", "so many boats - 1250 of them - in the old harbour", Normalised,
			"so many boats – 1,250 of them – in the old har-\nbour"},
		{"ligature", "The first ferry arrived", Normalised, "The ﬁrst ferry arrived"},
		{"soft hyphen and spaces", "the crew was gre\u00adeted   by\nthe mayor", Normalised, "the crew was greeted by the mayor"},
		{"full width", "１，２５０ of them", Normalised, "1,250 of them"},
		{"omission", "The first ferry […] was greeted by the mayor", Normalised,
			"The ﬁrst ferry arrived at noon, and the crew was greeted by the mayor"},
		{"a negation put in", "the crew was [not] greeted by the mayor", Fuzzy, "the crew was greeted by the mayor"},
		{"Chinese", "我们从未见过这么多船", Exact, "我们从未见过这么多船"},
		{"Chinese, changed", "我们见过很多车", Absent, ""},
		{"misspelling in a long quote", "and the crew was greeeted by the mayor with bread and salt", Fuzzy,
			"and the crew was greeted by the mayor with bread and salt"},
		{"article once", "and the crew was greeted by mayor with bread and salt", Fuzzy,
			"and the crew was greeted by the mayor with bread and salt"},
		{"misspelling in a short quote", "The crew was greeeted", Absent, ""},
		{"another number in a long quote", "We have never seen so many boats – 1,260 of them", Fuzzy,
			"We have never seen so many boats – 1,250 of them"},
		{"negation dropped from a long quote", "We have seen so many boats – 1,250 of them", Fuzzy,
			"We have never seen so many boats – 1,250 of them"},
		{"three other words in a long quote", "and the boy was scolded by the teacher with bread and salt", Absent, ""},
		{"spliced", "The harbour master said the crew was greeted", Absent, ""},
		{"half a word", "arbour master said", Absent, ""},
		{"sign", "it was -5 °C", Normalised, "It was −5 °C"},
		{"sign lost", "it was 5 °C", Absent, ""},
		{"sign cut off", "5 °C, p < 0.05", Absent, ""},
		{"comparison", "p<0.05 and 10^5 cells", Normalised, "p < 0.05 and 10⁵ cells"},
		{"another comparison", "p > 0.05", Absent, ""},
		{"exponent lost", "105 cells", Absent, ""},
		{"decimal point lost", "growth of 15 %", Absent, ""},
		{"decimals cut off", "growth of 1", Absent, ""},
		{"range", "in 2020-21", Normalised, "in 2020–21"},
		{"range joined", "in 202021", Absent, ""},
		{"empty", " \" ", Absent, ""},
	}
	prepared := New(text)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			grade, at := prepared.Find(tt.quote)
			if grade != tt.grade || at.Text != tt.at {
				t.Errorf("Find(%q) is %s %q, want %s %q", tt.quote, grade, at.Text, tt.grade, tt.at)
			}
			checkSpan(t, text, at)
		})
	}
}

func TestFindWithoutMarksOfNotes(t *testing.T) {
	t.Parallel()
	const text = "Rain fell on 212[1] days,[2][3] as Lowe wrote [4, 5] in the log[a] of the ridge. " +
		"The value x[1] is not x, nor [6] is it. 33[7]0 lamps."
	for quote, want := range map[string]Grade{
		"fell on 212 days, as Lowe wrote in the log of the ridge": Normalised, "on 212[1] days": Exact, "on 2121 days": Absent,
		"days,[2] as": Absent, "30 lamps": Absent, "The value x is": Absent, "fell on 213 days": Absent,
		"nor is it": Normalised, "in the log of": Normalised,
	} {
		if got, at := Find(quote, text); got != want {
			t.Errorf("Find(%q) is %s %q, want %s", quote, got, at.Text, want)
		} else {
			checkSpan(t, text, at)
		}
	}
}

func TestFindInMarkup(t *testing.T) {
	t.Parallel()
	const said = "that see the old gauge here by the keeper"
	for _, text := range []string{
		"that see the [old gauge](x.md) here by the keeper", `see that see the [old gauge](https://e.org/a_(b) "Old") here by the keeper`,
		"that see the old¹ gauge^1,2 here³⁻⁵ by the keeper", "that see the old gauge[^3] here by the keeper", "that see the " +
			"~~new~~old gauge here by the keeper",
		"that see the old gauge [@moss1974, p. 3] here by the keeper",
		"that see the ![the pole](g.png) old gauge here by the keeper", "that see the <b>old</b> <a href=\"x\">gauge</a><br/>here by " +
			"the keeper",
		"that see the old&nbsp;gauge here by the keeper", "that see the [[Gauges|old gauge]] here by the keeper",
		`that see the \emph{old} gauge\cite[p.~3]{moss} here by the keeper`, "that see the [[https://e.org/x][old]] gauge here by the " +
			"keeper",
		"that see the https://e.org/x[old gauge] here by the keeper", "that see the `old gauge <https://e.org/x>`_ here by the keeper",
	} {
		if got, at := Find(said, text); got != Normalised {
			t.Errorf("%s: %s %q", text, got, at.Text)
		}
	}
	for said, text := range map[string]string{
		"R&D cost 5 < 7 caf\u00e9s": "R&amp;D cost 5 &lt; 7 caf&eacute;s", "p < 0.05 and x > 3": "p <0.05 and x> 3",
	} {
		if got, _ := Find(said, text); got != Normalised {
			t.Errorf("%q in %q is %s", said, text, got)
		}
	}
	for said, text := range map[string]string{
		"10 km of ice": "10 km² of ice", "10 cells": "10⁶ cells", "a rule for d": "a rule <c and b> for d", "the value x is": "the " +
			"value x[1] is", "gauge never opened": "gauge (see [x](never)) " +
			"not opened",
		"it has 5 m of reed": "it has 5 m² of reed", "it is 10 of them": "it is 10⁶ of them", "where R is high": "where R² is high",
	} {
		if got, _ := Find(said, text); got != Absent {
			t.Errorf("%q in %q is %s", said, text, got)
		}
	}
}

func TestNearest(t *testing.T) {
	const quote = "the crew was scolded by the mayor with bread"
	at, ok := Nearest(quote, strings.Repeat("The mayor came with the crew. ", 5)+text, 200)
	if !ok || at.Text != "the crew was greeted by the mayor with bread" {
		t.Errorf("%v %q", ok, at.Text)
	}
	inQuote, inText := Changed(quote, at.Text)
	if diff := cmp.Diff([][]string{{"scolded"}, {"greeted"}}, [][]string{inQuote, inText}); diff != "" {
		t.Error(diff)
	}
	if at, ok := Nearest("nothing of this quote stands there but the crew", text, 200); ok {
		t.Errorf("found %q", at.Text)
	}
}

// checkSpan holds text[start:end] to be what the span says, in code points.
func checkSpan(t *testing.T, text string, at words.Span) {
	t.Helper()
	points := strings.Split(text, "") // an invalid byte is one element
	if at.Start < 0 || at.End < at.Start || at.End > len(points) {
		t.Fatalf("from %d to %d in a text of %d", at.Start, at.End, len(points))
	}
	if got := strings.Join(points[at.Start:at.End], ""); got != at.Text {
		t.Fatalf("text[%d:%d] is %q, the span says %q", at.Start, at.End, got, at.Text)
	}
}

func FuzzFind(f *testing.F) {
	f.Add("so many boats", text)
	f.Add("first … salt [sic] said", text)
	f.Add("我们\xff从未", "我们从\xff未见 1 2½")
	f.Add("\xe6", "我们从\xe6\a")
	f.Add("1,234.5", "12 34.5 1234.5% ≤ .5 −5 10^-5 10⁻⁵ <=5 1-2")
	f.Add("a a a a a a a a b", "a a a a a a a a a a a c a b")
	f.Fuzz(func(t *testing.T, quote, text string) {
		prepared := New(text)
		grade, at := prepared.Find(quote)
		checkSpan(t, text, at)
		if (grade == Absent) != (at.End == at.Start) {
			t.Fatalf("grade %s with %d characters", grade, at.End-at.Start)
		}
		near, _ := Nearest(quote, text, 100)
		checkSpan(t, text, near)
		Changed(quote, text)
		// A stretch of the text between spaces is found.
		fields := strings.Fields(text)
		for i, w := range fields {
			plain := !strings.ContainsFunc(text, func(c rune) bool { return c > 'z' || !unicode.IsLetter(c) && !unicode.IsSpace(c) })
			if i < 20 && plain {
				if grade, _ := prepared.Find(w); grade != Exact && grade != Normalised {
					t.Fatalf("%q is %s", w, grade)
				}
			}
		}
	})
}
