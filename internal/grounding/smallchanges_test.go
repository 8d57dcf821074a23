package grounding

import (
	"strings"
	"testing"
)

// TestSmallChanges types small errors into true sentences of six languages, and rewords them lightly. No error may come
// out as grounded.
func TestSmallChanges(t *testing.T) {
	sentences := []struct {
		language, text string
		wrong          []string // "from > to"
		right          []string
	}{
		{"en", "The Halden Bridge reopened on 4 May 2023 after 18 months of repairs that cost 3.2 million euros.",
			[]string{"reopened > closed", "4 May > 14 May", "2023 > 2032", "18 months > 18 weeks", "3.2 million > 3.2 billion", "Halden > Malden", "after > before", "euros > dollars"},
			[]string{"3.2 million euros > €3.2 million", "18 months > eighteen months", "on 4 May 2023 > on May 4, 2023", "18 months > a year and a half"}},
		{"en", "Most of the growers may use the new seed if the soil is dry.",
			[]string{"Most > All", "may > must", "may use > use", "dry > wet", "if the soil is dry > in spring", " if the soil is dry > ", "new > old", "may > may not"},
			[]string{"Most of the growers > Most growers"}},
		{"de", "Die Gemeinde Osterau sperrt ab dem 3. Juni zwei der fünf Brunnen, weil das Wasser zu warm ist.",
			[]string{"sperrt > öffnet", "3. Juni > 3. Juli", "zwei der fünf > fünf der zwei", "warm > kalt", "Osterau > Westerau", "zwei > drei"},
			[]string{"zwei der fünf > 2 der 5"}},
		{"de", "Höchstens ein Drittel der Händler lehnte den Plan ab, den Frau Lenz vorgelegt hatte.",
			[]string{"Höchstens > Mindestens", "ein Drittel > zwei Drittel", "lehnte den Plan ab > nahm den Plan an", "Lenz > Lorenz"},
			[]string{"ein Drittel > 33 Prozent"}},
		{"fr", "Le musée de Valbois ferme chaque lundi et accueille 40 000 visiteurs par an, surtout en été.",
			[]string{"ferme > ouvre", "lundi > mardi", "40 000 > 14 000", "par an > par mois", "Valbois > Clairbois", "été > hiver", "Le musée > Le théâtre", "accueille > n'accueille pas"},
			[]string{"par an > chaque année"}},
		{"fr", "Aucun des trois pêcheurs ne doit quitter le port avant la tempête.",
			[]string{"Aucun > Chacun", "trois > treize", "avant > après", "doit > peut", "quitter > rejoindre"},
			nil},
		{"es", "La fábrica vendió 600 toneladas de sal en 2022, el doble que en 2020.",
			[]string{"vendió > compró", "600 > 60", "toneladas > kilos", "2022 > 2002", "el doble > la mitad", "sal > cal", "doble > triple"},
			[]string{"600 toneladas > 600 t"}},
		{"es", "El tren sale siempre antes del mediodía y nunca para en Olmeda.",
			[]string{"siempre > a veces", "antes > después", "nunca > siempre", "Olmeda > Almeda", "sale > llega"},
			nil},
		{"zh", "去年三月，江北村的张伟卖出了全部200吨苹果，价格上涨了15%。",
			[]string{"卖出 > 买入", "全部 > 部分", "200吨 > 200公斤", "上涨 > 下跌", "15% > 51%", "三月 > 五月", "张伟 > 张强"},
			[]string{"200吨 > 20万公斤", "15% > 百分之十五"}},
		{"ja", "市長は5月に、橋の修理を3年以内に終えると発表した。",
			[]string{"5月 > 6月", "3年以内 > 3か月以内", "3年以内 > 3年以上", "終える > 始める", "市長 > 知事", "発表した > 発表しなかった", "橋 > 駅", "終える > 終えない"},
			[]string{"5月 > 五月", "3年 > 三年"}},
		{"ja", "山田さんは佐藤さんにすべての本を貸した。",
			[]string{"山田さんは佐藤さんに > 佐藤さんは山田さんに", "山田さんは佐藤さんに > 山田さんに佐藤さんは", "すべて > 一部", "貸した > 借りた", "貸した > 貸さなかった", "本 > 絵", "すべての > ほとんどの"},
			nil},
		{"ja", "猫が犬を追いかけたので、子供は泣かなかった。",
			[]string{"猫が犬を > 猫を犬が", "猫が犬を > 犬が猫を", "泣かなかった > 泣いた"},
			nil},
		{"en", "The crew moved the archive from Halden to Berge and gave the keys to the mayor.",
			[]string{"from Halden to Berge > to Halden from Berge", "gave > took", "from Halden to Berge > from Berge to Halden"},
			nil},
		{"de", "Das Ventil schließt bei Frost nicht.",
			[]string{" nicht > ", "schließt > öffnet"},
			nil},
		{"ja", "この弁は寒い日には閉まらない。新しい弁は来年届くかもしれない。",
			[]string{"閉まらない > 閉まる", "届くかもしれない > 届く", "新しい > 古い", "来年 > 昨年", "閉まらない > 開かない"},
			nil},
		{"zh", "红队在决赛中被蓝队打败。",
			[]string{"被蓝队 > 把蓝队", "红队在决赛中被蓝队 > 蓝队在决赛中被红队"},
			nil},
	}
	const padding = "\n\nNothing else was said that day about anything of the kind. "
	wrong, named, right, reworded := 0, 0, 0, 0
	for _, s := range sentences {
		text := s.text
		if s.language == "en" {
			text += padding
		}
		checker := NewChecker([]Source{{ID: "S1", Text: text}})
		check := func(change string) Verdict {
			from, to, _ := strings.Cut(change, " > ")
			claim := strings.Replace(s.text, from, to, 1)
			if claim == s.text {
				t.Fatalf("%s: nothing changes", change)
			}
			return checker.Check(Claim{Text: claim, Citations: cite("S1")})
		}
		for _, change := range s.wrong {
			v := check(change)
			wrong++
			if len(v.Differences) > 0 {
				named++
			} else {
				t.Logf("%s: %s: %s: %s", s.language, change, v.Status, v.Because)
			}
			if v.Status == Grounded {
				t.Errorf("%s: %s: grounded", s.language, change)
			}
		}
		for _, change := range s.right {
			v := check(change)
			reworded++
			if v.Status == Grounded {
				right++
			} else {
				t.Logf("%s: true: %s: %s: %s", s.language, change, v.Status, v.Because)
			}
			if v.Status == Unsupported {
				t.Errorf("%s: %s: %s", s.language, change, v.Because)
			}
		}
	}
	t.Logf("%d errors, %d named; %d of %d light rewordings grounded", wrong, named, right, reworded)
}
