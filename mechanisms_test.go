package main

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	mechanismPlace = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| ([DC0-9, –]+) \\|$")
	mechanismRange = regexp.MustCompile(`^([DC]?)(\d+)(?:–[DC]?(\d+))?$`)
	mechanismOther = regexp.MustCompile(`(?m)^\| ([DC]?\d+) \| \S`)
)

// docs/mechanisms.md leads from each mechanism of the seed documents to a place that exists.
func TestMechanismsAreListed(t *testing.T) {
	doc, err := os.ReadFile("docs/mechanisms.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, row := range mechanismPlace.FindAllStringSubmatch(string(doc), -1) {
		if _, err := os.Stat(row[1]); err != nil {
			t.Error(err)
		}
		for item := range strings.SplitSeq(row[2], ", ") {
			m := mechanismRange.FindStringSubmatch(item)
			if m == nil {
				t.Fatalf("%s: unexpected %q", row[1], item)
			}
			from, _ := strconv.Atoi(m[2])
			to := from
			if m[3] != "" {
				to, _ = strconv.Atoi(m[3])
			}
			for n := from; n <= to; n++ {
				seen[m[1]+strconv.Itoa(n)] = true
			}
		}
	}
	for _, row := range mechanismOther.FindAllStringSubmatch(string(doc), -1) {
		seen[row[1]] = true
	}
	for kind, n := range map[string]int{"D": 5, "": 184, "C": 15} {
		for k := 1; k <= n; k++ {
			if number := kind + strconv.Itoa(k); !seen[number] && number != "C13" { // the list of conflicts has no C13
				t.Errorf("mechanism %s is missing", number)
			}
		}
	}
}
