package grounding

import (
	"strings"
	"testing"
)

const quoteText = `The harbour master said: “We have never seen so many boats – 1,250 of them – in the old har-
bour.” The ﬁrst ferry arrived at noon, and the crew was greeted by the mayor with bread and salt.
港口的负责人说：“我们从未见过这么多船。”`

func TestGradeQuote(t *testing.T) {
	tests := []struct {
		name, quote, grade, at string
	}{
		{"exact", "The harbour master said", QuoteExact, "The harbour master said"},
		{"quotation marks around it", `"We have never seen so many boats"`, QuoteExact, "We have never seen so many boats"},
		{"case", "the HARBOUR master said", QuoteNormalised, "The harbour master said"},
		{"dash and line-end hyphen", "so many boats - 1250 of them - in the old harbour", QuoteNormalised, "so many boats – 1,250 of them – in the old har-\nbour"},
		{"ligature", "The first ferry arrived", QuoteNormalised, "The ﬁrst ferry arrived"},
		{"soft hyphen and spaces", "the crew was gre\u00adeted   by\nthe mayor", QuoteNormalised, "the crew was greeted by the mayor"},
		{"full width", "１，２５０ of them", QuoteNormalised, "1,250 of them"},
		{"omission", "The first ferry […] was greeted by the mayor", QuoteNormalised, "The ﬁrst ferry arrived at noon, and the crew was greeted by the mayor"},
		{"insertion", "the crew [of the ferry] was greeted", QuoteNormalised, "the crew was greeted"},
		{"insertion of a negation", "the crew was [not] greeted by the mayor", QuoteAbsent, ""},
		{"Chinese", "我们从未见过这么多船", QuoteExact, "我们从未见过这么多船"},
		{"Chinese, changed", "我们见过这么多船", QuoteAbsent, ""},
		{"misspelling in a long quote", "and the crew was greeeted by the mayor with bread and salt", QuoteFuzzy, "and the crew was greeted by the mayor with bread and salt"},
		{"misspelling in a short quote", "The crew was greeeted", QuoteAbsent, ""},
		{"another number in a long quote", "We have never seen so many boats – 1,260 of them – in the old harbour", QuoteAbsent, ""},
		{"negation dropped from a long quote", "We have seen so many boats – 1,250 of them – in the old harbour", QuoteAbsent, ""},
		{"another word in a long quote", "and the crew was scolded by the mayor with bread and salt", QuoteAbsent, ""},
		{"spliced", "The harbour master said the crew was greeted", QuoteAbsent, ""},
		{"half a word", "arbour master said", QuoteAbsent, ""},
		{"empty", " \" ", QuoteAbsent, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			grade, at := GradeQuote(tt.quote, quoteText)
			if grade != tt.grade || at.Text != tt.at {
				t.Errorf("GradeQuote(%q) is %s %q, want %s %q", tt.quote, grade, at.Text, tt.grade, tt.at)
			}
			checkEvidence(t, quoteText, at)
		})
	}
}

// checkEvidence holds text[start:end] to be what evidence says, in code points.
func checkEvidence(t *testing.T, text string, e Evidence) {
	t.Helper()
	if e.Start < 0 || e.End < e.Start {
		t.Fatalf("evidence from %d to %d", e.Start, e.End)
	}
	points := strings.Split(text, "") // an invalid byte is one element
	if e.End > len(points) {
		t.Fatalf("evidence ends at %d in a text of %d", e.End, len(points))
	}
	if got := strings.Join(points[e.Start:e.End], ""); got != e.Text {
		t.Fatalf("text[%d:%d] is %q, the evidence says %q", e.Start, e.End, got, e.Text)
	}
}

func FuzzGradeQuote(f *testing.F) {
	f.Add("so many boats", quoteText)
	f.Add("first … salt [sic] said", quoteText)
	f.Add("我们\xff从未", "我们从\xff未见 1 2½")
	f.Add("\xe6", "我们从\xe6\a")
	f.Add("1,234.5", "12 34.5 1234.5%")
	f.Add("a a a a a a a a b", "a a a a a a a a a a a c a b")
	f.Fuzz(func(t *testing.T, quote, text string) {
		grade, at := GradeQuote(quote, text)
		checkEvidence(t, text, at)
		if (grade == QuoteAbsent) != (at.End == at.Start) {
			t.Fatalf("grade %s with %d characters", grade, at.End-at.Start)
		}
		if trimmed := strings.TrimSpace(quote); grade == QuoteExact && !strings.Contains(text, strings.Trim(trimmed, quoteMarks+" \t\r\n")) && !strings.Contains(text, at.Text) {
			t.Fatalf("exact, but %q is not in the text", quote)
		}
	})
}
