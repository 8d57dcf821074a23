package review

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/lexicon"
	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// Passage is a window of a source as a reader sees it. Start and End count code points in the source's text; Text is
// what lies between them, Heading the heading that it is under.
type Passage struct {
	SourceID   string
	Start, End int
	Heading    string
	Text       string
}

// Sizes of what a reader gets for one claim, in code points: the sentence that fits best and one or two around it, and
// less for the second and third. With what the claims of a batch share, the passages have all deciding words for 359
// of 369 true claims of three sets; windows of 700, 500 and 400, which cost twice as much, have them for 363. Where claim and text are in
// different languages, words tell less about the place, so that all three are wide.
var (
	windowChars = [maxPassages]int{400, 300, 250}
	wideWindows = [maxPassages]int{600, 500, 400}
)

// Texts is what claims are compared with.
type Texts struct {
	Checker *grounding.Checker
	Text    func(sourceID string) string // the stored text; empty if there is none
	read    map[string]*passages.Text
}

// NewTexts returns the texts of a batch. It is not safe for concurrent use.
func NewTexts(checker *grounding.Checker, text func(sourceID string) string) Texts {
	return Texts{Checker: checker, Text: text, read: map[string]*passages.Text{}}
}

func (t Texts) of(sourceID string) *passages.Text {
	text, ok := t.read[sourceID]
	if !ok {
		text = passages.NewText(t.Text(sourceID))
		t.read[sourceID] = text
	}
	return text
}

func (t Texts) sentences(sourceID string) []passages.Passage { return t.of(sourceID).Sentences }

// passages are the windows around the sentences that fit a claim best: the best one of each source, then the others, best
// first. Where no words are shared, or claim and text are in different languages, the sentences with a number or name of
// the claim follow, then the beginnings.
func (t Texts) passages(claim string, sourceIDs []string) []Passage {
	texts := make([]*passages.Text, len(sourceIDs))
	foreign, language := false, languageOf(claim) // "" for claims that are too short to tell
	for i, id := range sourceIDs {
		texts[i] = t.of(id)
		foreign = foreign || language != "" && languageOf(t.Text(id)) != language
	}
	sizes := windowChars
	if foreign {
		sizes = wideWindows
	}
	var out []Passage
	add := func(text, sentence int) {
		id, s := sourceIDs[text], texts[text].Sentences[sentence]
		if len(out) == len(sizes) || slices.ContainsFunc(out, func(p Passage) bool { return p.SourceID == id && p.Start <= s.Start && s.End <= p.End }) {
			return
		}
		w := t.window(grounding.Evidence{SourceID: id, Start: s.Start, End: s.End, Text: s.Text}, sizes[len(out)])
		if i := slices.IndexFunc(out, func(p Passage) bool { return touches(p, w) }); i >= 0 {
			out[i] = t.join(out[i], w)
			return
		}
		out = append(out, w)
	}
	signs := signsOf(claim)
	signed := func(s passages.Passage) bool {
		return slices.ContainsFunc(signs, func(sign string) bool { return len(occurrences(s.Text, sign)) > 0 })
	}
	ranked := passages.Rank(claim, texts, rankedSentences)
	shown := make([]bool, len(texts))
	for _, c := range ranked {
		if !shown[c.Text] {
			shown[c.Text] = true
			add(c.Text, c.Sentence)
		}
	}
	for i, text := range texts {
		if shown[i] || len(text.Sentences) == 0 {
			continue
		}
		best := max(0, slices.IndexFunc(text.Sentences, signed))
		if alone := passages.Rank(claim, texts[i:i+1], 1); len(alone) > 0 {
			best = alone[0].Sentence
		}
		add(i, best)
	}
	for _, c := range ranked {
		if foreign || c.Score >= enoughNews*ranked[0].Score {
			add(c.Text, c.Sentence)
		}
	}
	if foreign || len(out) == 0 {
		for i, text := range texts {
			for j, s := range text.Sentences {
				if signed(s) {
					add(i, j)
				}
			}
		}
		for i, text := range texts {
			if len(text.Sentences) > 0 {
				add(i, 0)
			}
		}
	}
	return out
}

// signsOf are the numbers and names of a claim, which look alike in other languages.
func signsOf(claim string) []string {
	var out []string
	for _, at := range figures(claim) {
		out = append(out, at.in(claim))
	}
	for _, at := range words(claim) {
		word := at.in(claim)
		first, _ := utf8.DecodeRuneInString(word)
		if len([]rune(word)) > 2 && (at.start > 0 && unicode.IsUpper(first) || unspacedShare(claim) > 0.3 && first < unicode.MaxLatin1) {
			out = append(out, word)
		}
	}
	return out
}

// labelled puts the site and the title of a source above its first passage where the claim says who says it: that is
// rarely in the passage itself.
func (t Texts) labelled(claim string, in []Passage) []Passage {
	spoken := attributes(claim)
	seen := map[string]bool{}
	for i, p := range in {
		src, ok := t.Checker.Source(p.SourceID)
		if !ok || seen[p.SourceID] {
			continue
		}
		seen[p.SourceID] = true
		label := labelOf(src)
		if label != "" && (spoken || publishedBy(claim, src.Publisher)) {
			in[i].Heading = strings.TrimRight(label+"\n"+p.Heading, "\n")
		}
	}
	return in
}

