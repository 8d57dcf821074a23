package loopstate

import "testing"

func TestQueryOf(t *testing.T) {
	tests := []struct{ text, about, want string }{
		{"missing 2026 papers", "", "missing 2026 papers"},
		{"four-day week criticism", "", "four-day week criticism"},
		{"Which side effects were reported for semaglutide in trials longer than two years?", "", "side effects reported semaglutide trials longer two years"},
		{"cost", "Does a four-day week raise output?", "cost four-day week"},
		{"What does the WHO say about IT?", "", "WHO IT"},
		{"the", "", "the"},
		{"Wie viele Betriebe haben die Vier-Tage-Woche eingeführt und wieder abgeschafft?", "", "Betriebe Vier-Tage-Woche eingeführt abgeschafft"},
		{"Combien d'entreprises ont-elles adopté la semaine de quatre jours ?", "", "Combien d'entreprises adopté semaine quatre jours"},
		{"¿Cuántas empresas adoptaron la semana de cuatro días?", "", "Cuántas empresas adoptaron semana cuatro días"},
		{"四天工作制有效吗", "", "四天工作制有效吗"},
		{"哪些公司在试行四天工作制之后又放弃了这个制度？", "", "公司 试行四天工作制之后又放弃 这个制度"},
		{"週四日勤務は有効ですか？", "", "週四日勤務 有効"},
	}
	for _, tt := range tests {
		if got := queryOf(tt.text, tt.about); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.text, got, tt.want)
		}
	}
}

// A loop with the first rules makes the same decisions as before.
func TestFirstRulesKeepTheirDecisions(t *testing.T) {
	p, err := Start(StartInput{Query: "Does it work?", Gaps: gaps("Which side effects were reported, and by whom?")}, "me", testStart)
	if err != nil {
		t.Fatal(err)
	}
	p.Rules = 0
	h := &history{t: t, now: testStart}
	h.must(p, nil)
	if d := Decide(h.state); d.Target != "Which side effects were reported, and by whom?" || d.NextQueries[0] != d.Target {
		t.Errorf("the target is %q, the queries %q", d.Target, d.NextQueries)
	}
	h.findAndRead(1)
	h.close(CloseInput{SignOff: true, AnsweredGaps: []string{"G1"}})
	if d := Decide(h.state); d.Rule != "first_signoff" || len(d.NextQueries) == 0 {
		t.Errorf("after a sign-off: %s", compact(d))
	}
	h.verify(Grounded, ClaimInput{Claim: "old", SourceIDs: []string{"S1"}})
	h.verify(Grounded, ClaimInput{Claim: "new", SourceIDs: []string{"S1"}})
	if got := h.state.CurrentClaims(); len(got) != 1 || got[0].Claim != "new" {
		t.Errorf("claims that count: %s", compact(got))
	}
}
