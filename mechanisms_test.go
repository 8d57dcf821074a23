package main

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	mechanismRow = regexp.MustCompile(`^\| ([DC]?\d+) \| (held|asked|host|otherwise|part|not yet) \| \S.* \| ([^|]+) \|$`)
	codeSpan     = regexp.MustCompile("`([^`]+)`")
)

// docs/mechanisms.md has each mechanism of the seed documents once, and each place that it names exists.
func TestMechanismsAreListed(t *testing.T) {
	doc, err := os.ReadFile("docs/mechanisms.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	for line := range strings.SplitSeq(string(doc), "\n") {
		m := mechanismRow.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		seen[m[1]]++
		for _, place := range codeSpan.FindAllStringSubmatch(m[3], -1) {
			if _, err := os.Stat(place[1]); err != nil {
				t.Errorf("%s: %v", m[1], err)
			}
		}
	}
	var all []string
	for i, n := range map[string]int{"D": 5, "": 184, "C": 15} {
		for k := 1; k <= n; k++ {
			all = append(all, i+strconv.Itoa(k))
		}
	}
	for _, number := range all {
		want := 1
		if number == "C13" { // the list of conflicts has no C13
			want = 0
		}
		if seen[number] != want {
			t.Errorf("mechanism %s is there %d times", number, seen[number])
		}
	}
}
