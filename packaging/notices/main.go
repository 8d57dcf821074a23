// Command notices writes the licences of everything that citeloop's binaries contain: the modules of all platforms of a
// release, the Go library itself, and embedded files.
//
//	go run ./packaging/notices THIRD_PARTY_NOTICES
package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
)

// pdfium is the licence of PDFium, which go-pdfium embeds as WebAssembly. The module has only its own licence.
//
//go:embed pdfium.txt
var pdfium string

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: notices FILE")
		os.Exit(2)
	}
	text, err := notices()
	if err == nil {
		err = errors.Join(os.MkdirAll(filepath.Dir(os.Args[1]), 0o755), os.WriteFile(os.Args[1], text, 0o644))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

type module struct {
	Path, Version, Dir string
}

// notices returns the text. It fails if a module has no licence.
func notices() ([]byte, error) {
	modules, err := contained()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	out.WriteString("citeloop contains the software below. Each is under its own licence.\n")
	section := func(name, text string) {
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), name, strings.TrimSpace(text))
	}
	root, err := exec.Command("go", "env", "GOROOT").Output() // unknown to programs built with -trimpath
	if err != nil {
		return nil, fmt.Errorf("go env GOROOT: %w", err)
	}
	golang, err := licences(strings.TrimSpace(string(root)))
	if err != nil {
		return nil, fmt.Errorf("licence of Go: %w", err)
	}
	section("Go standard library "+runtime.Version(), golang)
	for _, m := range modules {
		text, err := licences(m.Dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Path, err)
		}
		section(m.Path+" "+m.Version, text)
	}
	section("PDFium, in go-pdfium", pdfium)
	return out.Bytes(), nil
}

// contained returns the modules whose packages any platform's binary contains, sorted.
func contained() ([]module, error) {
	found := map[string]module{}
	for _, system := range []string{"linux", "darwin", "windows"} {
		for _, machine := range []string{"amd64", "arm64"} {
			cmd := exec.Command("go", "list", "-deps", "-f",
				"{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}", ".")
			cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+machine)
			cmd.Stderr = os.Stderr
			lines, err := cmd.Output()
			if err != nil {
				return nil, fmt.Errorf("go list for %s/%s: %w", system, machine, err)
			}
			for line := range strings.Lines(string(lines)) {
				if part := strings.Split(strings.TrimSpace(line), "\t"); len(part) == 3 {
					found[part[0]] = module{Path: part[0], Version: part[1], Dir: part[2]}
				}
			}
		}
	}
	var all []module
	for _, m := range found {
		all = append(all, m)
	}
	slices.SortFunc(all, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return all, nil
}

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([-._].*)?$`)

// licences returns the texts of a module's licence files.
func licences(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var texts []string
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		texts = append(texts, strings.TrimSpace(string(text)))
	}
	if len(texts) == 0 {
		return "", fmt.Errorf("missing licence in %s", dir)
	}
	return strings.Join(texts, "\n\n"), nil
}
