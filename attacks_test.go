package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The table of SECURITY.md has the attempts of bench/attack, in their order, and says of each whether it holds. bench is a module
// of its own, so its source is read.
func TestSecurityListsTheAttempts(t *testing.T) {
	source, err := os.ReadFile(filepath.Join("bench", "attack", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	attempt := regexp.MustCompile(`\{"([^"]+)", "([^"]+)", (holds|through), `)
	of := map[string][]string{} // function -> rows
	files, _ := filepath.Glob(filepath.Join("bench", "attack", "*.go"))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range strings.Split(string(text), "\nfunc ")[1:] {
			name, _, _ := strings.Cut(part, "(")
			for _, m := range attempt.FindAllStringSubmatch(part, -1) {
				of[name] = append(of[name], "| "+m[1]+" | "+m[2]+" | "+map[string]string{"holds": "yes", "through": "no"}[m[3]]+" |")
			}
		}
	}
	var want []string
	for _, m := range regexp.MustCompile(`(\w+Attempts)\(\)[,}]`).FindAllStringSubmatch(string(source), -1) {
		want = append(want, of[m[1]]...)
	}
	security, err := os.ReadFile("SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(security), "| family | attempt | holds |\n| --- | --- | --- |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(table), "\n")); len(want) < 40 || diff != "" {
		t.Errorf("%d attempts; SECURITY.md differs (-suite +table):\n%s", len(want), diff)
	}
}
