// Command wrappers makes npm packages of the binaries of a release, for people without Go:
//
//	go run ./packaging/wrappers --out DIR --notices FILE linux/amd64=dist/citeloop ...
//
// It writes DIR/npm/citeloop and DIR/npm/citeloop-OS-CPU for npm publish. The package
// citeloop has the package of each platform as an optional dependency, and starts the binary of the installed one.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

func main() {
	out := flag.String("out", "", "folder to write to")
	notices := flag.String("notices", "", "file with the licences of what the binaries contain")
	flag.Parse()
	if err := run(*out, *notices, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "wrappers:", err)
		os.Exit(1)
	}
}

func run(out, notices string, args []string) error {
	if out == "" || notices == "" || len(args) == 0 {
		return errors.New("missing --out, --notices or OS/ARCH=BINARY")
	}
	papers := map[string][]byte{}
	for name, path := range map[string]string{"LICENSE": "LICENSE", "THIRD_PARTY_NOTICES": notices} {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		papers[name] = text
	}
	if err := writeLauncher(out, papers); err != nil {
		return err
	}
	for _, arg := range args {
		name, path, _ := strings.Cut(arg, "=")
		p, err := platformOf(name)
		if err != nil {
			return err
		}
		binary, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if err := p.writeNPM(out, binary, papers); err != nil {
			return err
		}
	}
	return nil
}
