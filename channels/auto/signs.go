package auto

import (
	_ "embed"
	"slices"
	"strings"
	"unicode"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/normal"
	"github.com/citeloop/citeloop/internal/datafile"
)

// sign is words of a query that indicate a kind of question, as signs.txt lists them.
type sign struct {
	kind   channels.Kind
	weight int
	words  string // joined by "|"
}

// signLanguage has the signs of one language.
type signLanguage struct {
	name   string
	spaced bool // words are separated by spaces
	signs  []sign
}

//go:embed signs.txt
var signsText string

// signs are the English ones; otherSigns are those of other languages, compared without accents.
var signs, otherSigns = func() ([]sign, []signLanguage) {
	var all []signLanguage
	for line := range datafile.Lines(signsText) {
		if heading, ok := strings.CutPrefix(line, "["); ok {
			name, unspaced := strings.CutSuffix(strings.TrimSuffix(heading, "]"), ", unspaced")
			all = append(all, signLanguage{name: name, spaced: !unspaced})
			continue
		}
		fields := strings.SplitN(line, " ", 3)
		language := &all[len(all)-1]
		language.signs = append(language.signs, sign{channels.Kind(fields[0]), normal.Atoi(fields[1]), fields[2]})
	}
	return all[0].signs, all[1:]
}()

// foundSign is a sign that the query contains.
type foundSign struct {
	kind      channels.Kind
	weight    int
	words     string   // of the query
	languages []string // that have it; none = English
}

// signsIn returns the signs of a query, the English ones first.
func signsIn(text string) []foundSign {
	var found []foundSign
	english := padded(text)
	for _, s := range signs {
		for words := range strings.SplitSeq(s.words, "|") {
			if strings.Contains(english, " "+words+" ") {
				found = append(found, foundSign{s.kind, s.weight, words, nil})
			}
		}
	}
	folded := normal.Unaccented(english) // people omit accents
	for _, language := range otherSigns {
		if language.name == "Chinese" && strings.ContainsFunc(text, kana) {
			continue // Japanese, which has the same characters
		}
		for _, s := range language.signs {
			for words := range strings.SplitSeq(s.words, "|") {
				as, ok := words, false
				if language.spaced {
					as, ok = matched(english, folded, normal.Unaccented(words))
				} else {
					ok = strings.Contains(english, words)
				}
				if !ok {
					continue
				}
				// A word of several languages counts once.
				switch i := slices.IndexFunc(found, func(f foundSign) bool { return f.words == as }); {
				case i < 0:
					found = append(found, foundSign{s.kind, s.weight, as, []string{language.name}})
				case len(found[i].languages) > 0 && !slices.Contains(found[i].languages, language.name):
					found[i].languages = append(found[i].languages, language.name)
				}
			}
		}
	}
	return found
}

// padded returns a query in lower case, with a space before and after each word.
func padded(text string) string {
	words := " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !strings.ContainsRune("-+#.", r)
	}), " ") + " "
	return strings.NewReplacer(". ", " ", "v. ", "v. ").Replace(words)
}

func kana(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }

// matched finds a sign without accents in a query without accents, and returns the words as the query has them.
func matched(text, folded, words string) (as string, ok bool) {
	stem, open := strings.CutSuffix(words, "*")
	if !open {
		stem += " "
	}
	i := strings.Index(folded, " "+stem)
	if i < 0 {
		return "", false
	}
	// Take the same words of the original text: folding changes letters, never spaces.
	first, count := strings.Count(folded[:i+1], " ")-1, len(strings.Fields(stem))
	whole := strings.Fields(text)
	if first+count > len(whole) {
		return strings.TrimSpace(stem), true
	}
	return strings.Join(whole[first:first+count], " "), true
}

// scriptWords returns " in " and the script of a query, or "" for Latin.
func scriptWords(text string) string {
	for _, r := range text {
		for _, script := range scripts {
			if unicode.Is(script.table, r) {
				return " in " + script.name
			}
		}
	}
	return ""
}

var scripts = []struct {
	name  string
	table *unicode.RangeTable
}{
	{"Japanese script", unicode.Hiragana}, {"Japanese script", unicode.Katakana}, {"Chinese script", unicode.Han}, {"Korean script", unicode.Hangul}, {"Cyrillic script", unicode.Cyrillic},
	{"Arabic script", unicode.Arabic}, {"Hebrew script", unicode.Hebrew}, {"Greek script", unicode.Greek}, {"Devanagari", unicode.Devanagari}, {"Bengali script", unicode.Bengali},
	{"Tamil script", unicode.Tamil}, {"Thai script", unicode.Thai}, {"Georgian script", unicode.Georgian}, {"Armenian script", unicode.Armenian},
}
