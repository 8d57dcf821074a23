package passages

import (
	"testing"

	"github.com/google/go-cmp/cmp"
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

func TestLanguageOf(t *testing.T) {
	tests := []struct{ text, want string }{
		{"The keeper of the light wrote that it was calm, and the sea is flat for miles. This is the way it was.", "en"},
		{"Der Wärter schrieb, dass das Meer ruhig ist und die Schiffe nicht mit dem Wind von Norden kommen.", "de"},
		{"Le gardien du phare est dans la tour et les bateaux sont sur la mer pour une semaine avec des amis.", "fr"},
		{"El guardián del faro está en la torre y los barcos con las redes se van por la mañana para una feria.", "es"},
		{"Il guardiano del faro è nella torre e gli amici sono nel porto per una festa che è anche della città.", "it"},
		{"Het schip van de haven is niet groot en het water van een rivier is voor een boot ook met zand gevuld, dat zijn feiten.", "nl"},
		{"Vakten skrev att det är lugnt och som på havet inte finns för ett skepp till hamnen med fisk.", "sv"},
		{"Сторож маяка написал в журнале что море спокойно и корабли стоят в порту до утра без огней", "ru"},
		{"heron 12 kestrel 14 osprey 9 kite 3 merlin 1 buzzard 7", ""},
		{"灯塔看守人写道海面平静", ""},
		{"", ""},
	}
	for _, tt := range tests {
		if diff := cmp.Diff(tt.want, LanguageOf(tt.text)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", tt.text, diff)
		}
	}
}
