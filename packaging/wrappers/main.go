// Command wrappers makes npm packages of the binaries of a release, for people without Go:
//
//	go run ./packaging/wrappers --out DIR --notices FILE linux/amd64=dist/citeloop ...
//
// It writes DIR/npm/citeloop and DIR/npm/citeloop-OS-CPU for npm publish. The package
// citeloop has the package of each platform as an optional dependency, and starts the binary of the installed one.
package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/cli"
)

//go:embed launcher.js
var launcher []byte

//go:embed npm.md
var readme []byte

func main() {
	out := flag.String("out", "", "folder to write to")
	notices := flag.String("notices", "", "file with the licences of what the binaries contain")
	flag.Parse()
	if err := run(*out, *notices, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "wrappers:", err)
		os.Exit(1)
	}
}

// run writes the package that users install, and one for each OS/ARCH=BINARY.
func run(out, notices string, args []string) error {
	if out == "" || notices == "" || len(args) == 0 {
		return errors.New("missing --out, --notices or OS/ARCH=BINARY")
	}
	optional := map[string]string{}
	for _, p := range platforms {
		optional["citeloop-"+p.npm()] = cli.Version
	}
	files := map[string]string{"LICENSE": "LICENSE", "THIRD_PARTY_NOTICES": notices}
	err := write(filepath.Join(out, "npm", "citeloop"), map[string]any{
		"description": "Research in rounds, with every sentence traced to text that was actually read",
		"bin":         map[string]string{"citeloop": "bin/citeloop.js"}, "engines": map[string]string{"node": ">=18"},
		"optionalDependencies": optional, "mcpName": "io.github.citeloop/citeloop",
		"keywords": []string{"mcp", "research", "citations", "verification"},
	}, files, map[string][]byte{"bin/citeloop.js": launcher, "README.md": readme})
	for _, arg := range args {
		name, binary, _ := strings.Cut(arg, "=")
		p, unknown := platformOf(name)
		if err = errors.Join(err, unknown); err != nil {
			return err
		}
		system, machine, _ := strings.Cut(p.npm(), "-")
		files["bin/citeloop"+p.suffix] = binary
		err = write(filepath.Join(out, "npm", "citeloop-"+p.npm()), map[string]any{"description": "The binary of citeloop for " + p.name,
			"os": []string{system}, "cpu": []string{machine}}, files, nil)
		delete(files, "bin/citeloop"+p.suffix)
	}
	return err
}

// write writes a package: its package.json with common members, copies of files, and texts.
func write(folder string, manifest map[string]any, files map[string]string, texts map[string][]byte) error {
	const homepage = "https://github.com/citeloop/citeloop"
	maps.Copy(manifest, map[string]any{
		"name": filepath.Base(folder), "version": cli.Version, "license": "MIT", "homepage": homepage + "#readme",
		"repository": map[string]string{"type": "git", "url": "git+" + homepage + ".git"}, "files": []string{"bin", "THIRD_PARTY_NOTICES"},
	})
	encoded, err := json.MarshalIndent(manifest, "", "  ")
	all := map[string][]byte{"package.json": append(encoded, '\n')}
	maps.Copy(all, texts)
	for name, path := range files {
		text, unread := os.ReadFile(path)
		all[name], err = text, errors.Join(err, unread)
	}
	if err = errors.Join(err, os.MkdirAll(filepath.Join(folder, "bin"), 0o755)); err != nil {
		return err
	}
	for name, text := range all {
		mode := os.FileMode(0o644)
		if strings.HasPrefix(name, "bin/") {
			mode = 0o755
		}
		err = errors.Join(err, os.WriteFile(filepath.Join(folder, filepath.FromSlash(name)), text, mode))
	}
	return err
}

// platform is a platform of a release: its name in Go, and the suffix of its binary.
type platform struct{ name, suffix string }

// platforms are those of .goreleaser.yaml. The binaries for Linux are static, so that they run with glibc and with musl.
var platforms = []platform{{"linux/amd64", ""}, {"linux/arm64", ""}, {"darwin/amd64", ""}, {"darwin/arm64", ""},
	{"windows/amd64", ".exe"}, {"windows/arm64", ".exe"}}

// npm returns the name of the platform in npm: "win32-x64".
func (p platform) npm() string {
	return strings.NewReplacer("windows", "win32", "amd64", "x64", "/", "-").Replace(p.name)
}

func platformOf(name string) (platform, error) {
	i := slices.IndexFunc(platforms, func(p platform) bool { return p.name == name })
	if i < 0 {
		return platform{}, fmt.Errorf("unknown platform %q: use linux, darwin or windows with amd64 or arm64", name)
	}
	return platforms[i], nil
}
