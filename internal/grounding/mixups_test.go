package grounding

import "testing"

// Words of a claim that the passage has of something else do not ground it, and marks of a myth count on both sides.
func TestMixups(t *testing.T) {
	tests := []struct {
		name, text, claim string
		want              Status
		kind              DifferenceKind // "" for none
	}{
		{"roles of two names", "The mill was rebuilt by Greta Voss in 1911. Voss hired Arno Telk to keep the books of the mill.",
			"Arno Telk hired Greta Voss to keep the books of the mill.", Inferred, ""},
		{"roles as the text has them", "The mill was rebuilt by Greta Voss in 1911. Voss hired Arno Telk to keep the books of the mill.",
			"Voss hired Arno Telk to keep the books of the mill.", Grounded, ""},
		{"an ordinal of another thing", "Der erste Vertrag scheiterte am Preis, der zweite am Wetter. Der neue dritte Vertrag nennt eine Frist von zehn Tagen.",
			"Der neue zweite Vertrag nennt eine Frist von zehn Tagen.", Inferred, ""},
		{"prices of two models", "Le vélo Arva coûte 640 euros, le vélo Brise reste au catalogue à 520 euros.",
			"Le vélo Arva coûte 520 euros, le vélo Brise 640 euros.", Unsupported, DifferentBinding},
		{"a unit inside a longer one", "每次浇水300毫升，不要浇在叶子上。", "每次浇水300升，不要浇在叶子上。", Unsupported, DifferentUnit},
		{"the same amount in another unit", "每次浇水300毫升，不要浇在叶子上。", "每次浇水0.3升，不要浇在叶子上。", Grounded, ""},
		{"a katakana unit inside a longer one", "重さは2.5キログラム、色は白です。", "重さは2.5グラムです。", Unsupported, DifferentUnit},
		{"a story that the next sentence refutes", "People often say that Orla Finch designed the clock tower. This is a myth: she was a child at the time.",
			"Orla Finch designed the clock tower.", Inferred, ""},
		{"a claim that denies the refuted story", "People often say that Orla Finch designed the clock tower. This is a myth: she was a child at the time.",
			"Orla Finch did not design the clock tower.", Inferred, ""},
		{"a myth that the claim calls dangerous", "误区一：感冒的病人要喝白酒。这种做法很危险。", "让感冒的病人喝白酒，是很危险的做法。", Inferred, ""},
		{"a ban for those who are not registered", "进入阅览室请提前两天预约；未预约的，不得进入阅览室看书。", "读者提前两天预约之后，可以进入阅览室看书。", Inferred, ""},
		{"a rise from one figure to another", "The yield rose to 1.79 percent from 1.81 percent on Monday.",
			"The yield rose to 1.81 percent from 1.79 percent on Monday.", Unsupported, DifferentBinding},
		{"the figures of two places", "In July 55 schools took part, and in June 180 villages.",
			"In July 180 schools took part, and in June 55 villages.", Unsupported, DifferentBinding},
		{"a negation of another part", "Alder said that the fire was not an accident, but harmed the harbour.",
			"Alder said that the fire was an accident, but did not harm the harbour.", Unsupported, DifferentNegation},
		{"an opposite that is elsewhere in the passage", "午后各股跌幅收窄，海棠股份小涨0.3%，柳桥股份持平。", "海棠股份小跌0.3%。", Unsupported, DifferentDirection},
		{"an opposite that is a function word", "Las pruebas dejaron a Albera bastante mal parada.", "Las pruebas dejaron a Albera bastante bien parada.", Unsupported, DifferentDirection},
		{"may is no month", "The figures are provisional. They could be revised in September.", "The provisional figures may still be changed.", Inferred, ""},
		{"a negation before a bracket", "The mills, however, do not (and cannot) depend on each other.", "The mills depend on each other.", Inferred, ""},
		{"another modal word", "„Wir können den Betrieb des Lifts nicht mehr bezahlen“, sagte der Bürgermeister.",
			"Der Betrieb des Lifts sei nicht mehr zu bezahlen, sagte der Bürgermeister.", Inferred, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := NewChecker([]Source{{ID: "S1", Text: tt.text}}).Check(Claim{Text: tt.claim, Citations: cite("S1")})
			if v.Status != tt.want {
				t.Errorf("%s, want %s: %s %v", v.Status, tt.want, v.Because, v.Differences)
			}
			if tt.kind != "" && (len(v.Differences) == 0 || v.Differences[0].Kind != tt.kind) {
				t.Errorf("differences %v, want %s", v.Differences, tt.kind)
			}
		})
	}
}
