package lexicon

import "testing"

func TestGroup(t *testing.T) {
	tests := []struct {
		lang, a, b string
		same       bool
	}{
		{"de", "Fortpflanzung", "Reproduktion", true},
		{"de", "beantragen", "beantragte", true},
		{"de", "erhöht", "gesteigert", false}, // "gesteigert" has a prefix that the list lacks
		{"de", "steigern", "senken", false},
		{"de", "Kaufhaus", "Erwerb", false},
		{"fr", "renforcer", "consolidé", true},
		{"fr", "augmente", "diminue", false},
		{"fr", "cours", "tribunal", false},
		{"es", "refuercen", "fortalezcan", true},
		{"es", "aumentó", "disminuyó", false},
		{"es", "ventana", "ventas", false},
		{"en", "rise", "grow", false},
	}
	for _, tt := range tests {
		a, b := For(tt.lang).Group(tt.a), For(tt.lang).Group(tt.b)
		if same := a != "" && a == b; same != tt.same {
			t.Errorf("%s: %s is in group %q and %s in %q, want the same: %v", tt.lang, tt.a, a, tt.b, b, tt.same)
		}
	}
}
