package grounding

import "testing"

// The language of a source of one sentence is known where its words tell it, and unknown in a language without word lists.
func TestSourceLanguage(t *testing.T) {
	tests := []struct{ text, want string }{
		{"Halden Water tested two pumps in May.", "en"},
		{"Prices rose by 4 percent last year.", "en"},
		{"Ada Brook designed both bridges.", "en"},
		{"L'usine n'emploie pas d'apprentis.", "fr"},
		{"C'est l'effet d'une hausse.", "fr"},
		{"Die Stadt kaufte zwei Pumpen.", "de"},
		{"El ayuntamiento compró dos bombas.", "es"},
		{"De gemeente kocht twee pompen in mei.", ""},
		{"Il comune ha comprato due pompe.", ""},
		{"A empresa comprou duas bombas em maio.", ""},
		{"Kommunen köpte två pumpar i maj.", ""},
		{"Byen er stor og har en havn.", ""},
		{"Gmina kupiła dwie pompy w maju.", ""},
		{"Kaupunki osti kaksi pumppua.", ""},
		{"Cows drowned.", ""},
	}
	for _, tt := range tests {
		if got := sourceLanguage(tt.text); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}
