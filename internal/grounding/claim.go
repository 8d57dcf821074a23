package grounding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/passages"
)

// Bounds of what is read of a claim: a sentence beyond them is no claim, and comparing costs words times
// sentences and numbers times numbers (chosen).
const (
	maxClaimChars   = 4000
	maxClaimTerms   = 400
	maxClaimNumbers = 40
	maxClaimNames   = 40
)

// reading is a claim as the checks see it.
type reading struct {
	text    string
	terms   []claimTerm // distinct words of content, in order
	numbers []quantity
	names   []name
	chinese bool // mostly written without spaces
	words   int  // all words, stop words too

	analyzer *passages.Analyzer // remembers stems for as long as the claim is checked
	workings *workings          // made by the first comparison if it is nil
}

type claimTerm struct {
	term, surface string
	prior         float64 // weight before rarity in the sources is known
	named         bool
}

// name is a run of capitalised words: indexes into the claim's terms.
type name struct {
	text    string
	start   int // byte in the claim
	terms   []int
	subject bool // the claim opens with it: what the text is about, it often says only in its title, or as "he"
}

// subjectWords: a name that begins within the first words of a claim is its subject (chosen).
const subjectWords = 4

func readClaim(text string, analyzer *passages.Analyzer) reading {
	text = cutChars(stripMarks(text), maxClaimChars)
	c := reading{text: text, analyzer: analyzer}
	for _, q := range quantities(text) {
		if q.kind == ordinal || q.word && q.kind == cardinal && q.value <= 1 {
			continue
		}
		if len(c.numbers) < maxClaimNumbers {
			c.numbers = append(c.numbers, q)
		}
	}
	var (
		seen             = make(map[string]int)
		run              []int // the name being read
		start, firstWord int
		end              = -1
		pairs            int
		q                int
	)
	closeName := func() {
		if len(run) > 0 && len(c.names) < maxClaimNames {
			c.names = append(c.names, name{text: text[start:end], start: start, terms: slices.Clone(run), subject: firstWord < subjectWords})
		}
		run = run[:0]
	}
	first := true
	c.analyzer.Tokens(text, func(t passages.Token) {
		c.words++
		surface := firstBytes(text[t.ByteStart:t.ByteEnd], 64)
		low := passages.Fold(surface)
		opensSentence := first || !initialsEnd(text, end) && sentenceBreak(text[min(max(end, 0), t.ByteStart):t.ByteStart])
		first = false
		for q < len(c.numbers) && c.numbers[q].end <= t.ByteStart {
			q++
		}
		inNumber := q < len(c.numbers) && t.ByteStart >= c.numbers[q].start && (t.Pair || t.ByteEnd <= c.numbers[q].end)
		if t.Pair {
			pairs++
		}
		if len(c.terms) == maxClaimTerms {
			return
		}
		if inNumber || !t.Pair && (isStop(low) || low == "") {
			closeName()
			end = t.ByteEnd
			return
		}
		i, known := seen[t.Term]
		if !known {
			i = len(c.terms)
			seen[t.Term] = i
			c.terms = append(c.terms, claimTerm{term: t.Term, surface: surface, prior: prior(low, t.Pair)})
		}
		capital := !t.Pair && capitalised(surface)
		adjacent := end >= 0 && end <= t.ByteStart && strings.TrimLeft(text[end:t.ByteStart], " -.'’") == ""
		if len(run) > 0 && (!capital || !adjacent) {
			closeName()
		}
		if capital && (!opensSentence || hasInnerCapital(surface)) && !monthOrDay(low) {
			c.terms[i].named = true
			if len(run) == 0 {
				start, firstWord = t.ByteStart, c.words
			}
			run = append(run, i)
		}
		end = t.ByteEnd
	})
	closeName()
	c.chinese = pairs*2 > c.words
	return c
}

// initialsEnd reports whether the word that ends at end is initials (B.J. Thomas): their point ends no sentence.
func initialsEnd(text string, end int) bool {
	if end <= 0 {
		return false
	}
	from := strings.LastIndexAny(text[:end], " (\"“") + 1
	word := strings.ReplaceAll(text[from:end], ".", "")
	return word != "" && len(word) <= 3 && (len(word) == 1 || strings.Contains(text[from:end], ".")) && strings.ToUpper(word) == word && capitalised(word) && word != "I"
}

func sentenceBreak(between string) bool {
	return strings.ContainsAny(between, ".!?:\"“‘\n") || strings.HasSuffix(between, " '") || strings.HasSuffix(between, "`") // behind a colon and a quotation mark, capitals say little
}

func capitalised(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}

// hasInnerCapital reports whether a word is a name by its own look: NASA, iPhone, McDonald.
func hasInnerCapital(s string) bool {
	_, first := utf8.DecodeRuneInString(s)
	return strings.ContainsFunc(s[first:], unicode.IsUpper)
}

func monthOrDay(low string) bool {
	low = strings.TrimSuffix(low, "s")
	return slices.Contains(months, low) || slices.Contains([]string{"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}, low)
}

// prior is what a word weighs in any text: little when it is common, more when it is long. A pair of Chinese
// characters with a grammatical one in it weighs little.
func prior(low string, pair bool) float64 {
	switch {
	case pair && strings.ContainsAny(low, "的了是在和与與及等也都而并並被把就对對为為于於以其这這那有中个個"):
		return 0.35
	case pair:
		return 1
	case isPlain(low):
		return 0.5
	case utf8.RuneCountInString(low) <= 3:
		return 0.8
	}
	return 1
}

// stripMarks blanks citation marks such as [1] and [S2], so that they are not read as words.
func stripMarks(s string) string {
	if !strings.Contains(s, "[") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		if s[i] == '[' {
			if end := markEnd(s[i:]); end > 0 {
				i += end
				continue
			}
		}
		b.WriteByte(s[i])
		i++
	}
	return b.String()
}

func cutChars(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}
