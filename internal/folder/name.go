package folder

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// maxSlugChars bounds the part of a folder's name that comes from the question, in code points (chosen: six words). With
// four bytes each and the id, a name stays below the 255 bytes of common file systems.
const maxSlugChars = 48

// Name returns the name of a loop's folder: words of the question, and a short form of the id, which keeps loops with the
// same question apart. It has only letters, digits and hyphens.
func Name(loop, question string) string { return slug(question) + suffix(loop) }

// suffix returns the end of a folder's name: the beginning of the id, by which commands accept a loop, and its random end,
// because ids of one minute begin alike.
func suffix(loop string) string {
	const part = 8
	digits := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'a' && r <= 'f' {
			return r
		}
		return -1
	}, strings.ToLower(loop))
	if len(digits) <= 2*part {
		return "-" + digits
	}
	return "-" + digits[:part] + "-" + digits[len(digits)-part:]
}

// slug returns the words of a question in lower case, joined by hyphens.
func slug(question string) string {
	var words []string
	chars := 0
	for word := range strings.FieldsFuncSeq(norm.NFC.String(strings.ToLower(clip(question))), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Mc, r)
	}) {
		n := utf8.RuneCountInString(word)
		if chars+n > maxSlugChars {
			if len(words) == 0 {
				words = append(words, string([]rune(word)[:maxSlugChars]))
			}
			break
		}
		words = append(words, word)
		chars += n + 1
	}
	if len(words) == 0 {
		return "loop"
	}
	return strings.Join(words, "-")
}

// clip bounds the work for a long question.
func clip(question string) string {
	const most = 16 * maxSlugChars
	if len(question) <= most {
		return question
	}
	return strings.ToValidUTF8(question[:most], "")
}

var sourceID = lazyregexp.New(`^S[1-9][0-9]{0,8}$`)

// fileName returns the name of the file of a source, or "" for an id that this program does not mint. An imported archive
// may have any.
func fileName(source string) string {
	if !sourceID.MatchString(source) {
		return ""
	}
	return source + ".md"
}
