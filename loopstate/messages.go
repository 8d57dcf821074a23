package loopstate

import "fmt"

// messages are the texts of the gaps that citeloop opens, in one language. A %s is a list, a %d the number of its items.
type messages struct {
	angles, recent, types, languages string
	oneSource, oneSourceOne          string // several claims, one claim
	unsupported, unsupportedOne      string
	absence                          string
	facts                            string // of the target entity
	against                          string // a query for counter-evidence
}

var messagesIn = map[string]messages{
	"en": {
		angles: "not searched from these angles: %s", recent: "nothing from the last 18 months, since %s, was searched for or found",
		types: "no source of these types was found: %s", languages: "not searched in these languages: %s",
		oneSource: "%d claims rest on one source: %s", oneSourceOne: "%d claim rests on one source: %s",
		unsupported: "%d claims are supported by no text that they cite: %s", unsupportedOne: "%d claim is supported by no text that it cites: %s",
		absence: "the synthesis says that it does not know: %s", facts: "fewer than three verifiable facts about %s", against: "criticism of %s",
	},
	"de": {
		angles: "aus diesen Blickwinkeln wurde nicht gesucht: %s", recent: "aus den letzten 18 Monaten, seit %s, wurde nichts gesucht oder gefunden",
		types: "keine Quelle dieser Arten wurde gefunden: %s", languages: "in diesen Sprachen wurde nicht gesucht: %s",
		oneSource: "%d Aussagen beruhen auf einer einzigen Quelle: %s", oneSourceOne: "%d Aussage beruht auf einer einzigen Quelle: %s",
		unsupported: "%d Aussagen stützt kein Text, den sie zitieren: %s", unsupportedOne: "%d Aussage stützt kein Text, den sie zitiert: %s",
		absence: "die Synthese sagt, dass sie nicht weiß: %s", facts: "weniger als drei überprüfbare Fakten über %s", against: "Kritik %s",
	},
	"fr": {
		angles: "pas de recherche sous ces angles : %s", recent: "rien des 18 derniers mois, depuis le %s, n'a été cherché ou trouvé",
		types: "aucune source de ces types n'a été trouvée : %s", languages: "pas de recherche dans ces langues : %s",
		oneSource: "%d affirmations reposent sur une seule source : %s", oneSourceOne: "%d affirmation repose sur une seule source : %s",
		unsupported: "%d affirmations ne sont étayées par aucun texte cité : %s", unsupportedOne: "%d affirmation n'est étayée par aucun texte cité : %s",
		absence: "la synthèse dit ne pas savoir : %s", facts: "moins de trois faits vérifiables sur %s", against: "critique %s",
	},
	"es": {
		angles: "sin búsqueda desde estos ángulos: %s", recent: "no se buscó ni se encontró nada de los últimos 18 meses, desde %s",
		types: "no se encontró ninguna fuente de estos tipos: %s", languages: "sin búsqueda en estos idiomas: %s",
		oneSource: "%d afirmaciones se apoyan en una sola fuente: %s", oneSourceOne: "%d afirmación se apoya en una sola fuente: %s",
		unsupported: "ningún texto citado respalda %d afirmaciones: %s", unsupportedOne: "ningún texto citado respalda %d afirmación: %s",
		absence: "la síntesis dice que no sabe: %s", facts: "menos de tres hechos verificables sobre %s", against: "críticas %s",
	},
	"zh": {
		angles: "尚未从这些角度搜索：%s", recent: "尚未搜索或找到最近18个月（自%s起）的内容",
		types: "没有找到这些类型的来源：%s", languages: "尚未用这些语言搜索：%s",
		oneSource: "%d条论断只依据一个来源：%s", oneSourceOne: "%d条论断只依据一个来源：%s",
		unsupported: "%d条论断没有任何引文支持：%s", unsupportedOne: "%d条论断没有任何引文支持：%s",
		absence: "综述承认不知道：%s", facts: "关于%s的可核实事实不足三条", against: "%s 批评 局限 争议",
	},
	"ja": {
		angles: "次の観点からはまだ検索していない：%s", recent: "直近18か月（%s以降）の情報を検索も発見もしていない",
		types: "次の種類の情報源が見つかっていない：%s", languages: "次の言語ではまだ検索していない：%s",
		oneSource: "%d件の主張が一つの情報源だけに基づく：%s", oneSourceOne: "%d件の主張が一つの情報源だけに基づく：%s",
		unsupported: "%d件の主張を引用文献が裏付けていない：%s", unsupportedOne: "%d件の主張を引用文献が裏付けていない：%s",
		absence: "まとめが不明としている点：%s", facts: "%sについて検証できる事実が三つ未満", against: "%s 批判 限界 反論",
	},
}

// messages returns the texts in the language of the question.
func (s *State) messages() messages { return messagesIn[s.Language()] }

// counted fills a text for one item or for several.
func counted(one, many string, n int, list string) string {
	if n == 1 {
		return fmt.Sprintf(one, n, list)
	}
	return fmt.Sprintf(many, n, list)
}

// against returns a query for counter-evidence.
func (s *State) against(subject string) string {
	switch WrittenIn(subject) {
	case "ko":
		return subject + " 비판 한계 반론"
	case "ru":
		return subject + " критика недостатки"
	}
	return fmt.Sprintf(s.messages().against, subject)
}
