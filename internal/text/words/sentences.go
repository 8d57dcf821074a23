package words

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// Sentences cuts a text into sentences, without the white space around them; between two there is nothing else. A citation
// mark after the full stop ("… fell. [3]") belongs to the sentence before it.
func Sentences(text string) []Span {
	var out []stretch
	for _, p := range paragraphs(text) {
		open := p.start
		for at := open; at < p.end; {
			n := strings.IndexFunc(text[at:p.end], terminator)
			if n < 0 {
				break
			}
			first := at + n
			at = p.end - len(strings.TrimLeftFunc(text[first:p.end], terminator)) // "?!", "..."
			mark := text[first:at]
			closing := closers(text[at:p.end])
			at += closing
			if ends(text[open:first], mark, text[at:p.end]) && (closing == 0 || !reports.MatchString(text[at:min(p.end, at+60)])) {
				at += citationMarks(text[at:p.end])
				out = append(out, stretch{open, at})
				at = p.end - len(strings.TrimLeftFunc(text[at:p.end], unicode.IsSpace))
				open = at
			}
		}
		out = append(out, stretch{open, p.end})
	}
	return spans(text, out)
}

// elided matches an article or the like that has lost its vowel: l’art. 3, dell'art. 3.
var elided = lazyregexp.New(`^(?i:l|d|qu|j|n|s|c|m|t|dell|nell|all|sull|dall)['’](?-i:(\pL{2}))`)

// reports matches what goes on behind a quotation in Chinese and Japanese: “…。”管理员说, 「…。」と書いた.
var reports = lazyregexp.New(`^(?:[，、]|と|って|[^。！？，、\s]{0,12}(?:说|说道|写道|问道|表示|` +
	`指出)(?:[。，、：【（\[\s]|$))`)

func terminator(r rune) bool {
	return r == '.' || r == '!' || r == '?' || r >= utf8.RuneSelf && strings.ContainsRune("…。！？．｡؟।۔።။។։", r)
}

// closers returns the length of the quotes and brackets that close after a full stop. German texts close with marks that open
// in other languages; French ones put a space before ».
func closers(text string) (n int) {
	for n < len(text) {
		r, w := utf8.DecodeRuneInString(text[n:])
		next, _ := utf8.DecodeRuneInString(text[n+w:])
		closes := strings.ContainsRune(`"')]}”’»›」』）】》*_`, r) || unicode.IsSpace(r) && next == '»' ||
			strings.ContainsRune("“‘«", r) && (n+w == len(text) || unicode.IsSpace(next) || strings.ContainsRune(".,;:)", next))
		if !closes {
			break
		}
		n += w
	}
	return n
}

// marks matches citation marks such as [1], [2, 3], [S4:12] and [^5], also after a space.
var marks = lazyregexp.New(`^(?: {0,2}\[[0-9 ,;:^Ss-]{1,38}\])+`)

// citationMarks returns the length of the citation marks that a text begins with. A link is none.
func citationMarks(text string) int {
	n := len(marks.FindString(text))
	if strings.HasPrefix(text[n:], "(") {
		return 0
	}
	return n
}

// ends decides whether a terminator ends the sentence. before is the sentence so far, mark the terminator (possibly several
// characters), after what follows in the paragraph, closing quotes already skipped.
func ends(before, mark, after string) bool {
	if r, _ := utf8.DecodeRuneInString(mark); after == "" || strings.ContainsRune("。！？｡؟।۔።။។։", r) {
		return true
	}
	previous, _ := utf8.DecodeLastRuneInString(before)
	next, _ := utf8.DecodeRuneInString(after)
	switch {
	case next == '[':
		n := citationMarks(after)
		return n > 0 && ends(before, mark, after[n:])
	case citationMarks(after) > 0 && mark == ".": // "by Eq. [2] the weir", but "it is 21 m. [2] The pump"
		return pointEnds(before, after)
	case !unicode.IsSpace(next): // "3%.其中" ends; "3.5" and "www.example.org" do not
		return unspaced(next) && !digit(previous) && strings.Trim(mark, "…") != ""
	case unicode.IsLower(firstRune(after)):
		return false
	case mark == ".":
		return pointEnds(before, after)
	}
	// Points may stand for words that are left out: "CREATE TABLE ... PARTITION OF", "[...]".
	return strings.Trim(mark, ".…") != "" || !unicode.IsSpace(previous) && previous != '[' && previous != '('
}

// opening are marks before the first word of a sentence.
const opening = `"'(“‘«„`

// pointEnds decides about a single full stop before white space and no small letter.
func pointEnds(before, after string) bool {
	word := lastWord(before)
	digits := word != "" && strings.Trim(word, "0123456789") == ""
	if before == word && (digits && len(word) <= 3 || word != "" && len(word) <= 4 && strings.Trim(word, "ivxIVX") == "") {
		return false // "1. Introduction"
	}
	next := firstWord(after)
	if digits && len(word) <= 2 { // German ordinals: "am 16. November", "das 19. Jahrhundert"
		article := lastWord(strings.TrimRightFunc(strings.TrimSuffix(before, word), unicode.IsSpace))
		return !is(strings.ToLower(article), "before-ordinal") && !is(strings.ToLower(next), "german-month")
	}
	word = strings.TrimLeft(word, opening+"[")
	word = elided.ReplaceAllString(word, "$1")
	short := word
	if len(word) > 1 { // "c. 1900", but "vitamin C."
		short = strings.ToLower(word)
	}
	rest := strings.TrimRightFunc(strings.TrimSuffix(before, word), unicode.IsSpace)
	if rest != "" && rest != before && digit(lastRune(rest)) && units.MatchString(word) { // "21 m."
		return true
	}
	cited := citationMarks(after)
	if next == "" && cited > 0 {
		next = firstWord(after[cited:])
	}
	switch {
	case is(short, "before-name"):
		return false
	case is(short, "before-number"):
		return !unicode.IsDigit(firstRune(after)) && cited == 0
	case is(short, "may-end"), initials.MatchString(word): // "u. a.", "p. ex.", "s. XIX", "J", "J.R", "Ph.D"
		return is(next, "opener")
	}
	return true
}

// initials matches a letter that is an initial or an abbreviation, and letters with points between.
var initials = lazyregexp.New(`^(?:[a-z]|[^\PLI]|\pL{1,2}(?:\.\pL{1,2})+)$`)

// units are those of one letter, which would be initials.
var units = lazyregexp.New(`^(?:[mlgstkAVWJKNC]|[kcm]?[mlgsW]|min)$`)

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(s, opens))
	return r
}

func opens(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(opening, r) }

// maxWord is the length of the longest word that may be an abbreviation, a month or the opener of a sentence, in bytes.
const maxWord = 16

// lastWord returns what is after the last white space or hyphen.
func lastWord(s string) string {
	s = s[max(0, len(s)-maxWord):]
	before := strings.TrimRightFunc(s, func(r rune) bool {
		return !unicode.IsSpace(r) && !strings.ContainsRune("-—–", r) &&
			!unspaced(r)
	})
	return s[len(before):]
}

// firstWord returns the first word of a text, but not the initial of a name.
func firstWord(s string) string {
	s = strings.TrimLeftFunc(s, opens)
	s = s[:min(len(s), maxWord)]
	end := strings.IndexFunc(s+" ", func(r rune) bool { return !unicode.IsLetter(r) })
	if end == 1 && strings.HasPrefix(s[end:], ".") {
		return ""
	}
	return s[:end]
}
