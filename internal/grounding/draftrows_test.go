package grounding

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A row with one mark, or with a column of sources, is one claim; a row with marks in several cells is one for each of them.
// The heads of the columns go with the words.
func TestRowsOfTables(t *testing.T) {
	const heads = "| Option | Locks | Disk | Time |\n|---|---|---|---|\n"
	tests := []struct {
		name, table string
		want        []string // "text (markers)", "own: text"
	}{
		{"one mark", heads + "| VACUUM | shares | none | hours [S1] |", []string{"Option: VACUUM; Locks: shares; Disk: none; Time: hours (S1)"}},
		{"a mark behind the label", heads + "| VACUUM [S1] | shares [S2] | none | hours |", []string{"Option: VACUUM; Locks: shares; Disk: none; Time: hours (S1 S2)"}},
		{"marks in two cells", heads + "| VACUUM FULL | blocks all [S1] | a copy [S2] [S3] | hours |", []string{"VACUUM FULL; Locks: blocks all (S1)", "VACUUM FULL; Disk: a copy (S2 S3)"}},
		{"a cell of the author's own", heads + "| VACUUM FULL | blocks all [S1] | a copy | some hours here [inference] |", []string{"VACUUM FULL; Locks: blocks all (S1)", "own: VACUUM FULL; Time: some hours here"}},
		{"a cell of the author's own before the citation", heads + "| VACUUM FULL | I would not [inference] | a copy [S1] in spring | |", []string{"own: VACUUM FULL; Locks: I would not", "VACUUM FULL; Disk: a copy in spring (S1)"}},
		{"a column of sources", "| Option | Locks | Source |\n|---|---|---|\n| VACUUM | shares [S2] | [S1] |", []string{"Option: VACUUM; Locks: shares (S2 S1)"}},
		{"both in one cell", heads + "| VACUUM FULL | blocks all [S1], so do not run it [inference] | a copy [S2] | |", []string{"VACUUM FULL; Locks: blocks all (S1)", "own: VACUUM FULL; Locks: so do not run it", "VACUUM FULL; Disk: a copy (S2)"}},
		{"a cell on what the sources lack", heads + "| VACUUM | shares [S1] | not given in the sources read | no page read gives it |", []string{"Option: VACUUM; Locks: shares (S1)"}},
		{"a row on what the sources lack", heads + "| VACUUM [S1] | no page read gives it | | |", []string{"Option: VACUUM; Locks: no page read gives it (S1)"}},
		{"a cell on what a thing lacks", heads + "| VACUUM | shares [S1] | not given to readers | |", []string{"Option: VACUUM; Locks: shares; Disk: not given to readers (S1)"}},
		{"no bars at the ends", "Option | Locks\n---|---\nVACUUM | shares [S1]", []string{"Option: VACUUM; Locks: shares (S1)"}},
		{"an escaped bar", heads + "| a\\|b | shares [S1] | none [S2] | |", []string{"a|b; Locks: shares (S1)", "a|b; Disk: none (S2)"}},
		{"no head", "| VACUUM | shares [S1] |", []string{"VACUUM; shares (S1)"}},
		{"no mark", heads + "| VACUUM | shares | none | hours |", nil},
		{"another table", heads + "| VACUUM | shares | none | hours [S1] |\n\nProse says something here [S1].\n\n| CLUSTER | blocks [S2] |", []string{"Option: VACUUM; Locks: shares; Disk: none; Time: hours (S1)", "Prose says something here. (S1)", "CLUSTER; blocks (S2)"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, s := range ParseDraft(tt.table).Sentences {
				switch {
				case s.Own != "":
					got = append(got, "own: "+s.Text)
				case s.IsClaim:
					marks := ""
					for _, m := range s.Markers {
						marks += " " + m.Target
					}
					got = append(got, s.Text+" ("+marks[1:]+")")
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("sentences (-want +got):\n%s", diff)
			}
		})
	}
}

// A citation may be the subject of a sentence: "[S4] says that …". Before a capital letter it ends the sentence before.
func TestCitationsAsSubjects(t *testing.T) {
	for draft, want := range map[string][]string{
		"The pages disagree. [S3] tells you to till the soil. [S4] says that tilling harms it.": {"The pages disagree. []", "tells you to till the soil. [S3]", "says that tilling harms it. [S4]"},
		"The pump holds 40 bar. [S1] The tank holds 90. [S2]":                                   {"The pump holds 40 bar. [S1]", "The tank holds 90. [S2]"},
		"The pages agree. [S3] and [S4] name the same depth.":                                   {"The pages agree. []", "and name the same depth. [S3 S4]"},
	} {
		var got []string
		for _, s := range ParseDraft(draft).Sentences {
			var ids []string
			for _, m := range s.Markers {
				ids = append(ids, m.Target)
			}
			got = append(got, s.Text+" ["+strings.Join(ids, " ")+"]")
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q", draft, got)
		}
	}
}

// The head of a column is no word that the source must have.
func TestHeadsNeedNoSource(t *testing.T) {
	c := NewChecker([]Source{{ID: "S1", Text: "Mint oils keep the moths away from the cabbage."}})
	for given, want := range map[string]Status{"Plant; Gains": Grounded, "": Inferred} {
		v := c.Check(Claim{Text: "Mint; Gains: oils keep the moths away from the cabbage", Given: given, Citations: []Citation{{SourceID: "S1"}}})
		if v.Status != want {
			t.Errorf("%q: %s %s", given, v.Status, v.Because)
		}
	}
}
