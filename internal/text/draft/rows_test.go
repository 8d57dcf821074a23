package draft

import (
	"slices"
	"testing"
)

// A row with a citation is one claim. The heads of the columns go with the words.
func TestRowsOfTables(t *testing.T) {
	const heads = "| Option | Locks | Disk |\n|---|---|---|\n"
	for table, want := range map[string][]string{
		heads + "| VACUUM | shares | none [S1] |":                                                    {"Option: VACUUM; Locks: shares; Disk: none"},
		heads + "| VACUUM [S1] | shares [S2] | |":                                                    {"Option: VACUUM; Locks: shares"},
		heads + "| a\\|b | shares [S1] | none [S2] |":                                                {"Option: a|b; Locks: shares; Disk: none"},
		heads + "| VACUUM | shares | none |":                                                         nil,
		"| VACUUM | shares [S1] |":                                                                   {"VACUUM; shares"},
		heads + "| A | b | c [S1] |\n\nProse says something here [S1].\n\n| CLUSTER | blocks [S2] |": {"Option: A; Locks: b; Disk: c", "Prose says something here.", "CLUSTER; blocks"},
	} {
		var got []string
		for _, s := range Parse(table).Sentences {
			if s.IsClaim {
				got = append(got, s.Text)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q", table, got)
		}
	}
}
