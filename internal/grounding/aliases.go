package grounding

import (
	"strings"
	"sync"
)

// aliases are the words for one country or body that do not begin alike, so that the text's "Dutch" is a trace
// of the claim's "Netherlands". One line is one group; written by hand.
const aliases = `
|us|u.s|usa|u.s.a|america|american|americans|united states|
|uk|u.k|britain|british|united kingdom|england|english|
|eu|e.u|european union|europe|european|
|un|u.n|united nations|
|netherlands|dutch|holland|
|france|french|
|spain|spanish|spaniard|
|greece|greek|
|poland|polish|
|denmark|danish|dane|
|sweden|swedish|swede|
|switzerland|swiss|
|wales|welsh|
|ireland|irish|
|scotland|scottish|scot|
|norway|norwegian|
|finland|finnish|
|turkey|turkish|
|germany|german|deutsch|
|philippines|filipino|philippine|
|thailand|thai|
|portugal|portuguese|
|china|chinese|prc|
|iceland|icelandic|
|italy|italian|
|iran|iranian|persian|
|iraq|iraqi|
|cuba|cuban|
|peru|peruvian|
|asia|asian|
|rome|roman|
|israel|israeli|
|korea|korean|
|japan|japanese|
|india|indian|
|egypt|egyptian|
|belgium|belgian|
|austria|austrian|
|hungary|hungarian|
|czechia|czech|
|ussr|soviet|
|uae|emirates|
|covid|covid-19|coronavirus|sars-cov-2|
|ww1|wwi|world war i|first world war|
|ww2|wwii|world war ii|second world war|
|nyc|new york|
|la|los angeles|
|dc|d.c|washington|
`

// aliasesOf returns the other words of a folded name's group.
func aliasesOf(low string) []string { return aliasGroups()[low] }

var aliasGroups = sync.OnceValue(func() map[string][]string {
	groups := make(map[string][]string)
	for line := range strings.Lines(aliases) {
		list := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for _, word := range list {
			if word != "" && groups[word] == nil {
				groups[word] = list
			}
		}
	}
	return groups
})
