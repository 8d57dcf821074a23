package main

import (
	"os/exec"
	"strings"

	"github.com/citeloop/citeloop/bench/attack/lab"
)

func exhaustionAttempts() []attempt {
	return []attempt{
		{"exhaustion", "20,000 dead footnotes in one sentence", holds, exhaust("check: footnotes to nothing")},
		{"exhaustion", "50 dead footnotes in each of 4,000 sentences", holds, exhaust("check: sentences with 50")},
		{"exhaustion", "500 long claims", holds, exhaust("claims")},
		{"exhaustion", "an initialize of 400 kB", holds, exhaust("initialize")},
		{"exhaustion", "a resource or tool with a name of 380 kB", holds, exhaust("an unknown tool")},
	}
}

// exhaust runs a part of bench/exhaust, alone and 20 at a time: at most 10 s and 300 MB.
func exhaust(only string) func(*lab.Lab) (bool, string) {
	return func(l *lab.Lab) (bool, string) {
		out, err := exec.Command(exhaustProgram, "--binary", l.Binary, "--only", only).CombinedOutput()
		rows := strings.Split(strings.TrimSpace(string(out)), "\n")
		return err == nil, strings.Join(strings.Fields(rows[len(rows)-1]), " ")
	}
}
