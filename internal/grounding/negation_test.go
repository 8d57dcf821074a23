package grounding

import (
	"testing"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

func TestPolarityMismatch(t *testing.T) {
	tests := []struct {
		name, claim, text string
		want              bool
	}{
		{"negated claim", "The bridge was not repaired in 1990.", "The bridge was repaired in 1990 by the canton.", true},
		{"negated text", "The bridge was repaired in 1990.", "The bridge was never repaired in 1990.", true},
		{"both negated", "The bridge was never repaired.", "The bridge was not repaired.", false},
		{"neither", "The bridge was repaired.", "The bridge was repaired.", false},
		{"contraction", "The bridge wasn't repaired.", "The bridge was repaired.", true},
		{"not only denies nothing", "The bridge was not only repaired but painted.", "The bridge was repaired and painted.", false},
		{"no more than denies nothing", "It cost no more than planned.", "It cost what was planned.", false},
		{"negation of another word", "The bridge was repaired, though the road was not.", "The bridge was repaired, although the road is not open.", false},
		{"failed to is excused", "The bridge was not repaired.", "The town failed to have the bridge repaired.", false},
		{"no with a noun", "There was no evidence of leaks.", "There was clear evidence of leaks.", true},
		{"in a clause, with only before it", "Ships enter at high water only, because the channel is not shallow.", "Ships enter at high water only, because the channel is shallow.", true},
		{"in place, removed", "The council did vote, although the mayor had agreed to it.", "The council did not vote, although the mayor had agreed to it.", true},
		{"in place, with do", "The council did not raise the tolls of the bridge.", "In May the council raised the tolls of the bridge.", true},
		{"in place, contracted", "The council isn't bound by the vote of the canton.", "The council is bound by the vote of the canton, unless it is annulled.", true},
		{"in place, denied by both", "The council cannot raise the tolls of the bridge.", "The council can not raise the tolls of the bridge, because they are fixed.", false},
		{"Chinese, inserted", "大桥没有在春天重新开放。", "大桥在春天重新开放。", true},
		{"Chinese, both", "大桥没有在春天开放。", "大桥没有在春天开放。", false},
		{"Chinese, harmless character", "大桥不仅开放还免费。", "大桥开放还免费。", false},
	}
	var a passages.Analyzer
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			found, got := polarityMismatch(tt.claim, tt.text, &a)
			if got != tt.want {
				t.Errorf("mismatch is %v (%+v), want %v", got, found, tt.want)
			}
			reverse, _ := polarityMismatch(tt.text, tt.claim, &a)
			if got && reverse.byClaim == found.byClaim {
				t.Errorf("who denies it does not change with the sides: %+v, %+v", found, reverse)
			}
		})
	}
}
