// Command attack tries what pages, hosts, pull requests and clients may try, on the built binary, all on loopback, and prints
// a table of what holds. It exits with 1 if an attempt gets through that SECURITY.md says holds.
//
//	cd bench && go build -o /tmp/citeloop .. && go run ./attack --binary /tmp/citeloop
//
// It takes less than five minutes. Exhaustion in full is bench/exhaust, of which this runs a part.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/citeloop/citeloop/bench/attack/lab"
)

// attempt is one attack. through is set for those that SECURITY.md says get through.
type attempt struct {
	family, name string
	through      bool
	run          func(*lab.Lab) (holds bool, evidence string)
}

const (
	holds   = false
	through = true
)

// exhaustProgram is bench/exhaust.
var exhaustProgram string

func main() {
	binary, out, only := flag.String("binary", "", "citeloop"), flag.String("out", "", "write the table to this file, too"), flag.String("only", "", "run the attempts whose family or name has this part")
	flag.StringVar(&exhaustProgram, "exhaust", "", "bench/exhaust, built; its attempts are left out without it")
	flag.Parse()
	begun, failed, held := time.Now(), 0, 0
	var table strings.Builder
	fmt.Fprintf(&table, "| family | attempt | holds | observed |\n| --- | --- | --- | --- |\n")
	fmt.Print(table.String())
	for _, a := range attempts() {
		if !strings.Contains(a.family+" "+a.name, *only) || strings.HasPrefix(a.family, "exhaustion") && exhaustProgram == "" {
			continue
		}
		l, err := lab.New(*binary)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		ok, evidence := a.try(l)
		l.Close()
		says := "yes"
		switch {
		case ok:
			held++
		case a.through:
			says = "no"
		default:
			says, failed = "**no**", failed+1
		}
		row := fmt.Sprintf("| %s | %s | %s | %s |\n", a.family, a.name, says, strings.NewReplacer("|", "\\|", "\n", " ", "\x1b", "ESC").Replace(clip(evidence, 300)))
		fmt.Print(row)
		table.WriteString(row)
	}
	fmt.Printf("\n%d held, %d got through that should hold, %.0f s\n", held, failed, time.Since(begun).Seconds())
	if *out != "" {
		if err := os.WriteFile(*out, []byte(table.String()), 0o644); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
	}
	if failed > 0 {
		os.Exit(1)
	}
}

// try runs an attempt; one that cannot go on does not hold.
func (a attempt) try(l *lab.Lab) (ok bool, evidence string) {
	defer func() {
		switch failed := recover().(type) {
		case nil:
		case lab.Failed:
			ok, evidence = false, failed.Why
		default:
			panic(failed)
		}
	}()
	return a.run(l)
}

func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// attempts are all attempts, in the order of the table in SECURITY.md.
func attempts() (out []attempt) {
	for _, family := range [][]attempt{identityAttempts(), exhaustionAttempts(), ciAttempts(), hidingAttempts(), guardAttempts(), pageAttempts(), serverAttempts(), processAttempts()} {
		out = append(out, family...)
	}
	return out
}
