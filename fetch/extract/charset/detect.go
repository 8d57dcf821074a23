package charset

import (
	"strings"
	"unicode/utf8"
)

// charsetSample is how much of a body is sampled: 64 KiB have thousands of letters of any script.
const charsetSample = 64 << 10

// charsetCandidate is an encoding with its most frequent characters. In a wrong encoding, bytes become valid but rare
// characters, so the share of frequent ones distinguishes encodings.
type charsetCandidate struct {
	name     string
	frequent string
	share    float64 // of the characters beyond ASCII, minimum of frequent ones
	script   scriptKind
}

type scriptKind int

const (
	anyScript   scriptKind = iota
	latinScript            // most letters are ASCII, the others occur singly
	otherScript            // whole words beyond ASCII
)

// latinRun is the mean length of byte sequences beyond ASCII that separates Latin scripts (1.1 in the languages with the most
// accents) from others (5 in Cyrillic, 4 in Hebrew).
const latinRun = 2.0

func meanRun(b []byte) float64 {
	runs, length, inside := 0, 0, false
	for _, c := range b {
		if c < utf8.RuneSelf {
			inside = false
			continue
		}
		if !inside {
			runs++
		}
		inside = true
		length++
	}
	return float64(length) / float64(max(runs, 1))
}

// The characters are the most frequent ones of ordinary prose, in lower case: some wrong Cyrillic encodings only exchange
// the cases. The first 60 to 100 Chinese characters cover a third of a text, the kana half of a Japanese one.
var charsetCandidates = []charsetCandidate{
	{"shift_jis", kana, 0.25, anyScript},
	{"euc-jp", kana, 0.25, anyScript},
	{"euc-kr", "이다는을의에가고하한지도로기사리를은서어나시아들대자정으인그해과수일것보만부있라여게장전주스제했습니면상구원된생중안국동신선", 0.35, anyScript},
	{"gb18030", "的一是不了在人有我他这中大来上国个到说们为子和你地出道也时年得就那要下以生会自着去之过家学对可里后小么心多天而能好都然没日于起还发成事只作当想看文无开手十用主行方又如前所本见经头面公同三已老从动两长知民样现分将外但身些与高意进把法此实，。、：；", 0.2, anyScript},
	{"big5", "的一是不了在人有我他這中大來上國個到說們為子和你地出道也時年得就那要下以生會自著去之過家學對可裡後小麼心多天而能好都然沒日於起還發成事只作當想看文無開手十用主行方又如前所本見經頭面公同三已老從動兩長知民樣現分將外但身些與高意進把法此實，。、：；", 0.2, anyScript},
	{"windows-1252", "éèàêâîôûçëïùäöüßñáíóúãõåæøœÉÀÄÖÜ“”‘’–—…«»©°®•·§¡¿", 0.5, latinScript},
	{"windows-1250", "ąćęłńóśźżáčďéěíňřšťúůýžőűöüäăâîşţßľĺŕÁČĘŁŚŠŻŽÉ“”„‘’–—…«»", 0.5, latinScript},
	{"windows-1251", "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэф“”«»—№", 0.6, otherScript},
	{"koi8-r", "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэф", 0.6, otherScript},
	{"windows-1253", "αοιετσνηυρπκμλςωάόίέήύώδγχθφβξζψ", 0.6, otherScript},
	{"windows-1254", "ığşçöüİâîŞÇÖÜ“”’–", 0.5, latinScript},
	{"windows-1255", "אבגדהוזחטיכלמנסעפצקרשתםןךףץ", 0.6, otherScript},
	{"windows-1256", "اأإآبتثجحخدذرزسشصضطظعغفقكلمنهويىةءؤئ،", 0.6, otherScript},
}

const kana = "あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわをんがぎぐげござじずぜぞだでどばびぶべぼぱぴぷぺぽっゃゅょアイウエオカキクケコサシスセソタチツテトナニネノハヒフヘホマミムメモヤユヨラリルレロワンガギグゲゴザジズゼゾダデドバビブベボパピプペポッャュョー、。"

// maxUndecoded is the largest share of invalid characters in the right encoding: a truncated one at the end of the sample,
// vendor extensions.
const maxUndecoded = 0.01

// detectCharset returns the most likely encoding of a body without a usable declaration, or "". It needs enough characters
// beyond ASCII.
func detectCharset(body []byte) string {
	sample := body[:min(len(body), charsetSample)]
	best, found := 0.0, ""
	latin := meanRun(sample) < latinRun
	for _, c := range charsetCandidates {
		if c.script != anyScript && (c.script == latinScript) != latin {
			continue
		}
		share, ok := frequentShare(decodeAs(lookup(c.name), sample), c.frequent)
		// Relative to the minimum of each encoding, so that scripts with many characters are comparable to small ones.
		if score := share / c.share; ok && share >= c.share && score > best {
			best, found = score, c.name
		}
	}
	return found
}

// minForeign is the number of characters beyond ASCII below which nothing is detected.
const minForeign = 3

// frequentShare returns the share of frequent characters among those beyond ASCII. It returns false if there are too few, or
// invalid ones.
func frequentShare(text, frequent string) (float64, bool) {
	set := make(map[rune]bool, len(frequent)/2)
	for _, r := range frequent {
		set[r] = true
	}
	all, good, bad := 0, 0, 0
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
			continue
		case r == utf8.RuneError || r < 0xa0 || r >= 0xe000 && r < 0xf900:
			bad++
		case set[r]:
			good++
		}
		all++
	}
	if all < minForeign || float64(bad) > max(1, maxUndecoded*float64(all)) || strings.TrimSpace(text) == "" {
		return 0, false
	}
	return float64(good) / float64(all), true
}
