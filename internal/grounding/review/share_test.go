package review

import "testing"

// A reader gets the text of a passage with its first item. Another heading does not make another passage; another stretch
// or another source does, even with the same text.
func TestSharing(t *testing.T) {
	const said = "The harbour is deep."
	s := Sharing{}
	for _, row := range []struct {
		item     string
		p        Passage
		id, text string
		repeated bool
	}{
		{"R1-1", Passage{SourceID: "S1", Start: 0, End: 20, Text: said}, "P1", said, false},
		{"R1-1", Passage{SourceID: "S1", Start: 30, End: 50, Text: said}, "P2", said, false},
		{"R1-2", Passage{SourceID: "S2", Start: 0, End: 20, Text: said}, "P3", said, false},
		{"R1-2", Passage{SourceID: "S1", Start: 0, End: 20, Text: said, Heading: "Port Arden"}, "P1", "as in R1-1", true},
		{"R1-3", Passage{SourceID: "S2", Start: 0, End: 20, Text: said}, "P3", "as in R1-2", true},
		{"R1-4", Passage{SourceID: "S1", Start: 0, End: 20, Text: said}, "P1", "as in R1-1", true},
	} {
		id, text, repeated := s.Give(row.item, row.p)
		if id != row.id || text != row.text || repeated != row.repeated {
			t.Errorf("%s, %s[%d:%d]: got %s, %q, %v; want %s, %q, %v", row.item, row.p.SourceID, row.p.Start, row.p.End, id, text, repeated, row.id, row.text, row.repeated)
		}
	}
}
