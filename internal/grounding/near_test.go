package grounding

import "testing"

// Claims that are nearly in the words of their source are grounded; the same words that say something else are not.
func TestNearlyVerbatim(t *testing.T) {
	const (
		pump    = "Halden Water tested two pumps in May. The Halden Water Authority (HWA) then bought a Torvik M7 pump. The pump failed after a week."
		tarn    = "Merro Tarn pumps were tested in March. Rain fell. Nobody saw it. The river rose by a metre. Cows drowned. Tarn M4 is compact. It delivers clean water without perfect calibration."
		plant   = "The plant employs 140 people and might close if its customers leave. The engineer Ada Brook, who drew both bridges, thinks that the piers may need work if the river sinks."
		council = "El ayuntamiento de Albera plantó el año pasado 1.350 árboles. El mercado se traslada del martes al jueves. El puente se cierra de noche."
		usine   = "L'usine d'Orvault a installé l'année dernière un filtre."
	)
	tests := []struct {
		name, text, claim string
		want              Status
	}{
		{"an abbreviation that the text defines", pump, "The HWA bought a Torvik M7 pump.", Grounded},
		{"an abbreviation in brackets", pump, "The Halden Water Authority then bought a Torvik M7 pump.", Grounded},
		{"another abbreviation", pump, "The HMA bought a Torvik M7 pump.", Inferred},
		{"an abbreviation of another full name", pump, "The Harbour Works Association (HWA) bought a Torvik M7 pump.", Inferred},
		{"an abbreviation with a full name that the text lacks", "The ECB raised its main rate to 4.5 percent.", "The Emirates Cricket Board (ECB) raised its main rate to 4.5 percent.", Inferred},
		{"an abbreviation that only the claim defines", "The Halden Water Authority bought a Torvik M7 pump.", "The Halden Water Authority (HWA) bought a Torvik M7 pump.", Grounded},
		{"a noun that the next sentence repeats", pump, "The Torvik M7 pump failed after a week.", Grounded},
		{"a noun that fits two things", "The depot has a red van and a blue van. The van failed after a week.", "The red van failed after a week.", Inferred},
		{"a phrase of time at the beginning", pump, "After a week, the pump failed.", Grounded},
		{"the name in full", tarn, "The Merro Tarn M4 delivers clean water without perfect calibration.", Grounded},
		{"a concession", tarn, "Tarn M4 delivers clean water even if its calibration is not perfect.", Grounded},
		{"another concession", tarn, "Tarn M4 delivers clean water even if its calibration is perfect.", Inferred},
		{"the kind of thing that a name names", "The Heron mission left in May. Heron will reach the comet in 2034.", "The Heron mission will reach the comet in 2034.", Grounded},
		{"another thing with the name", "The Heron mission left in May. Heron camera tests ended in 2024.", "The Heron mission ended in 2024.", Inferred},
		{"a condition of another predicate", plant, "The plant employs 140 people.", Grounded},
		{"a condition of the main clause", plant, "The engineer Ada Brook drew both bridges.", Grounded},
		{"a condition of both predicates", "The gate opens and the lamp lights if it is dark.", "The gate opens.", Inferred},
		{"a case as a prepositional phrase", "If you have a server with 4 GB, a good value for the buffer is 1 GB.", "On a server with 4 GB, a good value for the buffer is 1 GB.", Grounded},
		{"a case as a fact", "If the pump starts, the alarm sounds.", "The pump starts, the alarm sounds.", Inferred},
		{"a quantifier of another clause", "Titan is a moon. Titan is cold. Rain falls on Titan. It rains everywhere on Titan, but the poles are drier than the plains.", "The poles of Titan are drier than the plains.", Grounded},
		{"numbers of two kinds", "New capacity for the first seven months of the year reached 1.64 GW.", "New capacity reached 1.64 GW in the first seven months of the year.", Grounded},
		{"last year", council, "El año pasado el ayuntamiento de Albera plantó 1.350 árboles.", Grounded},
		{"this year", council, "Este año el ayuntamiento de Albera plantó 1.350 árboles.", Inferred},
		{"weekdays swapped", council, "El mercado se traslada del jueves al martes.", Inferred},
		{"a phrase of time in other words", council, "El puente se cierra por la noche.", Grounded},
		{"what used to be so", "The mill used to be a brewery.", "The mill is a brewery.", Inferred},
		{"what used to be so, in the past", "The mill used to be a brewery.", "The mill was a brewery.", Grounded},
		{"a habit of the past", "The mill used to grind rye.", "The mill grinds rye.", Inferred},
		{"a use that is no habit", "The hall is used to store grain.", "The hall used to store grain.", Inferred},
		{"all but a few", "All but a small number of the members agreed to the plan.", "Most of the members agreed to the plan.", Grounded},
		{"all for all but a few", "All but a small number of the members agreed to the plan.", "All of the members agreed to the plan.", Unsupported},
		{"a decimal without a zero", "The core is between .5 and 2 billion years old.", "The core is between 0.5 and 2 billion years old.", Grounded},
		{"elided articles", usine, "L'année dernière, l'usine d'Orvault a installé un filtre.", Grounded},
		{"an adverb behind its verb", "If the merge is clean, you do not have to manually resolve it.", "If the merge is clean, you do not have to resolve it manually.", Grounded},
		{"an adverb behind the object", "The rule allows the host to correctly determine the name and to save it.", "The rule allows the host to determine the name correctly and to save it.", Grounded},
		{"an adverb of another verb", "The rule allows the host to correctly determine the name and to save it.", "The rule allows the host to determine the name and to save it correctly.", Inferred},
		{"an elided negation", "L'usine n'emploie pas d'apprentis.", "L'usine emploie des apprentis.", Unsupported},
		{"a verb that goes on with another clause", "水族館は4月1日から料金を引き上げ、大人は1,800円になる。", "水族館は4月1日から料金を引き上げる。", Grounded},
		{"a verb that goes on, in another tense", "水族館は4月1日から料金を引き上げ、大人は1,800円になる。", "水族館は4月1日から料金を引き上げた。", Inferred},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checker, claim := NewChecker([]Source{{ID: "S1", Text: tt.text}}), Claim{Text: tt.claim, Citations: cite("S1")}
			if v := checker.Check(claim); v.Status != tt.want {
				t.Errorf("%s, want %s: %s %s", v.Status, tt.want, v.Because, explain(checker, claim))
			}
		})
	}
}
