package report

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// citeKeys returns the keys of the sources in bibliographies: family name, year and first word of the title, such as
// "pike2015proverbs", or the source's id if the name has no Latin letters. Equal keys get a, b, c. Keys have lower-case
// letters and digits only.
func citeKeys(sources []Source) []string {
	keys := make([]string, len(sources))
	taken := make(map[string]bool, len(sources))
	for i, s := range sources {
		base := keyOf(s)
		if base == "" {
			base = "source" + strconv.Itoa(i+1)
		}
		key := base
		for n := 0; taken[key]; n++ {
			key = base + letters(n)
		}
		taken[key], keys[i] = true, key
	}
	return keys
}

func keyOf(s Source) string {
	name := ""
	if authors := people(s.Authors); len(authors) > 0 {
		name = authors[0].family
		if name == "" {
			name = authors[0].literal
		}
	}
	name = clip(ascii(name), 24)
	if name == "" {
		return ascii(s.ID)
	}
	year, _, _ := loopstate.DateParts(s.PublishedAt)
	if year > 0 {
		name += strconv.Itoa(year)
	}
	for _, word := range strings.FieldsFunc(s.Title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if w := ascii(word); len(w) > 3 { // longer than most articles and prepositions
			return name + clip(w, 24)
		}
	}
	return name
}

func clip(s string, n int) string { return s[:min(n, len(s))] }

// ascii returns the letters and digits of s without accents, in lower case.
func ascii(s string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		switch {
		case r >= 'A' && r <= 'Z':
			b.WriteRune(r + 'a' - 'A')
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		}
	}
	return strings.TrimLeft(b.String(), "0123456789")
}

// letters counts a, b, … z, aa, ab, …
func letters(n int) string {
	s := ""
	for n++; n > 0; n = (n - 1) / 26 {
		s = string(rune('a'+(n-1)%26)) + s
	}
	return s
}

// arxivID returns the arXiv number of a source, or "".
func arxivID(s Source) string {
	id, ok := strings.CutPrefix(s.Key, "arxiv:")
	if !ok {
		return ""
	}
	return sanitize.Line(id)
}
