package grounding

import (
	"html"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Titles of different pages on one subject share many words, so sharing words is not enough: one title must stand
// in the other as it is, or as its beginning, or nearly all words of two titles of like length must agree.
const (
	titleShare  = 0.8 // of the words of the shorter of two titles …
	titleLength = 0.6 // … that has at least this part of the words of the longer one
	maxTitle    = 400 // characters
	plainlySame = 20  // bytes of letters that may stand for the whole
)

// SameTitle reports whether the entry can be of a work with this title. It is false only where both name
// something that can be compared and it is not the same: subtitles, names of sites and authors, shortened
// titles, spelling and another script excuse a difference.
func (r Reference) SameTitle(title string) bool {
	if e, w := plainLetters(cutChars(r.Title, maxTitle)), plainLetters(cutChars(title, maxTitle)); (strings.HasPrefix(e, w) || strings.HasPrefix(w, e)) && min(len(e), len(w)) >= plainlySame {
		return true // most are; the rest costs a hundred times as much
	}
	var a passages.Analyzer
	entry, work := readTitle(r.Title, &a), readTitle(title, &a)
	if len(entry.words) == 0 || len(work.words) == 0 || entry.han != work.han || noTitle.MatchString(strings.TrimSpace(title)) || noTitle.MatchString(strings.TrimSpace(r.Title)) {
		return true
	}
	if entry.isSite(r.URL) || work.isSite(r.URL) {
		return true
	}
	entry.dropCommon(&work)
	if entry.holds(work) || work.holds(entry) || entry.beginsAs(work) || work.beginsAs(entry) {
		return true
	}
	for _, e := range append(entry.parts, entry) {
		for _, w := range append(work.parts, work) {
			if alikeWords(e, w) {
				return e.figures == "" || w.figures == "" || strings.Contains(e.figures, w.figures) || strings.Contains(w.figures, e.figures)
			}
		}
	}
	return false
}

// holds reports whether the main part of o is in t as it is: as a part of its own, or, if it is long enough
// to be no accident, anywhere.
func (t titleWords) holds(o titleWords) bool {
	name := o.main()
	if name.plain == "" {
		return false
	}
	if len(name.words) > 3 && strings.Contains(t.plain, name.plain) {
		return true
	}
	first := titleWords{}
	if len(o.parts) > 0 && (len(t.parts) < 2 || t.parts[0].plain != o.parts[0].plain) { // both have "Frontiers |"
		first = o.parts[0]
	}
	return slices.ContainsFunc(t.parts, func(p titleWords) bool { return p.plain == name.plain || p.plain == first.plain })
}

// main is the part that names the work: the first, unless that is one word and a longer one follows ("Frontiers |
// The otters of the north").
func (t titleWords) main() titleWords {
	if len(t.parts) == 0 {
		return titleWords{plain: t.plain}
	}
	for _, p := range t.parts {
		if len(t.parts[0].words) == 1 && len(p.words) >= 3 {
			return p
		}
	}
	return t.parts[0]
}

// beginsAs reports whether t is the beginning of o, cut off.
func (t titleWords) beginsAs(o titleWords) bool {
	least := 15 // letters; a few are enough where the title says that it was cut
	if t.han {
		least = 6
	}
	if t.cut {
		least /= 2
	}
	return utf8.RuneCountInString(t.plain) >= least && strings.HasPrefix(o.plain, t.plain)
}

// alikeWords reports whether two titles are nearly the same words.
func alikeWords(a, b titleWords) bool {
	short, long := min(len(a.words), len(b.words)), max(len(a.words), len(b.words))
	return short >= 2 && float64(short) >= titleLength*float64(long) && shareOf(a.words, b.words) >= titleShare
}

// Names reports whether the entry has this title, letter for letter but for case, accents and punctuation. A
// title of a word or two is in many entries and proves nothing.
func (r Reference) Names(title string) bool {
	const leastLetters, leastHan = 12, 6
	work := readTitle(title, new(passages.Analyzer))
	name := work.main().plain
	n := utf8.RuneCountInString(name)
	return (n >= leastLetters || work.han && n >= leastHan) && strings.Contains(plainLetters(cutChars(r.Title, maxReferenceChars)), name)
}

// titleWords is a title, or a part of one.
type titleWords struct {
	words   []string // sorted, each once, without those of every text and without figures
	figures string   // the numbers, in order
	plain   string   // its letters and digits alone
	parts   []titleWords
	han     bool // mostly written without spaces
	cut     bool // ends in dots
}

var (
	titleBreak = lazyregexp.New(`\s+[|–—·•»:-]+\s+|\s*[|_｜]\s*|--+|——|[:：]\s+|[。“”"]|\.\s+|\s+[-–]\s*$`)
	inBrackets = lazyregexp.New(`[(（\[【][^()（）\[\]【】]{0,60}[)）\]】]`)
	// noTitle is what a page without a title is called.
	noTitle = lazyregexp.New(`(?i)^(?:untitled(?: document)?|document\d*|home(?: ?page)?|index|pdf|just a moment.*|access denied|attention required.*|error.*|404.*|403.*|not found|redirecting.*|loading.*|` +
		`(?:https?://|www\.)\S+|\S+\.(?:pdf|html?|docx?|aspx?|php|txt|md)|link|source|website|web ?page|article|report|无标题|首页|\d+)$`)
)

func readTitle(s string, a *passages.Analyzer) titleWords {
	s = html.UnescapeString(cutChars(s, maxTitle))
	whole := strings.TrimRight(s, ".… ")
	t := wordsOfTitle(whole, a)
	t.cut = strings.HasSuffix(s, "…") || strings.HasSuffix(s, "...")
	for _, part := range titleBreak.Split(inBrackets.ReplaceAllString(whole, " "), -1) {
		if p := wordsOfTitle(part, a); len(p.words) > 0 {
			t.parts = append(t.parts, p)
		}
	}
	return t
}

func wordsOfTitle(s string, a *passages.Analyzer) titleWords {
	t := titleWords{plain: plainLetters(s)}
	pairs := 0
	a.Tokens(s, func(tok passages.Token) {
		if tok.Pair {
			pairs++
		}
		switch low := passages.Fold(s[tok.ByteStart:tok.ByteEnd]); {
		case !tok.Pair && strings.IndexFunc(low, func(r rune) bool { return !unicode.IsDigit(r) }) < 0:
			t.figures += tok.Term + " "
		case tok.Pair || !isStop(low):
			t.words = append(t.words, tok.Term)
		}
	})
	t.han = pairs*2 > len(t.words)
	slices.Sort(t.words)
	t.words = slices.Compact(t.words)
	return t
}

func plainLetters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, passages.Fold(s))
}

