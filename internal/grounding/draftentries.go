package grounding

import (
	"slices"
	"strings"
	"unicode"
)

// entryIndex finds the entry of the reference list that a mark names.
type entryIndex struct {
	references []Reference
	labels     map[string]*sameLabel
	names      map[string][]int // "smith 2021" -> indexes
	// authorStyle says that most entries open with authors and a year and have no number: then a bracket with
	// names and a year is a citation, listed or not.
	authorStyle bool
	unnumbered  bool
}

// sameLabel are the entries with one label, in order: of several lists, or of the chapters of one text.
type sameLabel struct {
	addressed, bare []int
}

// maxSameName bounds how many entries of one name and year are compared for a mark.
const maxSameName = 16

func indexEntries(references []Reference) entryIndex {
	ix := entryIndex{references: references, labels: map[string]*sameLabel{}, names: map[string][]int{}, unnumbered: true}
	authored := 0
	for i, r := range references {
		if r.Number != "" {
			label := foldLabel(r.Number)
			if ix.labels[label] == nil {
				ix.labels[label] = &sameLabel{}
			}
			if r.URL != "" {
				ix.labels[label].addressed = append(ix.labels[label].addressed, i)
			} else {
				ix.labels[label].bare = append(ix.labels[label].bare, i)
			}
			ix.unnumbered = false
		} else if r.Year != "" {
			authored++
		}
		if r.Year == "" {
			continue
		}
		for _, key := range authorKeys(r.Authors) {
			ix.add(key+" "+r.Year, i)
			if base := strings.TrimRightFunc(r.Year, unicode.IsLower); base != r.Year && base != "" {
				ix.add(key+" "+base, i)
			}
		}
	}
	ix.authorStyle = authored*2 > len(references)
	return ix
}

func (ix *entryIndex) add(key string, i int) {
	if have := ix.names[key]; len(have) < maxSameName && !slices.Contains(have, i) {
		ix.names[key] = append(have, i)
	}
}

func (ix *entryIndex) named() bool { return len(ix.names) > 0 }

func foldLabel(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// find returns the index plus 1 of the entry that a mark in this line names, 0 for none. Of several with its
// label, those with an address come first, and of them the next one after the mark.
func (ix *entryIndex) find(kind, target string, line int) int {
	switch kind {
	case MarkerNumber, MarkerFootnote, MarkerID, MarkerLabel:
	default:
		return 0
	}
	l := ix.labels[foldLabel(target)]
	if l == nil && kind == MarkerNumber { // [3] in a text whose list says S3
		l = ix.labels["s"+target]
	}
	if l == nil && kind == MarkerID {
		l = ix.labels[strings.TrimPrefix(target, "S")]
	}
	if l == nil {
		if n := listPosition(target); kind == MarkerNumber && ix.unnumbered && !ix.authorStyle && n >= 1 && n <= len(ix.references) {
			return n // a list without numbers is counted
		}
		return 0
	}
	list := l.addressed
	if len(list) == 0 {
		list = l.bare
	}
	at, _ := slices.BinarySearchFunc(list, line, func(i, line int) int { return ix.references[i].Line - line })
	return list[min(at, len(list)-1)] + 1
}

// position reads a small number; 0 for any other text.
func listPosition(s string) int {
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' || n > 10_000 {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}

// author returns the index plus 1 of the entry of these authors and this year, 0 for none. Of several, the one
// that has all the names of the mark wins; a letter that the list does not write counts them. John Smith is found
// as Smith unless the name must be just this one.
func (ix *entryIndex) author(names, year string, just bool) int {
	name := firstAuthor(names)
	if name == "" {
		return 0
	}
	keys := []string{name}
	if words := strings.Fields(name); !just && len(words) > 1 && len(words) <= 3 {
		keys = append(keys, words[len(words)-1])
	}
	base := strings.TrimRightFunc(year, unicode.IsLower)
	for _, key := range keys {
		if list := ix.names[key+" "+year]; len(list) > 0 {
			return ix.fullest(list, names) + 1
		}
		if list := ix.names[key+" "+base]; base != "" && base != year && len(list) > 0 {
			if ix.references[list[0]].Year != base { // the list has letters, but not this one
				continue
			}
			return list[min(int(year[len(year)-1]-'a'), len(list)-1)] + 1
		}
	}
	return 0
}

// fullest returns the entry of the list that has most of the names.
func (ix *entryIndex) fullest(list []int, names string) int {
	best, most := list[0], -1
	words := nameWords(names)
	for _, i := range list {
		have, n := nameWords(ix.references[i].Authors), 0
		for _, w := range words {
			if slices.Contains(have, w) {
				n++
			}
		}
		if n > most {
			best, most = i, n
		}
	}
	return best
}

func nameWords(s string) []string {
	const most = 40
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && r != '\'' && r != '’' && r != '-' })
	return words[:min(len(words), most)]
}

// authorKeys are the names under which a mark may cite an entry: the first author, that author's last word, and
// the initials of an organisation.
func authorKeys(authors string) []string {
	first := firstAuthor(authors)
	if first == "" {
		return nil
	}
	keys := []string{first}
	words := strings.Fields(first)
	if len(words) > 1 {
		keys = append(keys, words[len(words)-1])
	}
	capitals, inBrackets := "", ""
	for _, w := range strings.FieldsFunc(authors, func(r rune) bool { return r == ' ' || r == ',' || r == '.' }) {
		bare := strings.Trim(w, "()[]（）")
		if bare != w && strings.ToUpper(bare) == bare {
			inBrackets = strings.ToLower(bare)
			continue
		}
		if r := []rune(bare); len(r) > 1 && unicode.IsUpper(r[0]) {
			capitals += string(unicode.ToLower(r[0]))
		}
	}
	if len(capitals) > 2 && len(words) > 2 && !strings.Contains(authors, ",") {
		keys = append(keys, capitals)
	}
	if inBrackets != "" {
		keys = append(keys, inBrackets)
	}
	return keys
}
