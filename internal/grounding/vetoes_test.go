package grounding

import (
	"strings"
	"testing"
)

// What speaks against a claim lowers its place in the ranking.
func TestPenalties(t *testing.T) {
	const news = "The council said in a statement that the first ferry of the season is planned for 3 June. Tickets go on sale soon."
	tests := []struct {
		name, claim, text string
		want              float64
	}{
		{"a year that the text leaves out", "The first ferry of the season is planned for 3 June 2019.", news + " The budget of 2024-05-01 was passed.", 0},
		{"another day", "The first ferry of the season is planned for 9 June 2019.", news + " It was 3 June 2019.", numberVeto},
		{"denied, and the text denies nothing", "The bells of the old harbour church never rang at dawn for sailors.", "At dawn the bells of the old harbour church were ringing for the sailors.", negationVeto},
		{"denied, and the text denies beside it", "The bells of the old harbour church never rang for sailors.", "The bells of the old harbour church did not ring for the sailors. Nobody knew why.", 0},
		{"not the most is a degree", "The tower is the pleasant part of the walk along the harbour.", "The tower is not the most pleasant part of the walk along the harbour.", 0},
		{"what is not confirmed is another clause", "The mayor will open the new harbour bridge in May.", "It has not been confirmed that the mayor will open the new harbour bridge in May.", 0},
		{"a dateline says when it was published", "2021年12月23日，港口宣布渡轮重新开放。", "港口22日宣布渡轮重新开放。2021年10月1日开始修建。", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := compareWith(tt.claim, tt.text).penalty(); got != tt.want {
				t.Errorf("penalty %.1f, want %.1f", got, tt.want)
			}
		})
	}
}

// A number that differs weighs more than close wording, whatever else the claim says.
func TestVetoBeatsWording(t *testing.T) {
	text := "The port of Ellisford opened on 3 March 1998 and cost 1.2 million francs, paid by the canton and by Marta Keller."
	checker := NewChecker([]Source{{ID: "S1", Text: text}})
	for _, claim := range []string{strings.Replace(text, "1998", "1997", 1), strings.Replace(text, "1.2", "1.7", 1), strings.Replace(text, "opened", "never opened", 1),
		strings.Replace(text, "Marta Keller", "Ursina Thalmann", 1)} {
		v := checker.Check(Claim{Text: claim, Citations: cite("S1")})
		if v.Status == Grounded || v.Support > 0.22 {
			t.Errorf("%q: %s with %.3f (%s)", claim, v.Status, v.Support, v.Because)
		}
	}
}

func TestRefutation(t *testing.T) {
	claim := "喝盐水可以预防感冒，港口医院的专家这样说。"
	says := "港口医院的专家说，喝盐水可以预防感冒。"
	rejects := "喝盐水可以预防感冒？港口医院的专家说，这是谣言，喝盐水预防感冒没有科学证据。"
	accepted := compareWith(claim, says).support()
	rejected := compareWith(claim, rejects).support()
	if accepted < 0.44 || rejected > 0.22 {
		t.Errorf("support %.3f where the text says it and %.3f where it rejects it", accepted, rejected)
	}
}

func TestBestSentences(t *testing.T) {
	var all []sentenceRef
	for i := range 3 * maxCandidates {
		all = append(all, sentenceRef{doc: i % 3, sentence: i, weight: float64((i * 37) % 20)})
	}
	var best bestSentences
	for _, s := range all {
		best.add(s)
	}
	if len(best) != maxCandidates {
		t.Fatalf("%d sentences, want %d", len(best), maxCandidates)
	}
	for i := 1; i < len(best); i++ {
		a, b := best[i-1], best[i]
		if a.weight < b.weight || a.weight == b.weight && (a.doc > b.doc || a.doc == b.doc && a.sentence >= b.sentence) {
			t.Errorf("%+v before %+v", a, b)
		}
	}
}
