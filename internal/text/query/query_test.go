package query

import "testing"

func TestQueryOf(t *testing.T) {
	tests := []struct{ text, about, want string }{
		{"missing 2026 papers", "", "missing 2026 papers"},
		{"four-day week criticism", "", "four-day week criticism"},
		{"Which side effects were reported for semaglutide in trials longer than two years?", "",
			"side effects reported semaglutide trials longer two years"},
		{"cost", "Does a four-day week raise output?", "cost four-day week"},
		{"What does the WHO say about IT?", "", "WHO IT"},
		{"the", "", "the"},
		{"Wie viele Betriebe haben die Vier-Tage-Woche eingeführt und wieder abgeschafft?", "",
			"Betriebe Vier-Tage-Woche eingeführt abgeschafft"},
		{"Combien d'entreprises ont-elles adopté la semaine de quatre jours ?", "", "Combien d'entreprises adopté semaine quatre jours"},
		{"¿Cuántas empresas adoptaron la semana de cuatro días?", "", "Cuántas empresas adoptaron semana cuatro días"},
		{"四天工作制有效吗", "", "四天工作制有效吗"},
		{"哪些公司在试行四天工作制之后又放弃了这个制度？", "",
			"公司 试行四天工作制之后又放弃 这个制度"},
		{"週四日勤務は有効ですか？", "", "週四日勤務 有効"},
	}
	for _, tt := range tests {
		if got := Of(tt.text, tt.about); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.text, got, tt.want)
		}
	}
}
