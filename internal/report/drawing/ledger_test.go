package drawing

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/translations"
	"github.com/citeloop/citeloop/loopstate"
)

func TestLedger(t *testing.T) {
	many := make([]Passage, MaxPassages+5)
	for i := range many {
		many[i] = Passage{Status: "grounded", Span: loopstate.Span{i, i + 10}, Href: "#C1"}
	}
	for _, row := range []struct {
		name     string
		ledger   Ledger
		elements map[string]int
		want     []string
	}{
		{"nothing shown", Ledger{Chars: 100}, map[string]int{"rect.frame": 1, "rect.new": 0}, []string{"0 of 100 characters were shown, in 0 parts. 0 supporting passages"}},
		{"all of it", Ledger{Chars: 664, Shown: loopstate.Spans{{0, 664}}}, map[string]int{"rect.new": 1}, []string{`<rect class="new" x="8" y="24" width="664" height="14"/>`}},
		{"beyond its end", Ledger{Chars: 664, Shown: loopstate.Spans{{0, 9000}}}, map[string]int{"rect.new": 1}, []string{`width="664"`, "664 of 664 characters"}},
		{"passages of every verdict", Ledger{Chars: 1000, Shown: loopstate.Spans{{0, 10}, {500, 600}}, View: loopstate.Span{0, 500}, Passages: []Passage{
			{"grounded", loopstate.Span{500, 520}, `C1 <says> & "so"`, "#C1"}, {"unsupported", loopstate.Span{0, 10}, "C2", ""}}},
			map[string]int{"rect.new": 2, "rect.m m-grounded": 1, "path.m m-unsupported": 1, "line.view": 1}, []string{`href="#C1"`, "C1 &lt;says&gt; &amp; &#34;so&#34;", "110 of 1000 characters were shown, in 2 parts. 2 supporting passages are in it."}},
		{"too many passages", Ledger{Chars: 1000, Passages: many}, map[string]int{"rect.m m-grounded": MaxPassages}, nil},
	} {
		t.Run(row.name, func(t *testing.T) {
			svg := row.ledger.SVG(translations.Table{})
			got := elements(t, svg)
			for name, n := range row.elements {
				if got[name] != n {
					t.Errorf("%d of %s, want %d", got[name], name, n)
				}
			}
			for _, want := range row.want {
				if !strings.Contains(svg, want) {
					t.Errorf("lacks %s in %s", want, svg)
				}
			}
		})
	}
	if got := (Ledger{}).SVG(translations.Table{}); got != "" {
		t.Errorf("an empty text is drawn: %s", got)
	}
}

func TestMatrixColumnLabels(t *testing.T) {
	m := Matrix{Rows: []Row{{Label: "S1", Name: "One"}}, Columns: []Column{{Status: "grounded", Label: "C57"}, {Status: "inferred"}}, Cells: []Cell{{Row: 0, Column: 0, Passage: true}}}
	if svg := m.SVG(translations.Table{}); !strings.Contains(svg, ">C57<") || strings.Contains(svg, ">1</text><line") {
		t.Errorf("the first column lacks the label C57: %s", svg)
	}
}
