// Command wrappers makes npm and Python packages of the binaries of a release, for people without Go:
//
//	go run ./packaging/wrappers --out DIR --notices FILE linux/amd64=dist/citeloop ...
//
// It writes DIR/npm/citeloop and DIR/npm/citeloop-OS-CPU for npm publish, and DIR/wheel/*.whl for twine. The package
// citeloop has the package of each platform as an optional dependency, and starts the binary of the installed one.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
)

const (
	homepage = "https://github.com/citeloop/citeloop"
	summary  = "Research in rounds, with every sentence traced to text that was actually read"
)

// platform is a platform of a release, with its names in npm and in wheels.
type platform struct {
	name    string // in Go
	npmOS   string
	npmCPU  string
	wheel   string
	program string
}

// platforms are those of .goreleaser.yaml. The binaries for Linux are static, so that they run with glibc and with musl.
var platforms = []platform{
	{"linux/amd64", "linux", "x64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64", "citeloop"},
	{"linux/arm64", "linux", "arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64", "citeloop"},
	{"darwin/amd64", "darwin", "x64", "macosx_12_0_x86_64", "citeloop"},
	{"darwin/arm64", "darwin", "arm64", "macosx_12_0_arm64", "citeloop"},
	{"windows/amd64", "win32", "x64", "win_amd64", "citeloop.exe"},
	{"windows/arm64", "win32", "arm64", "win_arm64", "citeloop.exe"},
}

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
		if err := errors.Join(p.writeNPM(out, binary, papers), p.writeWheel(out, binary, papers)); err != nil {
			return err
		}
	}
	return nil
}

func platformOf(name string) (platform, error) {
	for _, p := range platforms {
		if p.name == name {
			return p, nil
		}
	}
	return platform{}, fmt.Errorf("unknown platform %q: use linux, darwin or windows with amd64 or arm64", name)
}
