package review

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/internal/grounding/lexicon"
)

//go:embed data
var files embed.FS

// swap replaces words by others.
type swap struct{ from, to string }

// swapTables are the swaps of every language that has a file, by language and section.
var swapTables = sync.OnceValue(func() map[string]map[string][]swap {
	out := map[string]map[string][]swap{}
	for _, lang := range lexicon.Languages() {
		if data, err := files.ReadFile("data/" + lang + ".txt"); err == nil {
			out[lang], _ = parseSwaps(string(data)) // a test reads every file
		}
	}
	return out
})

// lists are the sections that hold words or phrases alone.
var lists = []string{"opening", "frame", "frame named", "joined", "lower", "clause", "place", "speech", "title"}

// parseSwaps reads "[section]" lines, "from -> to" lines, and "a <-> b" lines for both directions; # begins a comment.
func parseSwaps(data string) (map[string][]swap, error) {
	out := map[string][]swap{}
	section, n := "", 0
	for line := range strings.Lines(data) {
		n++
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") {
			section = line[1 : len(line)-1]
			continue
		}
		if slices.Contains(lists, section) {
			out[section] = append(out[section], swap{line, line})
			continue
		}
		from, to, both := strings.Cut(line, "<->")
		ok := both
		if !both {
			from, to, ok = strings.Cut(line, "->")
		}
		from, to = strings.TrimSpace(from), strings.TrimSpace(to)
		if !ok || section == "" || from == "" || to == "" || from == to {
			return out, fmt.Errorf("line %d: want [section], then from -> to: %q", n, line)
		}
		out[section] = append(out[section], swap{from, to})
		if both {
			out[section] = append(out[section], swap{to, from})
		}
	}
	return out, nil
}

// listed are the words of a section that is a list.
func listed(lang, section string) (out []string) {
	for _, s := range swapTables()[lang][section] {
		out = append(out, s.from)
	}
	return out
}
