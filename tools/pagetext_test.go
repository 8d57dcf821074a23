package tools

import (
	"fmt"
	"strings"
	"testing"
)

// manualPage is a page in the layout of a reference manual: terms, each with several paragraphs.
func manualPage() string {
	var b strings.Builder
	b.WriteString("HARBOUR\n\nHARBOUR — change a harbour\n\nHARBOUR ATTACH pier\nHARBOUR DETACH pier [ QUIETLY ]\nHARBOUR SET OPTION " +
		"lock\n\n")
	for i := range 12 {
		fmt.Fprintf(&b, "SET OPTION%d value\n\nThis form sets the option of the harbour. It needs a lock on the harbour.\n\n", i)
	}
	b.WriteString("ATTACH pier\n\nThis form attaches a pier to the harbour.\n\nThe board must wait until every boat has left. " +
		strings.Repeat("The boats are counted at the gate of the board. ", 8) +
		"A lamp is lit at the end.\n\nTip\n\nThe lamp may be lit before the boats leave.\n\n")
	b.WriteString("DETACH pier [ QUIETLY ]\n\nThis form detaches a pier.\n\nIf this is asked for, two steps are taken, and boats may " +
		"pass between them. The first step needs a weak lock only.\n\n")
	b.WriteString(strings.Repeat("Nobody went to sea that day, and the town slept until the evening bells.\n\n", 12))
	return b.String()
}

func TestSelectParts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, query string
		limit       int
		want        []string // each in one of the parts
	}{
		{"a paragraph below its heading", "detach pier quietly: lock of the first step", 3,
			[]string{"This form detaches a pier", "two steps are taken"}},
		{"a whole paragraph", "wait until boats have left lamp", 1, []string{"The board must wait", "A lamp is lit at the end."}},
		{"each subject of a query", "attach pier; detach pier quietly; set option7", 4,
			[]string{"attaches a pier", "DETACH pier [ QUIETLY ]", "SET OPTION7 value\n\nThis form sets"}},
		{"each subject that the text has, by turns",
			"quantum entanglement of neutrinos; set option3; which lamp is lit before the boats leave?", 2,
			[]string{"SET OPTION3 value", "The lamp may be lit"}},
		{"few words of the query", "quantum entanglement of neutrinos in a harbour", 3, nil},
	}
	text := manualPage()
	runes := []rune(text)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := selectParts(text, tt.query, tt.limit, 100_000)
			all := ""
			for _, s := range got {
				if string(runes[s.Start:s.End]) != s.Text {
					t.Errorf("%d-%d is not %q", s.Start, s.End, s.Text)
				}
				all += s.Text + "\n----\n"
			}
			for _, w := range tt.want {
				if !strings.Contains(all, w) {
					t.Errorf("the parts lack %q:\n%s", w, all)
				}
			}
			if tt.want == nil && len(got) > 0 {
				t.Errorf("the parts are:\n%s", all)
			}
		})
	}
}
