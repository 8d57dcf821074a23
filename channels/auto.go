package channels

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// Choice is what Auto decided, and why.
type Choice struct {
	Channels []string
	Kinds    []Kind // what it took the query for, surest first
	Reason   string // a sentence for people and models
}

// maxAuto is how many channels one automatic search asks (chosen: the list stays readable, and no host is asked
// that has little to say).
const maxAuto = 5

// signs are words of a query that speak for a kind, each a whole word or several, in lower case. A sign is worth
// its weight; a query is of the kinds that have any.
var signs = []struct {
	kind   Kind
	weight int
	words  string
}{
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

// typeKinds are the kinds that find a source type.
var typeKinds = map[string][]Kind{
	"peer":         {KindScholarly},
	"primary":      {KindLaw, KindFinance, KindData},
	"press":        {KindNews},
	"practitioner": {KindPractice, KindCode},
}

// Auto picks the channels for a query, from those that can be asked. It goes by the words of the query, by the
// source types that a gap asks for, and by how each channel fared: one whose circuit is open is left out. It is a
// pure function: the same query, types and list give the same choice.
func Auto(text string, wanted []string, list []Info) Choice {
	kinds, why := kindsOf(text)
	var types []string
	for _, t := range wanted {
		for _, k := range typeKinds[t] {
			if serves(list, k, t) && !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
				types = append(types, t)
			}
		}
	}
	if len(types) > 0 {
		slices.Sort(types)
		why = joinSaid([]string{why, "source types wanted: " + strings.Join(slices.Compact(types), ", ")})
	}
	if len(kinds) == 0 {
		kinds = []Kind{KindBackground, KindScholarly}
		why = "no sign of a special kind"
	}
	var open []Info
	for _, info := range list {
		if info.Configured && !strings.HasPrefix(info.Health, circuitHealth) {
			open = append(open, info)
		}
	}
	var names []string
	add := func(info Info) {
		if len(names) < maxAuto && !slices.Contains(names, info.Name) {
			names = append(names, info.Name)
		}
	}
	// The user's own folders and the general web are asked whatever the question is, where they are set up.
	for _, info := range open {
		if slices.Contains(info.For, KindPrivate) || slices.Contains(info.For, KindWeb) && len(names) < 2 {
			add(info)
		}
	}
	// The channels of each kind in turn: those that name it first before those that name it later, so that two
	// kinds share the places.
	for place := range 3 {
		for _, kind := range kinds {
			for _, info := range open {
				if place < len(info.For) && info.For[place] == kind {
					add(info)
				}
			}
		}
	}
	if len(names) < 3 { // always somewhere to begin
		for _, info := range open {
			if slices.Contains(info.For, KindBackground) || len(names) == 0 && slices.Contains(info.For, KindScholarly) {
				add(info)
			}
		}
	}
	return Choice{Channels: names, Kinds: kinds, Reason: fmt.Sprintf("looks %s (%s); asked: %s", kindWords(kinds), why, orNone(names))}
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none, since no channel can be asked"
	}
	return strings.Join(names, ", ")
}

// serves reports that the list has a channel of the kind whose results can be of the type.
func serves(list []Info, kind Kind, sourceType string) bool {
	return slices.ContainsFunc(list, func(info Info) bool {
		return info.Configured && slices.Contains(info.For, kind) && slices.Contains(info.SourceTypes, sourceType)
	})
}

// kindsOf reads the kinds of a query, surest first, and the words that gave them away.
func kindsOf(text string) ([]Kind, string) {
	if doisInText.MatchString(text) {
		return []Kind{KindOpenCopy, KindScholarly}, "it names a DOI"
	}
	if arxivID.MatchString(strings.TrimSpace(text)) {
		return []Kind{KindComputing, KindScholarly}, "it is an arXiv id"
	}
	padded := " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("-+#.", r)
	}), " ") + " "
	padded = strings.NewReplacer(". ", " ", "v. ", "v. ").Replace(padded)
	weight := map[Kind]int{}
	var order []Kind
	var said []string
	for _, s := range signs {
		for sign := range strings.SplitSeq(s.words, "|") {
			if !strings.Contains(padded, " "+sign+" ") {
				continue
			}
			if weight[s.kind] == 0 {
				order = append(order, s.kind)
			}
			weight[s.kind] += s.weight
			if len(said) < 4 {
				said = append(said, fmt.Sprintf("%q", sign))
			}
		}
	}
	if name := properName(text); name != "" && strings.Contains(name, " ") && len(order) == 0 {
		return []Kind{KindEntity, KindBackground}, fmt.Sprintf("it names %q", clip(name, 60))
	}
	slices.SortStableFunc(order, func(a, b Kind) int { return weight[b] - weight[a] })
	if len(order) == 0 {
		return nil, ""
	}
	return order[:min(len(order), 3)], "it says " + strings.Join(said, ", ")
}

func kindWords(kinds []Kind) string {
	words := make([]string, len(kinds))
	for i, k := range kinds {
		words[i] = string(k)
	}
	return strings.Join(words, " and ")
}
