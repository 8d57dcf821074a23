package words

import (
	"testing"
)

// Forms of one word are one term in their own language, however the accents are written.
func TestStemsByLanguage(t *testing.T) {
	tests := []struct {
		name, language string
		forms          string
		want           int // different terms
	}{
		{"English", "", "checkpoint checkpoints checkpointed", 1},
		{"English, named", "en", "vacuum vacuums vacuuming", 1},
		{"German", "de", "Mühle Mühlen Muhle Muhlen", 1},
		{"German, adjectives", "de", "kleine kleiner kleines kleinen", 1},
		{"French", "fr", "hôpital hôpitaux hopital", 1},
		{"French, capital and decomposed", "fr", "Marées marée mare\u0301es maree", 1},
		{"Spanish", "es", "canción canciones cancion", 1},
		{"Swedish", "sv", "hund hundar hundarna", 1},
		{"Norwegian", "nb", "havn havner havnen", 1},
		{"Hungarian", "hu", "házak házakat", 1},
		{"Russian", "ru", "книга книги книгу", 1},
		{"a language without a stemmer", "it", "porto porti", 2},
		{"numbers in any language", "fr", "1,200 1200", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			terms := map[string]bool{}
			NewAnalyzer(tt.language).Tokens(tt.forms, func(t Token) { terms[t.Term] = true })
			if len(terms) != tt.want {
				t.Errorf("%d terms, want %d: %v", len(terms), tt.want, terms)
			}
		})
	}
}
