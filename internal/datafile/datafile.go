// Package datafile reads the lists that other packages embed: a line an entry, with # before comments.
package datafile

import (
	"iter"
	"strings"
)

// Lines yields the lines of a list without white space around them. It skips blank lines and comments.
func Lines(list string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(list) {
			line = strings.TrimSpace(line)
			if line != "" && line[0] != '#' && !yield(line) {
				return
			}
		}
	}
}

// Pairs yields the names and values of lines "name: value". A line without a colon is a name with an empty value.
func Pairs(list string) iter.Seq2[string, string] {
	return func(yield func(name, value string) bool) {
		for line := range Lines(list) {
			name, value, _ := strings.Cut(line, ": ")
			if !yield(name, strings.TrimSpace(value)) {
				return
			}
		}
	}
}

// Sections yields the lines of a list in sections, each with the section that it is in: "[name]" opens one.
func Sections(list string) iter.Seq2[string, string] {
	return func(yield func(section, line string) bool) {
		section := ""
		for line := range Lines(list) {
			if head, ok := strings.CutPrefix(line, "["); ok {
				section, _, _ = strings.Cut(head, "]")
			} else if line, _, _ = strings.Cut(line, " #"); !yield(section, strings.TrimSpace(line)) {
				return
			}
		}
	}
}

// Words is the set of the words of a list, with white space between them.
func Words(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}
