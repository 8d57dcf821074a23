package stored

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A text is shown whole, line by line: each line that shows something has its number once, and a mark may have several lines.
func TestLines(t *testing.T) {
	marks := []Mark{
		{"C1", "v-grounded", 3, 5}, {"C2", "v-inferred", 4, 8}, {"C3", "", 1, 3}, {"C4", "", 30, 40},
		{"", "unseen", 6, 99}, {"here", "here", 12, 14}, {"here", "here", 15, 16},
	}
	got := Place{Char: 2, Line: 7, Inside: true}.Lines("abcdef\n\n<b>\nlast", marks)
	want := []Line{
		{7, false, []Piece{
			{"a", "", []string{"C3"}, []string{"C3"}}, {"b", "v-grounded", []string{"C1"}, []string{"C1"}},
			{"c", "v-grounded", []string{"C1", "C2"}, []string{"C2"}}, {"d", "v-inferred", []string{"C2"}, nil},
			{"ef", "v-inferred unseen", []string{"C2"}, nil}, {"\n", "unseen", nil, nil},
		}},
		{8, false, []Piece{{"\n", "unseen", nil, nil}}},
		{9, true, []Piece{{"<b", "unseen", nil, nil}, {">\n", "unseen here", []string{"here"}, []string{"here"}}}},
		{10, true, []Piece{{"l", "unseen", nil, nil}, {"a", "unseen here", []string{"here"}, nil}, {"st", "unseen", nil, nil}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := (Place{Char: 2, Line: 7, Inside: true}).After("abc\ndé"); got != (Place{8, 8, true}) {
		t.Errorf("after two lines: %+v", got)
	}
	if got := (Place{}).Lines("a\nb", nil); len(got) != 2 || got[1].Number != 0 || got[1].Opens {
		t.Errorf("without numbers: %+v", got)
	}
}
