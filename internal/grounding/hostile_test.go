package grounding

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/citeloop/citeloop/internal/cputime"
)

// Inputs that make careless code quadratic. Each takes less than a second; the limit is wide because
// machines differ; before the bounds were there, some took minutes without it.
func TestHostileInputTakesLinearTime(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short reads no megabytes; nothing runs beside anything here")
	}
	const limit = 15 * time.Second
	hostile := map[string]string{
		"one letter":       strings.Repeat("a", 1<<20),
		"brackets":         strings.Repeat("[", 40_000) + strings.Repeat("]", 40_000),
		"round brackets":   strings.Repeat("(", 40_000) + strings.Repeat("[](", 20_000),
		"citations":        strings.Repeat("Otters swim [1]. ", 20_000),
		"marks only":       strings.Repeat("[1]", 20_000),
		"backticks":        strings.Repeat("` `` ", 40_000),
		"quotation marks":  strings.Repeat("“a ", 40_000),
		"digits":           strings.Repeat("1", 1<<20),
		"numbers":          strings.Repeat("1,234.5 % ", 20_000),
		"ones":             strings.Repeat("1 ", 1<<15),
		"number words":     strings.Repeat("two hundred and ", 12_000),
		"Chinese numerals": strings.Repeat("十二", 1<<15),
		"negations":        strings.Repeat("not ", 1<<15),
		"capitals":         strings.Repeat("Aa ", 1<<15),
		"stops":            strings.Repeat("a. ", 1<<15),
		"months":           strings.Repeat("May 5, ", 1<<15),
		"addresses":        strings.Repeat("https://a.b/c ", 20_000),
		"dois":             strings.Repeat("10.1000/", 20_000),
		"lines":            strings.Repeat("- a\n", 40_000),
		"table":            strings.Repeat("| a | b |\n", 20_000),
		"references":       "References\n" + strings.Repeat("[1] https://a.b - c\n", 20_000),
		"ellipses":         strings.Repeat("a … ", 40_000),
		"invalid bytes":    strings.Repeat("\xff", 1<<19),
	}
	for name, text := range hostile {
		t.Run(name, func(t *testing.T) {
			start := cputime.Used()
			ParseDraft(text)
			checker := NewChecker([]Source{{ID: "S1", Text: text}, {ID: "S2", Text: "The otter swims. It eats fish."}})
			for _, quote := range []string{"", text, text[:min(len(text), 3000)] + "x"} {
				claim := Claim{Text: text, Citations: []Citation{{SourceID: "S1", Quote: quote}, {SourceID: "S2", Quote: quote}}}
				checker.Check(claim)
			}
			checker.Check(Claim{Text: "The otter did not swim 5 % of May 5, 2020 in Aa Bern.", Citations: cite("S1", "S2")})
			checker.Find(text, nil, 5)
			checker.Conflicts(Claim{Text: text})
			if took := cputime.Used() - start; took > limit {
				t.Errorf("took %v", took)
			}
		})
	}
}

func TestManyCitationsOfOneClaim(t *testing.T) {
	checker := NewChecker(harbour())
	var citations []Citation
	for i := range 50_000 {
		citations = append(citations, Citation{SourceID: fmt.Sprint("S", i%10), Quote: ""})
	}
	v := checker.Check(Claim{Text: "Ferries run every hour and the crossing takes fifty minutes.", Citations: citations})
	if v.Status != Grounded || v.SourceID != "S1" {
		t.Errorf("%s by %q, want grounded by S1", v.Status, v.SourceID)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add("Ferries run every hour [1].", "Ferries run every hour. They do not stop.", "every hour")
	f.Add("In 2010 40 % came", "In 2010, 14 percent came on 3 May.", "")
	f.Add("大桥没有开放，费用为120万", "大桥开放。费用为一百二十万元。", "大桥")
	f.Add("\xff NASA’s U.S. “x”", "e\u0301 \xfe A B C\n\n\n# x", "…")
	f.Add("B.J. Thomas (WHO) II", "World Health Organization. - x\n- y", "[…] a")
	f.Fuzz(func(t *testing.T, claim, text, quote string) {
		sources := []Source{{ID: "S1", Title: "Otters", Text: text}, {ID: "S2", SourceType: "press", Text: text + " More. " + claim}}
		checker := NewChecker(sources)
		c := Claim{Text: claim, Citations: []Citation{{SourceID: "S1", Quote: quote}, {SourceID: "S2"}}}
		checkVerdict(t, checker.Check(c), sources)
		for _, r := range checker.Find(claim, nil, 3) {
			checkVerdict(t, Verdict{Because: "-", Status: Unsupported, Passages: []Evidence{r.Evidence}}, sources)
		}
		checker.Conflicts(c)
	})
}
