package report

import (
	"testing"

	"github.com/citeloop/citeloop/internal/prompts"
)

// The report recognizes each heading for limits that the prompts request.
func TestIsLimitsHeading(t *testing.T) {
	for _, question := range []string{"What does it cost?", "它的成本是多少？", "費用はいくらですか。", "비용은 얼마입니까?"} {
		heading := prompts.Loop{Question: question}.Language().Limitations
		if heading == "" || !isLimitsHeading(heading) {
			t.Errorf("unknown heading of the prompts: %q", heading)
		}
	}
	for heading, want := range map[string]bool{
		"Limitations and Uncertainties": true, "limitations & uncertainties": true, "5. Limitations and uncertainties:": true, "IV. Limitations": true, "三、局限与不确定性": true,
		"第四章 局限性": true, "限界と不確実性": true, "6) 한계와 불확실성": true, "⚠ Limitations": true,
		"": false, "Speed limitations of channels": false, "Executive Summary": false, "Limits": false, "局限与前景": false, "5.": false, "二": false,
	} {
		if got := isLimitsHeading(heading); got != want {
			t.Errorf("%q: %v, want %v", heading, got, want)
		}
	}
}
