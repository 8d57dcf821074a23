package loops_test

import (
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify/reader"
)

func TestSharing(t *testing.T) {
	const said = "The harbour is deep."
	s := loops.Sharing{}
	for _, row := range []struct {
		item     string
		p        reader.Passage
		id, text string
		repeated bool
	}{
		{"R1-1", reader.Passage{SourceID: "S1", Start: 0, End: 20, Text: said}, "P1", said, false},
		{"R1-1", reader.Passage{SourceID: "S1", Start: 30, End: 50, Text: said}, "P2", said, false},
		{"R1-2", reader.Passage{SourceID: "S2", Start: 0, End: 20, Text: said}, "P3", said, false},
		{"R1-2", reader.Passage{SourceID: "S1", Start: 0, End: 20, Text: said, Heading: "Port Arden"}, "P1", "as in R1-1", true},
		{"R1-3", reader.Passage{SourceID: "S2", Start: 0, End: 20, Text: said}, "P3", "as in R1-2", true},
	} {
		id, text, repeated := s.Give(row.item, row.p)
		if id != row.id || text != row.text || repeated != row.repeated {
			t.Errorf("%s, %s[%d:%d]: got %s, %q, %v", row.item, row.p.SourceID, row.p.Start, row.p.End, id, text, repeated)
		}
	}
}
