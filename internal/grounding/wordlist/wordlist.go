// Package wordlist reads the word lists of the ranking and of the sentence splitter from embedded files, one a kind.
//
// A file has lines "words" or "value: words", the words separated by commas. "[name]" opens a section, "#" begins a comment.
package wordlist

import (
	"embed"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed data
var files embed.FS

// Line is one line of a list.
type Line struct {
	Section, Value string // either may be empty
	Words          []string
}

// Lines returns the lines of a list in order. The lists are part of the program and a test reads each: a name that has none
// returns no line.
func Lines(name string) []Line {
	data, _ := files.ReadFile("data/" + name + ".txt")
	var out []Line
	section := ""
	for raw := range strings.Lines(string(data)) {
		line, _, _ := strings.Cut(raw, "#")
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(line, "["); ok {
			section = strings.TrimSuffix(head, "]")
			continue
		}
		if line == "" {
			continue
		}
		l := Line{Section: section}
		if value, rest, ok := strings.Cut(line, ": "); ok {
			l.Value, line = value, rest
		}
		for word := range strings.SplitSeq(line, ",") {
			l.Words = append(l.Words, strings.TrimSpace(word))
		}
		out = append(out, l)
	}
	return out
}

// Simplified maps a traditional Chinese character to its simplified form, and any other character to itself.
func Simplified(c rune) rune {
	if s, ok := simplified()[c]; ok {
		return s
	}
	return c
}

var simplified = sync.OnceValue(func() map[rune]rune {
	out := make(map[rune]rune)
	for _, line := range Lines("traditional") {
		to, _ := utf8.DecodeRuneInString(line.Value)
		for _, w := range line.Words {
			from, _ := utf8.DecodeRuneInString(w)
			out[from] = to
		}
	}
	return out
})

// Sections returns the words of each section of a list.
func Sections(name string) map[string]map[string]bool {
	sections := make(map[string]map[string]bool)
	for _, l := range Lines(name) {
		if sections[l.Section] == nil {
			sections[l.Section] = make(map[string]bool)
		}
		for _, w := range l.Words {
			sections[l.Section][w] = true
		}
	}
	return sections
}

// Set returns the words of a section of a list.
func Set(name, section string) map[string]bool { return Sections(name)[section] }

// Words returns the words of a section of a list, in order.
func Words(name, section string) []string {
	var out []string
	for _, l := range Lines(name) {
		if l.Section == section {
			out = append(out, l.Words...)
		}
	}
	return out
}
