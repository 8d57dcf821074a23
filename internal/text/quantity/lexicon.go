package quantity

import (
	"embed"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/citeloop/citeloop/internal/datafile"
)

//go:embed data
var files embed.FS

// entry is one meaning of a phrase.
type entry struct {
	kind  string // number, scale, unit, ...
	class string // of a unit: what it measures
	name  string
	value float64
	exact string // for symbols: the spelling that has this meaning
}

// lexicon has the phrases of a language by their folded tokens, each behind a space. The beginnings of a phrase are in it
// too, without a meaning.
type lexicon map[string][]entry

// lexicons are the lexicons of the languages. Short texts are often of no known language: for them there is one of English and
// Chinese, which do not get into each other's way. The last is for the languages without a file.
var lexicons = sync.OnceValue(func() map[string]lexicon {
	out := map[string]lexicon{"": load("en", "zh"), "other": load("other")}
	for _, language := range []string{"en", "de", "fr", "es", "zh", "ja"} {
		out[language] = load(language)
	}
	return out
})

func load(languages ...string) lexicon {
	l := lexicon{}
	for _, language := range append(languages, "symbols") {
		l.read(language)
	}
	return l
}

// read reads one file: sections are kind and class, a line is "name value: phrase, phrase" with name and value optional. A test
// reads every file.
func (l lexicon) read(language string) {
	data, _ := files.ReadFile("data/" + language + ".txt")
	for section, line := range datafile.Sections(string(data)) {
		kind, class, _ := strings.Cut(section, " ")
		e := entry{kind: kind, class: class}
		head, phrases, ok := strings.Cut(line, ": ")
		if !ok {
			head, phrases = "", line
		}
		for field := range strings.FieldsSeq(head) {
			if v, err := strconv.ParseFloat(field, 64); err == nil {
				e.value = v
			} else {
				e.name = field
			}
		}
		for phrase := range strings.SplitSeq(phrases, ", ") {
			if language == "symbols" {
				e.exact = norm.NFKC.String(phrase)
			}
			key := ""
			for _, t := range split(phrase, language) {
				if !t.hyphen() {
					key += " " + t.fold
					l[key] = l[key][:len(l[key]):len(l[key])]
				}
			}
			l[key] = append(l[key], e)
		}
	}
}

// reader walks through the tokens of a text.
type reader struct {
	s       string
	lexicon lexicon
	tokens  []token
	english bool       // or of an unknown language
	out     []Quantity // Start and End in bytes until the end
}

// token returns the token i; a mark without text beyond both ends.
func (r *reader) token(i int) token {
	if i < 0 || i >= len(r.tokens) {
		return token{kind: markToken}
	}
	return r.tokens[i]
}

// glued reports whether token i directly follows the one before it.
func (r *reader) glued(i int) bool {
	return i > 0 && i < len(r.tokens) && r.tokens[i-1].end == r.tokens[i].start
}

func (r *reader) text(i int) string { return r.s[r.token(i).start:r.token(i).end] }

// match finds the longest phrase of a kind that begins at token i; next is the token after it.
func (r *reader) match(kind string, i int) (e entry, next int, ok bool) {
	key := ""
	for j := max(i, 0); j < len(r.tokens); j++ {
		if r.tokens[j].hyphen() && j > i {
			continue
		}
		key += " " + r.tokens[j].fold
		entries, known := r.lexicon[key]
		if !known {
			break
		}
		if found, unique := meaning(entries, kind, r.s[r.token(i).start:r.tokens[j].end]); unique {
			e, next, ok = found, j+1, true
		}
	}
	return e, next, ok
}

// meaning returns the one entry of a kind. A symbol in its own spelling goes first; otherwise a spelling with several meanings has none.
func meaning(entries []entry, kind, text string) (out entry, unique bool) {
	names := 0
	for _, e := range entries {
		switch {
		case e.kind != kind:
		case e.exact != "" && e.exact == norm.NFKC.String(text):
			return e, true
		case e.exact != "" && utf8.RuneCountInString(text) == 1:
		case names == 0 || out.name != e.name:
			out, names = e, names+1
		}
	}
	return out, names == 1
}