// dropCommon takes out the parts that both titles have, such as the name of the site, where others remain.
func (t *titleWords) dropCommon(o *titleWords) {
	for i := len(t.parts) - 1; i > 0 && len(t.parts) > 1 && len(o.parts) > 1; i-- {
		j := slices.IndexFunc(o.parts, func(p titleWords) bool { return slices.Equal(p.words, t.parts[i].words) })
		if j < 1 || len(t.parts[i].words) > 4 { // names of sites are short, and seldom come first
			continue
		}
		for _, w := range t.parts[i].words {
			t.words, o.words = without(t.words, w), without(o.words, w)
		}
		t.parts, o.parts = slices.Delete(t.parts, i, i+1), slices.Delete(o.parts, j, j+1)
	}
}

func without(words []string, w string) []string {
	if i, ok := slices.BinarySearch(words, w); ok {
		return slices.Delete(slices.Clone(words), i, i+1)
	}
	return words
}

// isSite reports whether a title is only the name of the site at this address.
func (t *titleWords) isSite(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || len(t.words) > 4 || t.plain == "" {
		return false
	}
	host := plainLetters(u.Host)
	if strings.Contains(host, t.plain) {
		return true
	}
	return !slices.ContainsFunc(t.words, func(w string) bool { return !strings.Contains(host, w) })
}

// shareOf is how much of the shorter list the longer one has, perhaps spelt a little otherwise.
func shareOf(a, b []string) float64 {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) == 0 {
		return 0
	}
	n := 0
	for _, w := range a {
		i, ok := slices.BinarySearch(b, w) // a word that begins alike is beside it
		if ok || i < len(b) && spelling(w, b[i]) || i > 0 && spelling(w, b[i-1]) {
			n++
		}
	}
	return float64(n) / float64(len(a))
}

// spelling reports whether two words differ in their last letters only: analyse and analyze, fibre and fiber.
func spelling(a, b string) bool {
	const ending, least = 2, 4 // bytes
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= least && n >= max(len(a), len(b))-ending && a[0] < utf8.RuneSelf
}
