package grounding

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// contrastFolder holds claims of which half are false by one change, beside the project.
const contrastFolder = "../../../shared/data/contrast"

type contrastClaim struct {
	ID, Lang, Claim, Kind, Evidence string
	Supported                       int
	SourceIDs                       []string `json:"source_ids"`
}

// tally counts the verdicts on true and false claims.
type tally struct{ n, grounded, unsupported [2]int }

func (c *tally) add(truth int, s Status) {
	c.n[truth]++
	switch s {
	case Grounded:
		c.grounded[truth]++
	case Unsupported:
		c.unsupported[truth]++
	}
}

func share(a, b int) string {
	if b == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", 100*float64(a)/float64(b))
}

func (c *tally) String() string {
	return fmt.Sprintf("false %4d: grounded %5s, unsupported %5s   true %4d: grounded %5s, unsupported %5s   precision %5s", c.n[0], share(c.grounded[0], c.n[0]),
		share(c.unsupported[0], c.n[0]), c.n[1], share(c.grounded[1], c.n[1]), share(c.unsupported[1], c.n[1]), share(c.grounded[1], c.grounded[0]+c.grounded[1]))
}

// TestContrast reports how many false claims pass and how many true ones are refused, by half, language and kind.
// Half A is the claims about every second source. CITELOOP_CONTRAST=A also lists the errors of half A.
func TestContrast(t *testing.T) {
	for _, set := range []string{"en", "multi", "foolmetwice"} {
		t.Run(set, func(t *testing.T) {
			claims := readLines[contrastClaim](t, filepath.Join(contrastFolder, set, "claims.jsonl"))
			sources := readLines[Source](t, filepath.Join(contrastFolder, set, "sources.jsonl"))
			halfA := make(map[string]bool)
			for i, s := range sources {
				halfA[s.ID] = i%2 == 0
			}
			checker := NewChecker(sources)
			counts := make(map[string]*tally)
			for _, c := range claims {
				claim := Claim{Text: c.Claim}
				for _, id := range c.SourceIDs {
					claim.Citations = append(claim.Citations, Citation{SourceID: id})
				}
				v := checker.Check(claim)
				half := "half B"
				if halfA[c.SourceIDs[0]] {
					half = "half A"
				}
				for _, key := range []string{"all", half, "lang " + c.Lang, "kind " + c.Kind} {
					if counts[key] == nil {
						counts[key] = new(tally)
					}
					counts[key].add(c.Supported, v.Status)
				}
				wanted := os.Getenv("CITELOOP_CONTRAST")
				wrong := c.Supported == 0 && v.Status == Grounded || c.Supported == 1 && v.Status == Unsupported || c.Supported == 1 && c.Kind == "near" && v.Status != Grounded
				if wanted != "" && half == "half A" && (wrong || wanted == "all") {
					t.Logf("%s %d %s %s %s\n\t%s\n\t%s", c.ID, c.Supported, c.Kind, v.Status, v.Because, c.Claim, debugVerdict(v, checker, claim))
				}
			}
			keys := make([]string, 0, len(counts))
			for k := range counts {
				keys = append(keys, k)
			}
			slices.SortFunc(keys, func(a, b string) int {
				return cmp.Or(cmp.Compare(strings.Count(a, " "), strings.Count(b, " ")), cmp.Compare(a, b))
			})
			for _, k := range keys {
				t.Logf("%-22s %s", k, counts[k])
			}
		})
	}
}

func debugVerdict(v Verdict, c *Checker, claim Claim) string {
	text := ""
	if v.Passage != nil {
		text = v.Passage.Text
	}
	return fmt.Sprintf("missing %q differences %+v flags %q debug %s\n\t%s", v.Missing, v.Differences, v.Flags, explain(c, claim), text)
}

// explain shows why the best passage does not ground a claim.
func explain(c *Checker, claim Claim) string {
	f := c.assess(claim, readClaim(claim.Text, new(passages.Analyzer)), c.cited(claim.Citations), new(memory))
	if f.best == nil {
		return "nothing"
	}
	return fmt.Sprintf("%.2f ", f.best.covered/f.best.weight) + f.best.String()
}

func (x *account) String() string {
	s := ""
	for _, i := range x.missing {
		s += " -" + x.claim.tokens[i].fold
	}
	s += " order:"
	for _, i := range x.order {
		if i < 0 {
			s += " many moves"
			continue
		}
		s += " " + x.claim.tokens[i].fold
	}
	s += " unsaid:"
	for _, n := range x.unsaid {
		o := x.passage.operators[n]
		s += " " + x.passage.tokens[o.first].fold + fmt.Sprint(o.meanings)
	}
	return s
}
