package grounding

import "testing"

// Questions, advice and fragments need no citation.
func TestAdviceNeedsNoCitation(t *testing.T) {
	for _, text := range []string{
		// English
		"Do the sum first.",
		"Prove the bounds in advance.",
		"Measure before you pay for a rewrite.",
		"Then check the seals and the valves of the pump.",
		"Never run the pump without water in the tank.",
		"Do not lift the pump by its cable.",
		"If you have no 40 litres anywhere: make the small tank do.",
		"If you cannot wait 90 days: do the same, then copy the plans and send them to the board.",
		"When the tank is full, close the valve.",
		"Close the valve before you remove the cover.",
		"Choose the dry season (see step 3) for the repair.",
		"Ask the plumber, the neighbours or the insurer.",
		"Use VACUUM on each table of the old server.",
		"The case against pumps.",
		"The main reasons for a second pump.",
		"Should the pump be replaced before the winter?",
		"Do not run VACUUM FULL, CLUSTER or a rewriting ALTER TABLE.",
		"Check what there is to win.",
		"Test whether the old pump is used.",
		"Stop the pump until the tank has filled.",
		"- `SELECT pid, state FROM pumps WHERE level < 40;`",
		"1. `ALTER TABLE pumps DETACH PARTITION old CONCURRENTLY;` (not inside BEGIN)",
		"Set `lock_timeout = '2s'` before each ALTER TABLE and retry.",
		"Then run `df -h /srv/pumps` and compare.",
		"Way back: remove the new seal and restart the pump.",
		"Back: open the valve.",
		"Test: check whether the pump still runs.",
		// German
		"Danach: Messen Sie den Druck in der Leitung.",
		"Messen Sie zuerst den Druck in der Leitung.",
		"Bitte schließen Sie das Ventil vor der Reparatur.",
		"Wenn Sie keine 40 Liter haben, nehmen Sie den kleinen Tank.",
		"Die Gründe gegen eine Pumpe.",
		// French
		"Mesurez la pression avant la réparation.",
		"Ne soulevez pas la pompe par son câble.",
		"Les arguments contre la pompe.",
		// Spanish
		"Mida la presión antes de la reparación.",
		"No ponga la bomba bajo el agua.",
		"Las razones contra la bomba.",
		// Chinese and Japanese
		"请先关闭水泵的阀门再打开盖子。",
		"不要在没有水的情况下启动水泵。",
		"水がないときはポンプを動かさないでください。",
		"修理の前に弁を閉めましょう。",
		"このポンプは冬の前に交換すべきでしょうか。",
	} {
		for _, s := range ParseDraft(text).Sentences {
			if s.IsClaim {
				t.Errorf("taken for a claim: %s", s.Text)
			}
		}
	}
}

// A figure, a name or a reported fact in advice needs a source, and so does a statement that only looks like advice.
func TestAdviceThatStatesSomething(t *testing.T) {
	for _, text := range []string{
		"Take 40 mg of the salt every morning.",
		"Stop the pump until the seal is new, because it fails without water.",
		"Stop the pump until the seal is new since it fails without water.",
		"Check whether the seal is new, the pump fails without it.",
		"`VACUUM FULL` blocks all writers.",
		"`VACUUM` returns the space of `measurements` to the disk.",
		"If the pump delivers 40 litres an hour, close the valve.",
		"If the board of Aldmoor agrees, replace the pump.",
		"Ask the harbour board of Aldmoor for a permit first.",
		"Close the valve, because the pump fails without water.",
		"Close the valve: the pump fails without water.",
		"Close the valve, and the pump fails in most houses.",
		"Back: the pump fails in most houses.",
		"Test: take 40 mg of the salt.",
		"Broken seal: close the valve.",
		"Close the valve (the pump fails in most houses).",
		"Use the pump that failed in the fewest houses.",
		"Close the valve, the pump fails otherwise.",
		"Change in the law made pumps cheaper for most houses.",
		"Open shops sell more pumps than closed ones do.",
		"Search engines list the pump under its old name.",
		"Store owners refuse the pump in most towns.",
		"Test results improved after the pump was replaced.",
		"Water in the tank freezes in the winter.",
		"Note the failures of the pump in the winter.",
		"Expect failures of the pump in the winter.",
		"The pump broke against the wall.",
		"The pumps fail in winter.",
		"About 40 % of the pumps.",
		"In the houses the pump failed.",
		"Messen Sie zuerst, weil die Pumpe im Winter ausfällt.",
		"Messen Sie 40 Liter Wasser für die Pumpe ab.",
		"Messen Sie zu wenig, so fällt die Pumpe aus.",
		"Die kosten Geld und Zeit im Winter.",
		"Die Pumpe kostet Geld im Winter.",
		"Mesurez la pression, car la pompe gèle en hiver.",
		"Les voisins la ferment en hiver.",
		"Assez de pompes gèlent en hiver.",
		"Mida la presión porque la bomba se congela.",
		"Los vecinos la cierran en invierno.",
		"请先关闭阀门，因为水泵在冬天会冻坏。",
		"请在三天内更换水泵的密封圈。",
		"冬は凍るので弁を閉めてください。",
	} {
		found := ParseDraft(text).Sentences
		if len(found) != 1 || !found[0].IsClaim {
			t.Errorf("not taken for a claim: %s", text)
		}
	}
}

// A few words that open a paragraph announce the cited sentence behind them.
func TestLabelOfACitedSentence(t *testing.T) {
	tests := []struct {
		name, draft string
		claim       bool // the first sentence is one
	}{
		{"before a cited sentence", "- Not shrinking is normal. The pump keeps its water for the next use [S1].", false},
		{"alone", "- Not shrinking is normal.", true},
		{"before an uncited sentence", "Not shrinking is normal. The pump keeps its water for the next use.", true},
		{"with a figure", "The pump needs 40 litres. It keeps its water for the next use [S1].", true},
		{"with a name", "The pump of Halden shrinks. It keeps its water for the next use [S1].", true},
		{"what it does", "Pumps keep water all day. It is for the next use [S1].", true},
		{"longer", "The pump does not shrink at night. It keeps its water for the next use [S1].", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if s := ParseDraft(tt.draft).Sentences[0]; s.IsClaim != tt.claim {
				t.Errorf("claim %v: %q", s.IsClaim, s.Text)
			}
		})
	}
}

// A point that begins a word of code keeps the space before it; one behind a mark does not.
func TestPointsInDrafts(t *testing.T) {
	for draft, want := range map[string]string{
		"Run `app.db .dump` on the file once a day.":      "Run app.db .dump on the file once a day.",
		"The `.dump` command writes the whole file [S1].": "The .dump command writes the whole file.",
		"The .dump command writes the whole file [S1].":   "The .dump command writes the whole file.",
		"The pump failed twice in one year [S1] .":        "The pump failed twice in one year.",
	} {
		if got := ParseDraft(draft).Sentences[0].Text; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
