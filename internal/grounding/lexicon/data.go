package lexicon

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

//go:embed data
var files embed.FS

// lexicons are the lexicons by language, each read when it is first asked for.
var lexicons = func() map[string]func() *Lexicon {
	out := make(map[string]func() *Lexicon)
	for _, lang := range Languages() {
		out[lang] = sync.OnceValue(func() *Lexicon {
			l, _ := load(lang) // a test reads every embedded file, so an error cannot occur
			return l
		})
	}
	return out
}()

// load reads the files of a language and those that all languages share.
func load(lang string) (*Lexicon, error) {
	l := &Lexicon{lang: lang, root: new(node), phrases: map[Kind][]phrase{}, forms: map[string]*form{}, gapped: map[string][]Gapped{}}
	paradigms := map[string][]paradigm{}
	for _, dir := range []string{"data/international", "data/" + lang} {
		list, err := files.ReadDir(dir)
		if err != nil {
			return l, err
		}
		// Paradigms first: opposites are inflected by them.
		if i := slices.IndexFunc(list, func(f fs.DirEntry) bool { return f.Name() == paradigmFile }); i > 0 {
			list[0], list[i] = list[i], list[0]
		}
		for _, f := range list {
			name := path.Join(dir, f.Name())
			data, err := files.ReadFile(name)
			if err != nil {
				return l, err
			}
			if err := l.read(Kind(strings.TrimSuffix(f.Name(), ".txt")), string(data), paradigms); err != nil {
				return l, fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return l, nil
}

const paradigmFile = "paradigms.txt"

// read reads one file. A file has sections: "[class]" opens one, and each line of it is "name value: phrase,
// phrase" with name and value optional. "#" begins a comment.
func (l *Lexicon) read(kind Kind, data string, paradigms map[string][]paradigm) error {
	class, n := "", 0
	for raw := range strings.Lines(data) {
		n++
		l.lines++
		line, _, _ := strings.Cut(raw, "#")
		line = strings.TrimSpace(line)
		var err error
		switch {
		case line == "":
		case line[0] == '[':
			name, ok := strings.CutSuffix(line[1:], "]")
			if !ok || name == "" {
				err = fmt.Errorf("bad section %q", line)
			}
			class = name
		case class == "":
			err = fmt.Errorf("entry before the first section: %q", line)
		case kind == "paradigms":
			var p paradigm
			if p, err = parseParadigm(line); err == nil {
				paradigms[class] = append(paradigms[class], p)
			}
		case kind == Synonym:
			l.synonyms.addLine(class, line)
		case kind == Paraphrase:
			err = l.addParaphrases(class, line, paradigms["verb"])
		case kind == Opposite:
			err = l.addOpposites(class, line, paradigms[class])
		default:
			err = l.addLine(kind, class, line)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
	return nil
}

func (l *Lexicon) addLine(kind Kind, class, line string) error {
	entry := Entry{Kind: kind, Class: class}
	if head, rest, ok := strings.Cut(line, ": "); ok {
		line = rest
		for i, field := range strings.Fields(head) {
			if v, err := strconv.ParseFloat(field, 64); err == nil {
				entry.Value = v
			} else if i == 0 {
				entry.Name = field
			} else {
				return fmt.Errorf("bad value %q", field)
			}
		}
	}
	for i, text := range strings.Split(line, ",") {
		text = strings.TrimSpace(text)
		if i == 0 && kind == Equivalent {
			entry.Name = Fold(text)
		}
		if err := l.add(text, entry); err != nil {
			return err
		}
	}
	return nil
}

// add adds a phrase to the dictionary. A repeated phrase with the same meaning is an error.
func (l *Lexicon) add(text string, e Entry) error {
	ts := tokens(l.lang, text)
	if len(ts) == 0 {
		return fmt.Errorf("empty entry")
	}
	n := l.root
	for _, t := range ts {
		if n.next == nil {
			n.next = map[string]*node{}
		}
		child := n.next[t.fold]
		if child == nil {
			child = new(node)
			n.next[t.fold] = child
		}
		n = child
	}
	stored := nodeEntry{Entry: e}
	if capitals(text) {
		stored.exact = text
	}
	if slices.Contains(n.entries, stored) {
		return fmt.Errorf("%q is listed twice", text)
	}
	n.entries = append(n.entries, stored)
	l.phrases[e.Kind] = append(l.phrases[e.Kind], phrase{text, e, l.lines})
	return nil
}

// node is a node of the dictionary, a tree of the words of phrases.
type node struct {
	next    map[string]*node
	entries []nodeEntry
}

type nodeEntry struct {
	Entry
	exact string // the spelling that text must have; empty when case does not matter
}

func (n *node) matching(text string) []Entry {
	var out []Entry
	for _, e := range n.entries {
		if e.exact == "" || e.exact == strings.ReplaceAll(text, ".", "") {
			out = append(out, e.Entry)
		}
	}
	return out
}

// capitals reports whether text is an abbreviation of capital letters, such as US, whose lower-case form is
// another word.
func capitals(text string) bool {
	upper := 0
	for _, r := range text {
		if !unicode.IsUpper(r) {
			return false
		}
		upper++
	}
	return upper > 1
}
