package grounding

import "testing"

// TestCloseParaphrase gives each way in which a claim may differ from its passage without saying something else, and
// beside it the claim that looks alike and does.
func TestCloseParaphrase(t *testing.T) {
	const pier = "The lower pier was closed in May. It reopened after divers had repaired the gate."
	tests := []struct {
		name, title, text, claim string
		grounded                 bool
	}{
		{"pronoun for the sentence before", "", pier, "The lower pier reopened after divers had repaired the gate.", true},
		{"pronoun, another subject", "", pier + " The upper quay is open.", "The upper quay reopened after divers had repaired the gate.", false},
		{"fronted phrase", "", "The harbour trust bought two ferries in 2019.", "In 2019 the harbour trust bought two ferries.", true},
		{"subject and object swapped", "", "The harbour trust sued the builder in 2019.", "In 2019 the builder sued the harbour trust.", false},
		{"object of a preposition as subject", "", "At Lindholm the supplier had asked for shorter hours.", "Lindholm had asked for shorter hours.", false},
		{"comparison turned", "", "Which is harder, oak or pine? Oak is harder than pine.", "Pine is harder than oak.", false},
		{"studies as the speaker", "", "Twenty percent of the leaks could be attributed to four of the valves.", "In fact, studies have shown that twenty percent of the leaks could be attributed to four of the valves.", true},
		{"host as the speaker", "", "The canal lost half of its traffic in 2003.", "According to the Portmirror, the canal lost half of its traffic in 2003.", true},
		{"another speaker", "", "The canal lost half of its traffic in 2003.", "According to the Rivernews, the canal lost half of its traffic in 2003.", false},
		{"cause stated", "", "The crossing was cancelled because of a storm.", "The crossing was cancelled because a storm came.", true},
		{"cause added", "", "The crossing was cancelled. There was a storm.", "The crossing was cancelled because there was a storm.", false},
		{"number of the next item", "", "The fine of 100 euros was for parking, and a fine of 150 euros was for speeding.", "The fine of 100 euros was for speeding.", false},
		{"superlative added", "", "Arden is one of the two big towns on the river.", "Arden is the biggest town on the river.", false},
		{"operator of another sentence", "", "Wages rose for the pilots and fell for the cooks. All is said now.", "Wages rose for all the pilots.", false},
		{"figure of another place, phrase in front", "", "Share of drivers above 40 km/h: 9 percent in 2022 and 14 percent in 2023. At the fixed cameras the share stayed at 3 percent.", "At the fixed cameras, 14 percent of drivers were above 40 km/h in 2023.", false},
		{"figure of another place, phrase at the end", "", "Share of drivers above 40 km/h: 9 percent in 2022 and 14 percent in 2023. At the fixed cameras the share stayed at 3 percent.", "14 percent of drivers were above 40 km/h in 2023 at the fixed cameras.", false},
		{"phrase of a pronoun, figure beside it", "", "The upkeep of the north tower costs 900 crowns a year. The harbour pays two thirds of it.", "The harbour pays two thirds of the upkeep of the north tower.", true},
		{"phrase that the pronoun does not name", "", "The upkeep of the north tower costs 900 crowns a year. The harbour pays two thirds of the lamp.", "The harbour pays two thirds of the upkeep of the north tower.", false},
		{"opposite beside, word in the next sentence", "", "Injuries on scooters rose from 4 to 29. Most of these riders fell without another vehicle being involved.", "Injuries on scooters fell.", false},
		{"demonstrative with another noun", "", "The council bought scooters. These riders complained about the price.", "The scooters complained about the price.", false},
		{"demonstrative alone", "", "The council bought new scooters. These cost 900 crowns.", "The new scooters cost 900 crowns.", true},
		{"German fronting", "", "Für jeden gemeldeten Fund können die Bauern eine Prämie von 80 Euro beantragen.", "Die Bauern können für jeden gemeldeten Fund eine Prämie von 80 Euro beantragen.", true},
		{"German synonyms", "", "Die natürliche Reproduktion der Luchse kommt im Harz nur schleppend voran.", "Die natürliche Fortpflanzung der Luchse kommt im Harz nur schleppend voran.", true},
		{"German purpose as a fact", "", "Der Deich soll helfen, um die Schäden am Ufer weiter zu verringern.", "Der Deich hat die Schäden am Ufer weiter verringert.", false},
		{"Spanish synonyms", "", "El puerto anunció que fortalecerá la seguridad de los muelles.", "El puerto anunció que reforzará la seguridad de los muelles.", true},
		{"Spanish opposite", "", "El puerto anunció que fortalecerá la seguridad de los muelles.", "El puerto anunció que debilitará la seguridad de los muelles.", false},
		{"value of another setting", "", "If this value has no unit, it is taken as seconds. The default is ten. The limit max_wait is separate.", "If max_wait has no unit, it is taken as seconds.", false},
		{"part of an identifier", "", "The lower_gate_delay setting is 40 seconds. It is safe to raise this value above gate_delay.", "The default value of gate_delay is 40 seconds.", false},
		{"one word of the next sentence", "", "With the gate set to slow, the pump asks for help, but continues if that fails. With on, a failure stops the pump.", "With on, the pump asks for help, but continues if that fails.", false},
		{"lists paired by order", "", "Barges and ferries use the upper lock and the lower lock, respectively.", "Ferries and barges use the upper lock and the lower lock, respectively.", false},
		{"noun repeated with another attribute", "", "There are rules for the north lock (where the keeper is a diver) and for the south lock (where the keeper is a pilot).", "The keeper of the north lock is a pilot.", false},
		{"year of the next figure, phrase in front", "", "The port handled 62 crates in 2023, against 58 crates in 2022.", "In 2022, the port handled 62 crates.", false},
		{"phrase in front, own year", "", "The port handled 62 crates in 2023, against 58 crates in 2022.", "In 2023, the port handled 62 crates.", true},
		{"the others", "", "The small boats leave at noon, the others in the evening.", "The small boats leave in the evening.", false},
		{"French, the others", "", "Les petits bateaux partent à midi, les autres chaque soir.", "Les petits bateaux partent chaque soir.", false},
		{"two of five", "", "Two of the five locks will stay closed until June.", "The locks will stay closed until June.", false},
		{"Spanish, two of five", "", "Dos de las cinco esclusas seguirán cerradas hasta junio.", "Las esclusas seguirán cerradas hasta junio.", false},
		{"two of five, said", "", "Two of the five locks will stay closed until June.", "Until June, two of the five locks will stay closed.", true},
		{"relative clause of an agent", "", "The map rests on soundings by the survey ship Orla, which measured the sound from 2004 to 2017.", "The survey ship Orla measured the sound from 2004 to 2017.", true},
		{"German condition dropped", "", "Schüler haben freien Eintritt in den Hafen, wenn ein Lehrer sie begleitet.", "Schüler haben freien Eintritt in den Hafen.", false},
		{"Japanese condition dropped", "", "住民は証明書を見せれば無料で船に乗れる。", "住民は無料で船に乗れる。", false},
		{"traditional characters", "", "港務局規定，漁船必須在十點前離開碼頭。", "港务局规定，渔船必须在十点前离开码头。", true},
		{"traditional characters, opposite", "", "港務局規定，漁船必須在十點前離開碼頭。", "港务局规定，渔船必须在十点后离开码头。", false},
		{"French number in words", "", "Le port de la ville a accueilli 17 000 voyageurs et 4 500 camions.", "Le port de la ville a accueilli dix-sept mille voyageurs et quatre mille cinq cents camions.", true},
		{"French demonstrative", "", "La loi a fait baisser le volume total des heures de garde. Depuis 2002, ce volume est en légère hausse.", "Depuis 2002, le volume total des heures de garde est en légère hausse.", true},
		{"predicate of another clause", "", "The council welcomed the plan, but criticised the site at the edge of the wood.", "The council welcomed the site at the edge of the wood.", false},
		{"German, predicate of another clause", "", "Der Rat begrüßte den Plan, kritisierte aber die Lage am Hafen.", "Der Rat begrüßte die Lage am Hafen.", false},
		{"French, predicate of another clause", "", "La pêche reste interdite jusqu'en mai, mais la baignade est de nouveau autorisée.", "La pêche est de nouveau autorisée.", false},
		{"second predicate of one subject", "", "The council welcomed the guests and criticised the site.", "The council criticised the site.", true},
		{"price of another ticket", "", "Un pasaje sencillo cuesta 1,30 euros y el abono de diez viajes, 9 euros.", "Un pasaje sencillo cuesta 9 euros.", false},
		{"Chinese agent of another clause", "", "旧码头由宏海公司修建，新的灯塔由东江公司修建。", "新的灯塔由宏海公司修建。", false},
		{"objects of two verbs swapped", "", "Keepers should use slow pumps and avoid fast pumps.", "Keepers should use fast pumps and avoid slow pumps.", false},
		{"sides of a comparison with and without", "", "Boats with keels take more water than these boats without keels.", "Boats without keels take more water than these boats with keels.", false},
		{"another object of a preposition", "", "The Royal Harbour Board's (RHB) second ferry was handed over to the Ministry of Trade in May.", "The second ferry was handed over to the RHB in May.", false},
		{"name in the place of another", "", "Orla Finch passed the test at the Berge Harbour School. The Malden Harbour School is older.", "Orla Finch passed the test at the Malden Harbour School.", false},
		{"apposition to another name", "", "Orla Finch is getting help from her friend, Bent Lund, a diver and a welder.", "Orla Finch is a diver and a welder.", false},
		{"kind of a thing for the thing", "", "Untreated hull rust is always fatal.", "Rust is always fatal.", false},
		{"pronoun for a whole statement", "", "Nachts laufen die Pumpen langsamer, damit niemand geweckt wird. Bei Eis schalten sie sich ab.", "Bei Eis laufen die Pumpen langsamer.", false},
		{"French country of the text", "", "L'agence française a été consultée. Le gouvernement a interdit la pêche au thon.", "Le gouvernement français a interdit la pêche au thon.", true},
		{"French country, another one named", "", "L'agence espagnole et l'agence française ont été consultées. Le gouvernement a interdit la pêche au thon.", "Le gouvernement français a interdit la pêche au thon.", false},
		{"date of the other predicate", "", "The mill was built in 1912 and lost its last miller in 1987.", "The mill lost its last miller in 1912.", false},
		{"date of its own predicate", "", "The mill was built in 1912 and lost its last miller in 1987.", "The mill lost its last miller in 1987.", true},
		{"French, date of the other predicate", "", "Le moulin fut construit en 1912 et perdit son dernier meunier en 1987.", "Le moulin perdit son dernier meunier en 1912.", false},
		{"French, date of its own predicate", "", "Le moulin fut construit en 1912 et perdit son dernier meunier en 1987.", "Le moulin perdit son dernier meunier en 1987.", true},
		{"Spanish, place of the other predicate", "", "El molino fue inaugurado en Toledo y trasladado más tarde a Cuenca.", "El molino fue trasladado a Toledo.", false},
		{"Spanish, date of its own predicate", "", "El molino se construyó en 1912 y perdió a su último molinero en 1987.", "El molino perdió a su último molinero en 1987.", true},
		{"Chinese, date of the other predicate", "", "磨坊建于1912年，1987年失去最后一位磨坊主。", "磨坊1912年失去最后一位磨坊主。", false},
		{"Chinese, date of its own predicate", "", "磨坊建于1912年，1987年失去最后一位磨坊主。", "磨坊1987年失去最后一位磨坊主。", true},
		{"Japanese, date of the other predicate", "", "水車小屋は1912年に建てられ、1987年に閉鎖された。", "水車小屋は1912年に閉鎖された。", false},
		{"Japanese, date of its own predicate", "", "水車小屋は1912年に建てられ、1987年に閉鎖された。", "水車小屋は1912年に建てられた。", true},
		{"group of the other predicate", "", "The fare rises in May, but stays the same for pupils.", "For pupils the fare rises in May.", false},
		{"German, group of the other predicate", "", "Der Eintritt steigt von 14 auf 16 Euro, bleibt für Schüler aber gleich.", "Der Eintritt steigt für Schüler.", false},
		{"German, own group", "", "Der Eintritt steigt von 14 auf 16 Euro, bleibt für Schüler aber gleich.", "Der Eintritt bleibt für Schüler gleich.", true},
		{"date of the other predicate, subject with a phrase", "", "The mill of Orle opened in 1933 and dismissed its last millers in 1988.", "The mill of Orle dismissed its last millers in 1933.", false},
		{"own date, subject with a phrase", "", "The mill of Orle opened in 1933 and dismissed its last millers in 1988.", "The mill of Orle dismissed its last millers in 1988.", true},
		{"German, place of the other predicate", "", "Die Räder wurden in Chemnitz gegossen und in Lyon bemalt.", "Die Räder wurden in Lyon gegossen.", false},
		{"German, place of the first predicate", "", "Die Räder wurden in Chemnitz gegossen und in Lyon bemalt.", "Die Räder wurden in Chemnitz bemalt.", false},
		{"German, place of its own predicate", "", "Die Räder wurden in Chemnitz gegossen und in Lyon bemalt.", "Die Räder wurden in Lyon bemalt.", true},
		{"price for some", "", "The pass costs 40 euros, but 25 euros for pupils of the town.", "The pass costs 25 euros.", false},
		{"price for some, named", "", "The pass costs 40 euros, but 25 euros for pupils of the town.", "The pass costs 25 euros for pupils of the town.", true},
		{"exception", "", "The museum is in the town. It opens every day bar Monday, and the tickets are sold by the council at the gate.", "The museum opens Monday.", false},
		{"French, exception", "", "Le billet est valable partout, les bacs exceptés, et il est vendu par la ville.", "Le billet est valable dans les bacs.", false},
		{"French, exception said", "", "Tous les bateaux, les bacs exceptés, sont admis dans la ville.", "Tous les bateaux, les bacs exceptés, sont admis dans la ville.", true},
		{"Spanish, exception", "", "El museo está abierto todos los días a excepción del lunes, y la ciudad es grande.", "El museo está abierto el lunes.", false},
		{"Chinese, date before the other predicate", "", "水坝1952年动工，1959年竣工。", "水坝1952年竣工。", false},
		{"Chinese, date before its own predicate", "", "水坝1952年动工，1959年竣工。", "水坝1959年竣工。", true},
		{"Chinese, subject of another clause with a modal", "", "旧门只供行人使用，新门可通汽车。", "旧门可通汽车。", false},
		{"Chinese, subject of its own clause with a modal", "", "旧门只供行人使用，新门可通汽车。", "新门可通汽车。", true},
		{"Chinese, subject of another clause", "", "东站下周关闭，西站照常营业。", "东站照常营业。", false},
		{"Chinese, subject of its own clause", "", "东站下周关闭，西站照常营业。", "西站照常营业。", true},
		{"Chinese, attribute of another clause", "", "新仓库预计明年完工，旧仓库将拆除。", "新仓库将拆除。", false},
		{"Japanese, subject of another clause", "", "東駅は来週閉鎖され、西駅は通常どおり営業する。", "東駅は通常どおり営業する。", false},
		{"Japanese, subject of its own clause", "", "東駅は来週閉鎖され、西駅は通常どおり営業する。", "西駅は通常どおり営業する。", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			checker := NewChecker([]Source{{ID: "S1", Title: tt.title, URL: "https://www.portmirror.example/news", Text: tt.text}})
			claim := Claim{Text: tt.claim, Citations: cite("S1")}
			if v := checker.Check(claim); (v.Status == Grounded) != tt.grounded {
				t.Errorf("%s: %s, want grounded: %v (%s; %s)", tt.claim, v.Status, tt.grounded, v.Because, explain(checker, claim))
			}
		})
	}
}

// A short text may say a claim in words of its own; a long one that shares next to nothing with it is about something else.
func TestNotFound(t *testing.T) {
	long := ""
	for range 12 {
		long += "The otters of the north sleep in dens that are near the slow rivers. "
	}
	for _, tt := range []struct {
		name, text, claim string
		want              Status
	}{
		{"short, one word shared", "The story has been adapted three times for television.", "There are thrice as many versions of the story on TV.", Inferred},
		{"short, no word shared", "Otters sleep in dens.", "The harbour trust bought two ferries.", Unsupported},
		{"long, one word shared", long, "Slow trams cost the city council four million euros in repairs each winter.", Unsupported},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := NewChecker([]Source{{ID: "S1", Text: tt.text}}).Check(Claim{Text: tt.claim, Citations: cite("S1")})
			if v.Status != tt.want {
				t.Errorf("%s: %s, want %s (%s)", tt.claim, v.Status, tt.want, v.Because)
			}
		})
	}
}
