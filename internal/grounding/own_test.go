package grounding

import (
	"slices"
	"strings"
	"testing"
)

func TestOwnStatements(t *testing.T) {
	tests := []struct {
		name, draft string
		own         string // of the first sentence
		claim       bool   // the first sentence needs a source
	}{
		// The mark works wherever it is.
		{"mark before the full stop", "So the second plan is cheaper [inference].", OwnInference, false},
		{"mark behind the full stop", "So the second plan is cheaper. [inference]", OwnInference, false},
		{"mark at the beginning", "[inference] So the second plan is cheaper.", OwnInference, false},
		{"mark in capitals", "So the second plan is cheaper. [Inference]", OwnInference, false},
		{"mark and a citation", "So the second plan costs 40 crowns less. [S1] [inference]", "", true},
		{"mark before a citation", "So the second plan costs 40 crowns less [inference][S1].", "", true},
		{"mark at the beginning and a citation", "[inference] So the second plan costs 40 crowns less [S1].", "", true},
		{"mark in the middle and a citation", "The second plan costs 40 crowns [inference], and the first one 80 [S1].", "", true},
		{"mark in a line of its own", "So the second plan is cheaper than the first.\n[inference]", OwnInference, false},
		{"mark in a list", "- So the second plan is cheaper. [inference]", OwnInference, false},
		{"mark in full width", "所以第二个方案更便宜。［inference］", OwnInference, false},
		{"mark in German", "Also ist der zweite Plan billiger. [inference]", OwnInference, false},
		{"a link is no mark", "The [inference](https://example.org) is a word of this sentence.", "", true},
		{"the word alone is no mark", "Inference is a step of reasoning that uses old statements.", "", true},

		// Words say it, in six languages.
		{"en inference", "It is our inference that the smaller pump is enough for most houses.", OwnInference, false},
		{"en inference label", "Inference: the smaller pump is enough for most houses.", OwnInference, false},
		{"en absence, none of", "None of the sources read reports how long the pump lasts.", OwnAbsence, false},
		{"en absence with a year", "None of the sources gives a price for 2024.", OwnAbsence, false},
		{"en absence, do not", "The sources do not say how long the pump lasts.", OwnAbsence, false},
		{"en absence, nothing read", "Nothing read describes how long the pump lasts in winter.", OwnAbsence, false},
		{"en nothing that is no reading", "Nothing found in the tank describes how long the pump lasts.", "", true},
		{"en absence, manual", "The manual does not promise that the file becomes smaller.", OwnAbsence, false},
		{"en absence, cited", "The pages read do not compare the two pumps [S1][S2].", OwnAbsence, false},
		{"en absence, we found", "We found no study of pumps in small houses.", OwnAbsence, false},
		{"en absence, passive", "The price of a repair is not stated in any of the sources.", OwnAbsence, false},
		{"en absence, or whether", "The pages read do not say how long the pump lasts, or whether it can be repaired.", OwnAbsence, false},
		{"en absence with a label", "Smaller things: the pages read do not say how loud the pump is, or how it is cleaned.", OwnAbsence, false},
		{"en absence, two parts", "No page read gives a price; no page read names a maker.", OwnAbsence, false},
		{"en absence, nor", "No page read gives a price; nor the year of the first pump.", OwnAbsence, false},
		{"de absence, nor", "Keine gelesene Seite nennt einen Preis; noch das Jahr der ersten Pumpe.", OwnAbsence, false},
		{"en absence, neither", "The folder has neither a price list nor a picture of the pump.", OwnAbsence, false},
		{"en absence, no page", "The manual has no page on the care of the pump.", OwnAbsence, false},
		{"en absence, half", "Seals of the pump are described, the tool for them is not.", OwnAbsence, false},
		{"en absence, documented", "How loud the pump is at night is not documented in the pages.", OwnAbsence, false},
		{"de absence, or whether", "Die gelesenen Seiten nennen keine Lebensdauer, und auch nicht, ob die Pumpe repariert werden kann.", OwnAbsence, false},
		{"de absence, manual", "Das Handbuch sagt nicht, ob die Pumpe repariert werden kann.", OwnAbsence, false},
		{"de absence, emerges", "Wie laut die Pumpe ist, geht aus den gelesenen Seiten nicht hervor.", OwnAbsence, false},
		{"fr absence, or whether", "Les pages lues ne disent pas combien de temps dure la pompe, ou si elle se répare.", OwnAbsence, false},
		{"fr absence, manual", "Le manuel ne précise pas si la pompe se répare.", OwnAbsence, false},
		{"fr absence, passive", "Le bruit de la pompe n'est pas précisé dans les pages lues.", OwnAbsence, false},
		{"es absence, or whether", "Las páginas leídas no dicen cuánto dura la bomba, o si se puede reparar.", OwnAbsence, false},
		{"es absence, manual", "El manual no dice si la bomba se puede reparar.", OwnAbsence, false},
		{"es absence, passive", "No se indica en las páginas leídas cuánto dura la bomba.", OwnAbsence, false},
		{"zh absence, whether", "已读的文献没有说明水泵的使用寿命，也没有说明是否可以修理。", OwnAbsence, false},
		{"ja absence, whether", "ポンプを修理できるかどうかは、読んだ資料には書かれていない。", OwnAbsence, false},
		{"en open", "What keeps weight off for many years stays open.", OwnOpen, false},
		{"en open, unclear", "It is unclear whether the smaller pump is enough.", OwnOpen, false},
		{"en open, remains", "The reason for the difference remains unknown.", OwnOpen, false},
		{"de inference", "Das ist unsere Schlussfolgerung und keine Angabe des Handbuchs.", OwnInference, false},
		{"de absence", "Keine der gelesenen Quellen nennt einen Preis für die Reparatur.", OwnAbsence, false},
		{"de absence, plural", "Die Quellen sagen nichts über die Lebensdauer der Pumpe.", OwnAbsence, false},
		{"de open", "Warum sich die Werte unterscheiden, bleibt offen.", OwnOpen, false},
		{"de open, unclear", "Es ist noch unklar, ob die kleine Pumpe genügt.", OwnOpen, false},
		{"fr inference", "C'est notre propre déduction et non un conseil du manuel.", OwnInference, false},
		{"fr absence", "Aucune des sources lues ne précise la durée de vie de la pompe.", OwnAbsence, false},
		{"fr absence, plural", "Les sources consultées ne donnent pas de prix pour la réparation.", OwnAbsence, false},
		{"fr open", "La raison de cet écart reste inconnue.", OwnOpen, false},
		{"es inference", "Es nuestra inferencia y no un consejo del manual.", OwnInference, false},
		{"es absence", "Ninguna de las fuentes leídas indica cuánto dura la bomba.", OwnAbsence, false},
		{"es absence, plural", "Las fuentes consultadas no comparan las dos bombas.", OwnAbsence, false},
		{"es open", "Se desconoce si la bomba pequeña basta para una casa.", OwnOpen, false},
		{"zh inference", "这是笔者的推断，手册没有这样的建议可供参考。", OwnInference, false},
		{"zh absence", "已读的资料均未说明水泵的使用寿命有多长。", OwnAbsence, false},
		{"zh open", "两个数值不同的原因目前仍不清楚，需要更多研究。", OwnOpen, false},
		{"ja inference", "これは筆者の推論であり、手引きの助言ではありません。", OwnInference, false},
		{"ja absence", "読んだ資料のいずれにもポンプの寿命は記載されていない。", OwnAbsence, false},
		{"ja open", "二つの値が異なる理由は未解明のままである。", OwnOpen, false},

		// Advice, estimates and assumptions in the first person need no mark.
		{"en advice", "We recommend the smaller pump for most houses.", OwnInference, false},
		{"en advice, conditional", "For this house, I would suggest the smaller pump.", OwnInference, false},
		{"en estimate", "The prices in the third column are my estimates for this town.", OwnInference, false},
		{"en estimate with a figure", "By my estimate the repair takes 3 hours.", OwnInference, false},
		{"en label", "Assumption: the house has one pump and no well.", OwnInference, false},
		{"en you should", "You should test the pump before the winter comes.", OwnInference, false},
		{"de advice", "Wir empfehlen die kleine Pumpe für die meisten Häuser.", OwnInference, false},
		{"de estimate", "Nach meiner Schätzung dauert die Reparatur drei Stunden.", OwnInference, false},
		{"fr advice", "Nous recommandons la petite pompe pour la plupart des maisons.", OwnInference, false},
		{"es advice", "Recomendamos la bomba pequeña para la mayoría de las casas.", OwnInference, false},
		{"zh advice", "我们建议大多数家庭使用较小的水泵。", OwnInference, false},
		{"ja advice", "筆者はほとんどの家に小さいポンプを推奨する。", OwnInference, false},
		{"advice that cites", "We recommend the smaller pump for most houses [S1].", "", true},
		{"an estimate that cites", "By our estimate the repair takes 3 hours [S1].", "", true},
		{"advice and a reason", "We recommend the smaller pump, because it failed in no house.", "", true},
		{"advice and a fact", "We recommend the smaller pump; it failed in no house.", "", true},
		{"advice of others", "The makers recommend the smaller pump for most houses.", "", true},
		{"what they estimate", "The board said that its own estimate of the cost was too low.", "", true},

		// It is no way around a citation.
		{"the folder has a fact", "The folder has nine files, and the pump writes to each of them.", "", true},
		{"half is known", "The price of the pump is known, the cause of its failure is not.", "", true},
		{"no study found", "No study found an effect of the pump on the price of houses.", "", true},
		{"evidence of a review", "There is no evidence that the pump raises the price of houses.", "", true},
		{"a recommendation", "The guideline does not recommend the smaller pump for houses.", "", true},
		{"a denial of doubt", "None of the sources disputes that the pump failed on the coast.", "", true},
		{"absence and a fact", "The sources do not say why, but the pump failed in 40 of 50 houses.", "", true},
		{"absence; a fact", "The sources do not say why; the pump failed in most houses.", "", true},
		{"a fact; absence", "The pump failed in most houses; the sources do not say why.", "", true},
		{"absence; nor and a fact", "No page read gives a price; nor, as the pump failed, a date.", "", true},
		{"absence; nor a verb", "No page read gives a price; nor does the pump fail in winter.", "", true},
		{"absence; or a fact", "No page read gives a price; or the pump failed in most houses.", "", true},
		{"open with figures", "It is unclear whether the 5,000 pumps that failed were repaired.", "", true},
		{"open and cited", "It is unclear whether the smaller pump is enough [S1].", "", true},
		{"a shop stays open", "The shop at the harbour stays open on Sundays all year.", "", true},
		{"others infer", "The authors infer that the smaller pump is enough for most houses.", "", true},
		{"de, a fact behind it", "Die Quellen sagen nichts dazu, aber die Pumpe fiel in den meisten Häusern aus.", "", true},
		{"de, opens", "Das Museum am Hafen ist sonntags offen und kostet keinen Eintritt.", "", true},
		{"fr, a fact behind it", "Les sources ne donnent pas de prix, mais la pompe est tombée en panne partout.", "", true},
		{"es, a fact behind it", "Las fuentes no dan precios, pero la bomba falló en casi todas las casas.", "", true},
		{"fr, a fact behind or", "Les sources ne donnent pas de prix, or la pompe est tombée en panne partout.", "", true},
		{"zh, a fact behind it", "资料没有说明原因，但是大多数房屋的水泵都发生了故障。", "", true},
		{"ja, a fact behind it", "資料には理由が記載されていないが、ほとんどの家でポンプが故障した。", "", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := ParseDraft(tt.draft)
			if len(d.Sentences) != 1 {
				t.Fatalf("%d sentences: %+v", len(d.Sentences), d.Sentences)
			}
			s := d.Sentences[0]
			if s.Own != tt.own || s.IsClaim != tt.claim {
				t.Errorf("own %q, claim %v; want %q, %v", s.Own, s.IsClaim, tt.own, tt.claim)
			}
			for _, m := range append(s.Markers, d.Strays...) {
				if m.Kind == markerInference {
					t.Errorf("the mark counts as a citation: %+v", m)
				}
			}
		})
	}
}

