package table

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
)

func compared() *loopstate.State {
	claim := func(id, text, status string, sources ...string) loopstate.Claim {
		c := loopstate.Claim{ID: id, Claim: text, SourceIDs: sources}
		if status != "" {
			c.Check = &loopstate.ClaimCheck{Status: status, Lines: sources[0] + ":7"}
		}
		return c
	}
	gone := claim("C9", "The ferry is 1 km long.", "", "S1")
	gone.Retracted = 2
	st := &loopstate.State{
		Claims: []loopstate.Claim{
			claim("C1", "The route is 5 km long.", loopstate.Grounded, "S1"), claim("C2", "The route is 3,100 m long.", loopstate.Unsupported, "S2"),
			claim("C3", "The route is 5,000 m long.", "", "S1", "S2"), claim("C4", "The trial had 120 patients.", "", "S1"), claim("C5", "The trial had 80 patients.", "", "S2"), gone,
		},
		Cells: []loopstate.Cell{
			{ClaimID: "C1", Field: "length", Subject: "Ferry", Value: "5 km"}, {ClaimID: "C2", Field: "length", Subject: "Ferry", Value: "3,100 m"},
			{ClaimID: "C3", Field: "length", Subject: "Ferry", Value: "5,000 m"}, {ClaimID: "C9", Field: "length", Subject: "Ferry", Value: "1 km"},
			{ClaimID: "C4", Field: "size", Value: "120 patients"}, {ClaimID: "C5", Field: "size", Value: "80 patients"},
		},
		Sources: []loopstate.Source{{ID: "S1", Title: "=HYPERLINK(\"x\")", PublishedAt: "2024"}, {ID: "S2", Title: "file:///home/ada/notes.md", Standing: &loopstate.Standing{Kind: "retracted", Date: "2025-02-03", From: "crossref"}}},
	}
	data, _ := st.MarshalSnapshot()
	st, _ = loopstate.UnmarshalSnapshot(data)
	return st
}

// Values of one cell differ after their units are equalised; those of two rows, such as the sizes of two trials, do not conflict.
func TestTable(t *testing.T) {
	table := Of(compared())
	got := map[string][]string{}
	for _, row := range table.Rows {
		for i, cell := range row.Cells {
			for _, e := range cell {
				got[row.Name+"/"+table.Fields[i]] = append(got[row.Name+"/"+table.Fields[i]], strings.Join([]string{e.Value, e.Lines, e.Verdict(), strings.Join(e.Differs, ",")}, "|"))
			}
		}
	}
	want := map[string][]string{
		"Ferry/length":              {"5 km|S1:7|grounded|C2", "3,100 m|S2:7|unsupported|C1,C3", "5,000 m|S1; S2|not checked|C2"},
		"S1 =HYPERLINK(\"x\")/size": {"120 patients|S1|not checked|"},
		"S2 notes.md/size":          {"80 patients|S2|not checked|"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if Of(&loopstate.State{}) != nil {
		t.Error("a loop without cells has a table")
	}
}

func TestFiles(t *testing.T) {
	table := Of(compared())
	raw, err := table.CSV()
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
	if err != nil || len(rows) != 6 || rows[1][2] != "5 km" || !strings.HasPrefix(rows[1][10], "'=") {
		t.Errorf("%v: %q", err, rows)
	}
}

func TestInert(t *testing.T) {
	for in, want := range map[string]string{"": "", "-5 %": "-5 %", "-1+cmd|' /C calc'!A0": "'-1+cmd|' /C calc'!A0", "=1": "'=1", "@a": "'@a", "5": "5"} {
		if got := inert(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