// attributes reports whether a claim names who says something: "according to", "the manual says". A claim may be too short
// to tell its language.
func attributes(claim string) bool {
	return slices.ContainsFunc(lexicon.Languages(), func(lang string) bool {
		classes := map[string]bool{}
		for _, m := range lexicon.For(lang).Scan(claim) {
			if m.Kind == lexicon.Attribution {
				classes[m.Class] = true
			}
		}
		return classes["phrase"] || classes["noun"] && classes["verb"]
	})
}

// publishedBy reports whether a claim has a word of a site's or publisher's name.
func publishedBy(claim, site string) bool {
	return slices.ContainsFunc(strings.Fields(site), func(word string) bool {
		return utf8.RuneCountInString(word) > 4 && len(occurrences(claim, word)) > 0
	})
}

// maxLabelChars bounds the site and the title of a source above a passage.
const maxLabelChars = 120

func labelOf(src grounding.Source) string {
	var parts []string
	for _, s := range []string{src.Publisher, strings.Join(src.Authors[:min(len(src.Authors), 2)], ", "), src.Title} {
		if s = strings.Join(strings.Fields(s), " "); s != "" && !slices.Contains(parts, s) {
			parts = append(parts, s)
		}
	}
	return slice(strings.Join(parts, ": "), 0, maxLabelChars)
}

// rankedSentences is how many sentences are looked at for the windows of one claim: a deciding one is among the first
// five for 97 to 100 in 100 true claims of the development sets.
const rankedSentences = 5

// enoughNews is the share of the best sentence's score that another sentence must have to be shown: it counts only what
// the sentences before it do not say. Chosen on the development sets: .3 loses the deciding words of 3 claims in 100.
const enoughNews = 0.2

// window widens a stretch of a source by whole sentences to at most chars, alternately after and before it. A
// stretch that is longer stays as it is.
func (t Texts) window(e grounding.Evidence, chars int) Passage {
	cut := t.sentences(e.SourceID)
	first := slices.IndexFunc(cut, func(s passages.Passage) bool { return s.End > e.Start })
	if first < 0 {
		return Passage{SourceID: e.SourceID, Start: e.Start, End: e.End, Text: e.Text}
	}
	last := first
	for last+1 < len(cut) && cut[last+1].Start < e.End {
		last++
	}
	for grew := true; grew; {
		grew = false
		if last+1 < len(cut) && cut[last+1].End-cut[first].Start <= chars {
			last, grew = last+1, true
		}
		if first > 0 && cut[last].End-cut[first-1].Start <= chars {
			first, grew = first-1, true
		}
	}
	return t.between(e.SourceID, cut[first].Start, cut[last].End)
}

func (t Texts) join(a, b Passage) Passage {
	return t.between(a.SourceID, min(a.Start, b.Start), max(a.End, b.End))
}

func (t Texts) between(sourceID string, start, end int) Passage {
	return Passage{SourceID: sourceID, Start: start, End: end, Heading: t.heading(sourceID, start), Text: slice(t.Text(sourceID), start, end)}
}

// heading is what is above a place and is needed to understand it: the heading of its section, the header of its
// table, the introduction of its list.
func (t Texts) heading(sourceID string, start int) string {
	text := t.of(sourceID)
	at, _ := slices.BinarySearchFunc(text.Sentences, start, func(s passages.Passage, start int) int { return s.Start - start })
	if at >= len(text.Sentences) {
		return ""
	}
	var lines []string
	for _, c := range text.Context(at) {
		if c.End <= start {
			lines = append(lines, strings.TrimLeft(c.Text, "# "))
		}
	}
	return strings.Join(lines, "\n")
}

// slice returns the code points from start to end.
func slice(text string, start, end int) string {
	from, to, n := -1, len(text), 0
	for i := range text {
		if n == start {
			from = i
		}
		if n == end {
			to = i
			break
		}
		n++
	}
	if from < 0 {
		return ""
	}
	return text[from:to]
}

// QuoteFound reports whether a quote is in one of the passages or their headings, compared as quotes are: without
// regard to case, white space, quotation marks and hyphenation, and with omissions marked by an ellipsis.
func QuoteFound(quote string, in []Passage) bool {
	if utf8.RuneCountInString(strings.TrimSpace(quote)) < minQuoteChars {
		return false
	}
	for _, p := range in {
		for _, text := range []string{p.Text, p.Heading, p.Heading + "\n" + p.Text} {
			if grade, _ := grounding.GradeQuote(quote, text); grade == grounding.QuoteExact || grade == grounding.QuoteNormalised {
				return true
			}
		}
	}
	return false
}

// minQuoteChars keeps a letter from being a quote (chosen: two characters are a word of Chinese).
const minQuoteChars = 2
