package words

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSearchTerms(t *testing.T) {
	for text, want := range map[string]string{
		"C++ and C# on .NET 8":               "c++ and c# on net .net 8",
		"C, i++ and issue C#8":               "c i++ and issu c 8",
		"call read_water_level(x) now":       "call read water level read_water_level x now",
		"asp.net and a .gitignore. End":      "asp net and a gitignor .gitignor end",
		"水温高_a":                              "水温 温高 a",
		"M&ouml;wen &amp; AT&T":              "mowen at t",
		`{"a": "Z\u00fcrich\nGate", "b": 1}`: "a zurich gate b 1",
		`OTHER = "\u0432\u043e" and \nabla`:  "other во and nabla",
		"قال المُدَرِّسُ: أحمد المســـؤول":   "قال المدرس احمد المسوول",
		"הַשַּׁעַר תִּקּוּן":                 "השער תקון",
		"كتابهاي ک ی مدرسة":                  "كتابهاي ك ي مدرسه",
	} {
		var a Analyzer
		var got []string
		a.SearchTerms(text, func(s SearchTerm) { got = append(got, s.Term) })
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got)\n%s", text, diff)
		}
	}
}
