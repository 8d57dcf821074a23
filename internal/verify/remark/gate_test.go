package remark

import (
	"os"
	"strings"
	"testing"
)

// pair is a row of the gate data: a claim and the short text that it cites.
type pair struct{ id, language, kind, supported, claim, source string }

func pairs(t *testing.T, name string) []pair {
	t.Helper()
	data, err := os.ReadFile("../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []pair
	for line := range strings.Lines(string(data)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 6 {
			t.Fatalf("%s: want 6 columns: %q", name, line)
		}
		out = append(out, pair{f[0], f[1], f[2], f[3], f[4], f[5]})
	}
	return out
}

// TestGate measures both rates on pairs of sentences that were written for it. CITELOOP_REMARKS=restrictions lists the remarks.
func TestGate(t *testing.T) {
	const leastFalse, mostTrue = 0.12, 0.03
	for _, set := range []string{"restrictions", "embedded"} {
		t.Run(set, func(t *testing.T) {
			var all [2]rate
			languages, kinds := map[string]*[2]rate{}, map[string]*[2]rate{}
			for _, p := range pairs(t, set+".tsv") {
				found := Find(p.claim, []Block{{SourceID: "S1", Line: 1, Text: p.source}})
				truth := 0
				if p.supported == "1" {
					truth = 1
				}
				for _, r := range []*[2]rate{&all, group(languages, p.language), group(kinds, p.kind)} {
					r[truth].add(found)
				}
				if len(found) > 0 && (truth == 1 || os.Getenv("CITELOOP_REMARKS") == set) {
					t.Logf("supported %d, %s, %s: %q in %q: %s", truth, p.id, p.kind, p.claim, p.source, found)
				}
			}
			for _, groups := range []map[string]*[2]rate{languages, kinds} {
				for name, r := range groups {
					t.Logf("%-12s false %s  true %s", name, r[0], r[1])
				}
			}
			t.Logf("%-12s false %s  true %s", "all", all[0], all[1])
			if all[0].share() < leastFalse {
				t.Errorf("false claims with a remark: %s", all[0])
			}
			if all[1].share() > mostTrue {
				t.Errorf("true claims with a remark: %s", all[1])
			}
		})
	}
}

func group(groups map[string]*[2]rate, name string) *[2]rate {
	if groups[name] == nil {
		groups[name] = new([2]rate)
	}
	return groups[name]
}
