package remark

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// contrastFolders hold claims of which half are false by one change. Only the last is part of the project.
var contrastFolders = []string{"../../../../shared/data/contrast/en", "../../../../shared/data/contrast/multi", "../../../bench/contrast"}

type contrastClaim struct {
	ID, Lang, Claim, Kind, Evidence string
	Supported                       int
	SourceIDs                       []string `json:"source_ids"`
}

type contrastSource struct{ ID, Text string }

// rate counts claims, and claims with a remark.
type rate struct{ claims, remarked int }

func (r *rate) add(found []Remark) {
	r.claims++
	if len(found) > 0 {
		r.remarked++
	}
}

func (r rate) String() string { return fmt.Sprintf("%5.1f %% of %3d", 100*r.share(), r.claims) }

func (r rate) share() float64 { return float64(r.remarked) / float64(max(r.claims, 1)) }

// TestContrast measures how many false and true claims get a remark, by half and by what is cited. The halves share no document:
// claims of the second half were never read while the rules were written, only its rates were seen. CITELOOP_REMARKS=en lists
// the remarks on the first half of en.
func TestContrast(t *testing.T) {
	t.Parallel()
	const mostTrue = 0.03
	leastFalse := map[bool]float64{false: 0.12, true: 0.10} // a whole text has more places to find a number in
	for _, folder := range contrastFolders {
		set := filepath.Base(folder)
		t.Run(set, func(t *testing.T) {
			if set != "contrast" && os.Getenv("CITELOOP_TEST_LONG") == "" {
				t.Skip("reads hundreds of claims: set CITELOOP_TEST_LONG=1")
			}
			claims := readLines[contrastClaim](t, filepath.Join(folder, "claims.jsonl"))
			texts, halves, counts := map[string]string{}, map[string]string{}, map[string]int{}
			for _, s := range readLines[contrastSource](t, filepath.Join(folder, "sources.jsonl")) {
				language, _, _ := strings.Cut(s.ID, "-")
				texts[s.ID], halves[s.ID] = s.Text, []string{"development", "held out"}[counts[language]%2]
				counts[language]++
			}
			for _, whole := range []bool{false, true} {
				rates := map[string]*[2]rate{"development": {}, "held out": {}, "both": {}}
				for _, c := range claims {
					id := c.SourceIDs[0]
					blocks := []Block{{SourceID: id, Line: 1, Text: texts[id]}}
					if !whole {
						blocks = evidence(t, id, texts[id], c.Evidence)
					}
					found := Find(c.Claim, blocks)
					for _, key := range []string{halves[id], "both"} {
						rates[key][c.Supported].add(found)
					}
					if os.Getenv("CITELOOP_REMARKS") == set && halves[id] == "development" && len(found) > 0 {
						t.Logf("whole %t, supported %d, %s, %s: %s\n\t%s", whole, c.Supported, c.ID, c.Kind, c.Claim, found)
					}
				}
				for _, half := range []string{"development", "held out", "both"} {
					t.Logf("whole %-5t %-11s  false %s  true %s", whole, half, rates[half][0], rates[half][1])
				}
				if r := rates["both"]; r[0].share() < leastFalse[whole] || r[1].share() > mostTrue {
					t.Errorf("whole %t: false claims with a remark %s, true ones %s", whole, r[0], r[1])
				}
			}
		})
	}
}

// evidence returns the lines of a text that hold the deciding words of a claim.
func evidence(t *testing.T, id, text, spans string) []Block {
	var out []Block
	for span := range strings.SplitSeq(spans, " [...] ") {
		at := strings.Index(text, span)
		if at < 0 {
			t.Errorf("%s: evidence not found: %q", id, span)
			continue
		}
		start := strings.LastIndex(text[:at], "\n") + 1
		end := at + len(span)
		if n := strings.Index(text[end:], "\n"); n >= 0 {
			end += n
		} else {
			end = len(text)
		}
		out = append(out, Block{SourceID: id, Line: 1 + strings.Count(text[:start], "\n"), Start: utf8.RuneCountInString(text[:start]),
			Text: text[start:end]})
	}
	return out
}

func readLines[T any](t *testing.T, name string) []T {
	f, err := os.Open(name)
	if os.IsNotExist(err) {
		t.Skipf("no data: %s", name)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