// A mark after a sentence belongs to that sentence alone.
func TestInferenceMarkBelongsToItsSentence(t *testing.T) {
	d := ParseDraft("The first pump costs 40 crowns [S1]. So the second one is cheaper. [inference] The third one failed [S2].\n\nThe fourth one failed in most houses as well.\n")
	want := []string{"", OwnInference, "", ""}
	if len(d.Sentences) != len(want) {
		t.Fatalf("%+v", d.Sentences)
	}
	for i, s := range d.Sentences {
		if s.Own != want[i] || s.IsClaim != (want[i] == "") {
			t.Errorf("%q: own %q, claim %v", s.Text, s.Own, s.IsClaim)
		}
	}
	if len(d.Strays) != 0 {
		t.Errorf("strays %+v", d.Strays)
	}
}

// sentencesOf writes the sentences of a draft one a line: "?" before a claim, "own" before an own statement, and the targets of
// the marks after.
func sentencesOf(d Draft) []string {
	var out []string
	for _, s := range d.Sentences {
		line := s.Text
		switch {
		case s.IsClaim:
			line = "? " + line
		case s.Own != "":
			line = "own " + line
		}
		for _, m := range s.Markers {
			line += " " + m.Target
		}
		out = append(out, line)
	}
	return out
}

// What the last citation closes is checked; what follows it under the mark [inference] is the author's own.
func TestSplitAtTheLastCitation(t *testing.T) {
	tests := []struct {
		name, draft string
		want        []string
	}{
		{"in a sentence", "The pump costs 40 crowns [S1], so it is the cheaper one [inference].", []string{"? The pump costs 40 crowns S1", "own so it is the cheaper one."}},
		{"behind the stop", "The pump costs 40 crowns [S1], so it is the cheaper one. [inference]", []string{"? The pump costs 40 crowns S1", "own so it is the cheaper one."}},
		{"in a line of its own", "The pump costs 40 crowns [S1], so it is the cheaper one.\n\n[inference]", []string{"? The pump costs 40 crowns S1", "own so it is the cheaper one."}},
		{"two citations", "It costs 40 crowns [S1] and lasts a year [S2]; buy two [inference].", []string{"? It costs 40 crowns and lasts a year S1 S2", "own buy two."}},
		{"nothing behind the citation", "The pump costs 40 crowns [S1] [inference].", []string{"? The pump costs 40 crowns. S1"}},
		{"the citation behind the mark", "So it is the cheaper one [inference], at 40 crowns [S1].", []string{"? So it is the cheaper one, at 40 crowns. S1"}},
		{"nothing before the citation", "[S1] So it is the cheaper one of the two [inference].", []string{"? So it is the cheaper one of the two. S1"}},
		{"one cell", "| Pump | Price |\n|---|---|\n| small | 40 crowns [S1], the cheaper one [inference] |", []string{"? small; 40 crowns S1", "own the cheaper one"}},
		{"a small letter behind the mark", "Take the small one in step 2 [inference]. pump_count counts its pumps [S1].", []string{"own Take the small one in step 2.", "? pump_count counts its pumps. S1"}},
		{"Chinese", "水泵的价格是四十克朗[S1]，所以更便宜[inference]。", []string{"? 水泵的价格是四十克朗 S1", "own 所以更便宜。"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := ParseDraft(tt.draft)
			if got := sentencesOf(d); !slices.Equal(got, tt.want) {
				t.Fatalf("got  %q\nwant %q", got, tt.want)
			}
			src := []rune(tt.draft)
			for i, s := range d.Sentences {
				if s.Split != (len(tt.want) == 2 && !strings.Contains(tt.draft, "[inference]. pump")) {
					t.Errorf("sentence %d: split is %v", i, s.Split)
				}
				if s.Start >= s.End || i > 0 && s.Start < d.Sentences[i-1].End || strings.Count(string(src[:s.Start]), "\n")+1 != s.Line {
					t.Errorf("sentence %d has the place %d-%d, line %d", i, s.Start, s.End, s.Line)
				}
			}
		})
	}
}

