package index

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParse(t *testing.T) {
	tests := []struct {
		name, text string
		want       Query
	}{
		{"words", " tidal  mill ", Query{Words: []string{"tidal", "mill"}}},
		{"phrases", `"tidal mill" of “the sea” «du nord» „am Meer“ 「潮」`, Query{Words: []string{"of"}, Phrases: []string{"tidal mill", "the sea", "du nord", "am Meer", "潮"}}},
		{"never closed", `"tidal mill`, Query{Words: []string{"tidal", "mill"}}},
		{"without", `mill -wind -"of sand" -title:report`, Query{Words: []string{"mill"}, Without: []Field{{FieldText, "wind"}, {FieldText, "of sand"}, {FieldTitle, "report"}}}},
		{"not without", `a - b -5 well-known --x`, Query{Words: []string{"a", "-", "b", "-5", "well-known", "--x"}}},
		{"fields", `title:mill author:"Ada Miller" file:notes/ type:.MD from:eve`, Query{Fields: []Field{{FieldTitle, "mill"}, {FieldAuthor, "Ada Miller"}, {FieldPath, "notes/"}, {FieldType, "markdown"}, {FieldAuthor, "eve"}}}},
		{"no fields", `note: https://a.b/c title: x:y`, Query{Words: []string{"note:", "https://a.b/c", "title:", "x:y"}, Stated: []string{"x y"}}},
		{"statements", `status: Last Call category:Core lamp`, Query{Words: []string{"status:", "Last", "Call", "category:Core", "lamp"}, Stated: []string{"status  Last Call", "category Core"}}},
		{"no statements", `10:30 status: :x std::map "status: Final"`, Query{Words: []string{"10:30", "status:", ":x", "std::map"}, Phrases: []string{"status: Final"}}},
		{"capital", "Title:Mill", Query{Fields: []Field{{FieldTitle, "Mill"}}}},
		{"empty phrase", `"" x ""`, Query{Words: []string{"x"}}},
		{"nothing", "", Query{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Parse(tt.text), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// Parsing any query ends and respects the limits.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{`tidal "mill of" -wind title:x -type:pdf`, `"`, `-"`, `title:"a b`, "a:b:c", "“x”", "-\"a\"-\"b\""} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q := Parse(text)
		if len(q.Words) > maxQueryWords || len(q.Phrases)+len(q.Fields)+len(q.Without) > 3*maxQueryFields {
			t.Errorf("%q is too much", text)
		}
		for _, w := range q.Words {
			if w == "" {
				t.Errorf("%q has an empty word", text)
			}
		}
	})
}
