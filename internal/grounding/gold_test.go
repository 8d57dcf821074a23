package grounding

import (
	"bufio"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// goldFolder holds claims with human verdicts, beside the project; the tests that need it are skipped without.
const goldFolder = "../../../shared/data/grounding"

type goldClaim struct {
	ID, Claim, Quote, Kind, Variant, Base string
	Supported                             int
	SourceIDs                             []string `json:"source_ids"`
}

type goldPassage struct {
	SourceID string `json:"source_id"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Text     string `json:"text"`
}

// goldVerdict is the row that the scoring script beside the data reads.
type goldVerdict struct {
	ID         string        `json:"id"`
	Status     Status        `json:"status"`
	Support    float64       `json:"support"`
	QuoteGrade string        `json:"quote_grade,omitempty"`
	Passages   []goldPassage `json:"passages"`
}

func readLines[T any](t *testing.T, name string) []T {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Skipf("gold data is not here: %v", err)
	}
	defer f.Close()
	var out []T
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func loadGold(t *testing.T, set string) ([]goldClaim, *Checker, map[string][]rune) {
	t.Helper()
	if testing.Short() {
		t.Skip("gold data is not read in short mode")
	}
	claims := readLines[goldClaim](t, filepath.Join(goldFolder, set, "claims.jsonl"))
	sources := readLines[Source](t, filepath.Join(goldFolder, set, "sources.jsonl"))
	texts := make(map[string][]rune, len(sources))
	for _, s := range sources {
		texts[s.ID] = []rune(s.Text)
	}
	return claims, NewChecker(sources), texts
}

func (g goldClaim) claim() Claim {
	c := Claim{Text: g.Claim}
	for _, id := range g.SourceIDs {
		c.Citations = append(c.Citations, Citation{SourceID: id, Quote: g.Quote})
	}
	return c
}

// TestGold reports how well the verdicts agree with people, and holds floors a little below what is reached: of the
// ranking, and of how many of the claims that are called grounded are so. Few are: most of these claims are free
// paraphrases, which wording does not decide. The precision asked of WiCE (70) was set beforehand; of its claims only four
// are grounded, so one more error breaks it. The other floors were set after the figures were known.
// With CITELOOP_GOLD_OUT set to a folder it also writes the verdicts there, for the scoring script.
func TestGold(t *testing.T) {
	tests := []struct {
		set              string
		auroc, precision float64
	}{
		{"wice", 0.82, 70},
		{"attributionbench", 0.75, 90},
		{"factcheck-gpt", 0.78, 80},
		{"begin", 0.94, 44},
		{"fever-symmetric", 0.74, 85},
		{"chef-zh", 0.82, 70},
	}
	for _, tt := range tests {
		t.Run(tt.set, func(t *testing.T) {
			claims, checker, texts := loadGold(t, tt.set)
			var pairs []judged
			var rows []goldVerdict
			for _, g := range claims {
				v := checker.Check(g.claim())
				pairs = append(pairs, judged{v.Support, v.Status == Grounded, g.Supported == 1})
				rows = append(rows, rowOf(t, g, v, texts))
			}
			writeGold(t, tt.set, rows)
			a, p, n := auroc(pairs), precision(pairs), groundedOf(pairs)
			t.Logf("%s: %d claims, AUROC %.3f, %d called grounded, precision %.1f", tt.set, len(claims), a, n, p)
			if a < tt.auroc || p < tt.precision {
				t.Errorf("%s: AUROC %.3f and precision %.1f, want at least %.3f and %.1f", tt.set, a, p, tt.auroc, tt.precision)
			}
		})
	}
}

// TestProbes runs the claims that were altered on purpose: how many of each kind are still called grounded. Of the
// controls in free words (abs, gen), few may be refused: wording does not decide them.
func TestProbes(t *testing.T) {
	claims, checker, texts := loadGold(t, "probes")
	counts := map[string][3]int{}
	var rows []goldVerdict
	for _, g := range claims {
		v := checker.Check(g.claim())
		key := g.Base + "/" + g.Kind + "/" + g.Variant
		c := counts[key]
		c[0]++
		if v.Status == Grounded {
			c[1]++
		}
		if v.Status == Unsupported {
			c[2]++
		}
		counts[key] = c
		rows = append(rows, rowOf(t, g, v, texts))
	}
	writeGold(t, "probes", rows)
	for _, floor := range []struct {
		key         string
		least, most float64 // percent called grounded
	}{
		{"ext/control/orig", 98, 100}, {"ext/control/negated_true", 97, 100}, {"ext/control/numfmt_digits", 95, 100}, {"ext/control/numfmt_date_dmy", 95, 100},
		{"ext/control/numfmt_million", 95, 100}, {"ext/control/numfmt_nothousands", 95, 100}, {"ext/control/numfmt_percent", 95, 100},
		{"zh/control/orig", 98, 100}, {"zh/control/width", 98, 100},
		{"abs/number/altered", 0, 1}, {"ext/number/altered", 0, 1}, {"gen/number/altered", 0, 1}, {"zh/number/altered", 0, 1},
		{"abs/negation/inserted", 0, 1}, {"ext/negation/inserted", 0, 2}, {"ext/negation/removed", 0, 8}, {"gen/negation/inserted", 0, 1}, {"zh/negation/inserted", 0, 2},
		{"abs/entity/outdoc", 0, 1}, {"ext/entity/outdoc", 0, 2}, {"gen/entity/outdoc", 0, 1}, {"ext/entity/indoc", 0, 8},
		{"abs/misattrib/random", 0, 1}, {"ext/misattrib/random", 0, 1}, {"gen/misattrib/random", 0, 1}, {"zh/misattrib/random", 0, 3},
		{"abs/misattrib/similar", 0, 3}, {"ext/misattrib/similar", 0, 10}, {"gen/misattrib/similar", 0, 20},
		{"quote/quote_fake/oneword", 0, 1}, {"quote/quote_fake/twoword", 0, 1}, {"quote/quote_fake/splice", 0, 1}, {"quote/quote_fake/number", 0, 1},
		{"quote/quote_fake/negation", 0, 1}, {"quote/quote_fake/otherdoc", 0, 1}, {"quote/quote_fake/paraphrase", 0, 1},
		{"quote/quote_real/verbatim", 98, 100}, {"quote/quote_real/case", 98, 100}, {"quote/quote_real/curly", 98, 100}, {"quote/quote_real/dashes", 98, 100},
		{"quote/quote_real/ellipsis", 97, 100}, {"quote/quote_real/fullwidth", 98, 100}, {"quote/quote_real/hyphenbreak", 98, 100}, {"quote/quote_real/ligature", 98, 100},
		{"quote/quote_real/softhyphen", 98, 100}, {"quote/quote_real/trailpunct", 98, 100}, {"quote/quote_real/whitespace", 98, 100}, {"quote/quote_real/bracket", 92, 100},
	} {
		c, there := counts[floor.key]
		if !there {
			t.Errorf("%s: no such probes", floor.key)
		}
		share := 100 * float64(c[1]) / float64(max(1, c[0]))
		t.Logf("%-36s %5.1f %% of %d called grounded", floor.key, share, c[0])
		if share < floor.least || share > floor.most {
			t.Errorf("%s: %.1f %% grounded, want %.0f to %.0f", floor.key, share, floor.least, floor.most)
		}
	}
	for _, key := range []string{"abs/control/orig", "gen/control/orig"} {
		c := counts[key]
		if c[0] == 0 || 100*c[2] > 8*c[0] {
			t.Errorf("%s: %d of %d refused, want at most 8 %%", key, c[2], c[0])
		}
	}
}

func rowOf(t *testing.T, g goldClaim, v Verdict, texts map[string][]rune) goldVerdict {
	t.Helper()
	row := goldVerdict{ID: g.ID, Status: v.Status, Support: v.Support, QuoteGrade: v.QuoteGrade}
	for _, p := range v.Passages {
		if got := string(texts[p.SourceID][p.Start:p.End]); got != p.Text {
			t.Errorf("%s: text[%d:%d] is %q, passage says %q", g.ID, p.Start, p.End, got, p.Text)
		}
		row.Passages = append(row.Passages, goldPassage(p))
	}
	return row
}

func writeGold(t *testing.T, set string, rows []goldVerdict) {
	t.Helper()
	folder := os.Getenv("CITELOOP_GOLD_OUT")
	if folder == "" {
		return
	}
	f, err := os.Create(filepath.Join(folder, set+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	out := json.NewEncoder(f)
	for _, r := range rows {
		if err := out.Encode(r); err != nil {
			t.Fatal(err)
		}
	}
}

type judged struct {
	support          float64
	called, actually bool
}

// auroc is the chance that a supported claim scores above an unsupported one.
func auroc(list []judged) float64 {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b judged) int { return cmp.Compare(a.support, b.support) })
	ranks, pos := 0.0, 0.0
	for i := 0; i < len(list); {
		j := i
		for j < len(list) && list[j].support == list[i].support {
			j++
		}
		for _, x := range list[i:j] {
			if x.actually {
				ranks += float64(i+1+j) / 2
				pos++
			}
		}
		i = j
	}
	neg := float64(len(list)) - pos
	if pos == 0 || neg == 0 {
		return 0
	}
	return (ranks - pos*(pos+1)/2) / (pos * neg)
}

func groundedOf(list []judged) int {
	n := 0
	for _, x := range list {
		if x.called {
			n++
		}
	}
	return n
}

// precision is the share of the claims called grounded that are supported, in percent.
func precision(list []judged) float64 {
	right := 0
	for _, x := range list {
		if x.called && x.actually {
			right++
		}
	}
	return 100 * float64(right) / float64(max(1, groundedOf(list)))
}