// One mark covers a section, a paragraph, or a list with the line that introduces it.
func TestInferenceMarkOfABlock(t *testing.T) {
	const own, fact = "own The pump is the better choice.", "? The pump is the better choice."
	tests := []struct {
		name, draft string
		want        []string
	}{
		{"a heading", "## Advice [inference]\n\nThe pump is the better choice.\n\n### Price\n\n- The pump is the better choice.\n- The pump costs 40 crowns [S1].\n\n## Facts\n\nThe pump is the better choice.",
			[]string{own, own, "? The pump costs 40 crowns. S1", fact}},
		{"a heading with closing signs", "## Advice [inference] ##\n\nThe pump is the better choice.", []string{own}},
		{"the mark inside a heading", "## The [inference] of the board\n\nThe pump is the better choice.", []string{fact}},
		{"a paragraph", "[inference] The pump is the better choice. The pump is the better choice.\n\nThe pump is the better choice.", []string{own, own, fact}},
		{"a paragraph in bold", "**[inference]** The pump is the better choice. The pump is the better choice.", []string{own, own}},
		{"an item", "- [inference] The pump is the better choice. The pump is the better choice.\n- The pump is the better choice.", []string{own, own, fact}},
		{"a line before a list", "My own conclusions [inference]:\n\n- The pump is the better choice.\n- The pump costs 40 crowns [S1].\n- The pump is the better choice.\n\nThe pump is the better choice.",
			[]string{"My own conclusions:", own, "? The pump costs 40 crowns. S1", own, fact}},
		{"a line that begins with the mark", "[inference] My conclusions:\n- The pump is the better choice.\n\nThe pump is the better choice.", []string{"My conclusions:", own, fact}},
		{"a line before a paragraph", "My own conclusions [inference]:\n\nThe pump is the better choice.\n\nThe pump is the better choice.", []string{"My own conclusions:", own, fact}},
		{"a heading by look", "**My own conclusions [inference]**\n\n1. The pump is the better choice.\n2. The pump is the better choice.\n\n## Facts\n\nThe pump is the better choice.", []string{"My own conclusions", own, own, fact}},
		{"a line on what the sources lack", "None of the sources read says:\n\n- The pump is the better choice.\n- The pump costs 40 crowns [S1].\n\nThe pump is the better choice.",
			[]string{"None of the sources read says:", own, "? The pump costs 40 crowns. S1", fact}},
		{"a line on what the sources lack, before a paragraph", "The sources do not say why:\n\nThe pump is the better choice.", []string{"The sources do not say why:", fact}},
		{"a heading on what the sources lack", "## 9. What the documents do not tell you\n\n- The pump is the better choice.\n- The pump costs 40 crowns [S1].\n\n### Prices\n\nThe pump is the better choice.\n\n## Facts\n\nThe pump is the better choice.",
			[]string{own, "? The pump costs 40 crowns. S1", own, fact}},
		{"a heading on what the sources lack, in German", "## Was die Quellen nicht sagen\n\nThe pump is the better choice.", []string{own}},
		{"a heading about bad sources", "## Documents that you should not trust\n\nThe pump is the better choice.", []string{fact}},
		{"a heading about a want of the subject", "## What the pump does not do\n\nThe pump is the better choice.", []string{fact}},
		{"a column of the author's own by its words", "| Pump | Price | Our verdict |\n|---|---|---|\n| small | 40 crowns [S1] | the better choice |\n| large | 80 crowns | the better choice at 60 crowns [S2] |",
			[]string{"? Pump: small; Price: 40 crowns S1", "? Pump: large; Price: 80 crowns; Our verdict: the better choice at 60 crowns S2"}},
		{"a column of verdicts of others", "| Case | Verdict | Source |\n|---|---|---|\n| pump | guilty | [S1] |", []string{"? Case: pump; Verdict: guilty S1"}},
		{"the head of a column", "| Pump | Price | **Verdict [inference]** |\n|---|---|---|\n| small | 40 crowns [S1] | the better choice |\n| large | 80 crowns | the better choice at 60 crowns [S2] |",
			[]string{"? Pump: small; Price: 40 crowns S1", "? Pump: large; Price: 80 crowns; Verdict: the better choice at 60 crowns S2"}},
		{"a row is no lead", "| Pump | Choice |\n|---|---|\n| small | [inference]: |\n\nThe pump is the better choice.", []string{"own Pump: small; Choice: :", fact}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := sentencesOf(ParseDraft(tt.draft)); !slices.Equal(got, tt.want) {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// A sentence ends after a mark, not within it.
func TestSentenceEndsBehindAMark(t *testing.T) {
	draft := "So it is the cheaper one [inference]. [inference] marks what I conclude myself from the prices."
	for _, s := range ParseDraft(draft).Sentences {
		if end := string([]rune(draft)[:s.End]); strings.Count(end, "[") != strings.Count(end, "]") {
			t.Errorf("%q ends within a mark: %q", s.Text, end)
		}
	}
}

func TestStatesFacts(t *testing.T) {
	for text, want := range map[string]bool{
		"So the second plan is cheaper.":                 false,
		"So the second plan costs 40 crowns less.":       true,
		"So the board of Aldmoor prefers it.":            true,
		"I think that it is cheaper, and so do we.":      false,
		"Also ist der zweite Plan billiger als der Rest": false,
	} {
		if got := (DraftSentence{Text: text}).StatesFacts(); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// A citation that only labels what the author judges is checked for nothing; one that is the subject is checked.
func TestLabelledInference(t *testing.T) {
	for draft, claim := range map[string]bool{
		"- **[S3]** (2021): a list of plants without any test. [inference]": false,
		"- [S3]: a homesteader's experience. [inference]":                   false,
		"- [S3] says that the pump holds 40 bar. [inference]":               true,
	} {
		if s := ParseDraft(draft).Sentences[0]; s.IsClaim != claim {
			t.Errorf("%s: claim %v, own %q", draft, s.IsClaim, s.Own)
		}
	}
}
