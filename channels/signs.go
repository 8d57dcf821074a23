package channels

import (
	"slices"
	"strings"
	"unicode"
)

// sign is words of a query that speak for a kind, joined by "|", in lower case. A sign is worth its weight; a query is
// of the kinds that have any. Each is a whole word or several; "*" at its end stands for any ending. In languages that
// put no spaces between words it may stand anywhere.
type sign struct {
	kind   Kind
	weight int
	words  string
}

// signs are the English ones; signs_languages.go has those of other languages.
var signs = []sign{
	{KindPrivate, 3, "my notes|our documents|my documents|our wiki|internal|in the folder|corpus folder|handbook"},
	{KindBiomedical, 3, "patient|patients|clinical|disease|drug|drugs|therapy|treatment|vaccine|vaccines|cancer|tumor|tumour|gene|genes|protein|diabetes|symptom|symptoms|randomized trial|randomised trial|dose|mortality|epidemiology|infection|virus|bacteria|antibiotic|surgery|cohort|covid|covid-19|medicine|medical|health outcomes|side effects|placebo|brain|cell|cells|in vivo|in vitro"},
	{KindComputing, 3, "llm|llms|rag|transformer|transformers|neural|machine learning|deep learning|language model|language models|language-model|retrieval augmented|retrieval-augmented|reinforcement learning|embedding|embeddings|algorithm|algorithms|compiler|database|databases|distributed systems|computer vision|nlp|agent|agents|prompting|fine-tuning|hallucination|hallucinations|operating system|cryptography|computer science"},
	{KindScholarly, 3, "study|studies|paper|papers|survey|literature|review of|systematic review|meta-analysis|journal|preprint|peer reviewed|peer-reviewed|theory|empirical|evidence for|evidence that|evidence on|effect of|effects of|correlation|experiment|experiments|hypothesis|findings|research on|citation|citations|et al|physics|mathematics|theorem|chemistry|economics|psychology|sociology"},
	{KindData, 3, "dataset|datasets|data set|data sets|corpus|corpora|benchmark|benchmarks|raw data|statistics on|model weights|pretrained|checkpoint|open data|supplementary data"},
	{KindNews, 3, "news|today|yesterday|this week|this month|last week|last month|latest|breaking|announced|announces|announcement|recently|recent|election|launched|launches|resigns|earthquake|right now|so far"},
	{KindCode, 3, "library|libraries|framework|repository|repositories|github|open source|open-source|bug|issue|stack trace|exception|npm|pypi|golang|python|rust|javascript|typescript|kubernetes|docker|api|sdk|changelog|release notes|error message|segfault"},
	{KindPractice, 3, "how to|how do i|best practice|best practices|experience with|experiences|lessons learned|in production|in practice|pitfalls|workaround|tutorial|recommend|opinion|opinions|anyone|postmortem|case study|adoption|migrating|migrate"},
	{KindLaw, 4, "law|laws|court|courts|ruling|lawsuit|statute|regulation|regulations|regulatory|directive|act of|compliance|supreme court|case law|v.|gdpr|ai act|federal register|rulemaking|patent|liability|legal|plaintiff"},
	{KindFinance, 4, "10-k|10-q|8-k|sec filing|sec filings|annual report|revenue|earnings|shareholder|shareholders|ipo|balance sheet|quarterly|profit|valuation|stock|investor|investors|market share|acquisition"},
	{KindArchive, 5, "archived|wayback|web archive|old version of|as it was in|deleted page|snapshot of"},
	{KindOpenCopy, 4, "open access copy|open copy|full text of|free pdf|pdf of|read for free"},
	{KindBackground, 2, "what is|what are|what was|definition|define|meaning of|history of|overview|introduction to|explain|background|origin of|timeline"},
	{KindEntity, 3, "who is|who was|who founded|who invented|founder|founders|ceo|biography|born|died|headquarters|capital of|population of|company|member of|which country|where is"},
}

// foundSign is a sign as the query has it.
type foundSign struct {
	kind      Kind
	weight    int
	words     string   // of the query
	languages []string // that have it; none = English
}

// signsIn are the signs of a query, the English ones first.
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
	folded := unaccented(english) // people leave accents out
	for _, language := range otherSigns {
		if language.name == "Chinese" && strings.ContainsFunc(text, kana) {
			continue // Japanese, which has the same characters
		}
		for _, s := range language.signs {
			for words := range strings.SplitSeq(s.words, "|") {
				as, ok := words, false
				if language.spaced {
					as, ok = matched(english, folded, unaccented(words))
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

// padded is a query in lower case, a space before and after each word.
func padded(text string) string {
	words := " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) && !strings.ContainsRune("-+#.", r)
	}), " ") + " "
	return strings.NewReplacer(". ", " ", "v. ", "v. ").Replace(words)
}

func kana(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) }

// matched finds a sign without accents in a query without accents, and answers the words as the query has them.
func matched(text, folded, words string) (as string, ok bool) {
	stem, open := strings.CutSuffix(words, "*")
	if !open {
		stem += " "
	}
	i := strings.Index(folded, " "+stem)
	if i < 0 {
		return "", false
	}
	// The same words of the text as it was: folding changes letters, never spaces.
	first, count := strings.Count(folded[:i+1], " ")-1, len(strings.Fields(stem))
	whole := strings.Fields(text)
	if first+count > len(whole) {
		return strings.TrimSpace(stem), true
	}
	return strings.Join(whole[first:first+count], " "), true
}

// scriptWords names the script of a query, where that is not the Latin one.
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
