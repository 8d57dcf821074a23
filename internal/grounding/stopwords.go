package grounding

import (
	"strings"
	"sync"
)

// stopWords carry no evidence: a text has them whatever it says. Negations are among them because they are
// compared on their own.
const stopWords = ` a about above after again against all almost also although am among an and another any are as at be became because
become becomes been before being below between both but by can cannot could did do does doing done down during each either else ever every few
for from further had has have having he her here hers herself him himself his how however i if in into is it its itself just like made make
makes many may me might more most much must my myself neither never no none nor not now of off often on once only onto or other others our ours
out over own per rather same shall she should since so some such than that the their theirs them themselves then there therefore these they this
those though through thus to too toward towards under until up upon us very was we well were what when where whether which while who whom whose
why will with within without would yet you your yours don didn doesn isn wasn aren weren hasn haven hadn wouldn couldn shouldn t s ll ve re d m
don't didn't doesn't isn't wasn't aren't weren't hasn't haven't hadn't won't wouldn't couldn't shouldn't can't it's he's she's that's there's
they're we're you're i'm i've we've they've `

// plainWords are common enough that sharing them says little. From everyday frequency, chosen by hand.
const plainWords = ` able according across actually added along already always amount area around available back based began begin best better big
bring brought business call called came case cause certain change city clear close come coming common company complete considered contain contains
continue country course create created current currently day days described despite different due early end enough even event example fact far
feature featured features find first five follow followed following form former found four full gave general get give given go going good got great group
grow had half hand help high home house idea important include included includes including increase information involved issue issues itself keep kind
know known large largest last late later lead leading least leave led left less let level life line list little live local long look lot main major
making man mean means member members men month months move name named near need new news next number numbers offer old one open order part
particular past people person place placed play played point position possible power present problem process produced program project provide provided
public put really received recent recently related released report reported result results return right role run said same saw say says second see
seen several show showed shown side similar single site six small something sometimes soon special start started state stated states still story
study such support system take taken takes taking team tell term terms thing things think third three time times today together told took top total
turn two type types understand use used uses using usually various version view want wanted way ways week went whole wide women word work worked
working works world write writing written year years young `

func isStop(word string) bool  { return stopSet()[word] }
func isPlain(word string) bool { return plainSet()[word] }

var (
	stopSet  = sync.OnceValue(func() map[string]bool { return wordSet(stopWords) })
	plainSet = sync.OnceValue(func() map[string]bool { return wordSet(plainWords) })
)

// wordSet is the words of a list that have a space on both sides: those beside a line break are not in it, and
// the weights were fitted so.
func wordSet(list string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.SplitSeq(list, " ") {
		set[word] = word != ""
	}
	return set
}
