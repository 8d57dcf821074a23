package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli"
)

// written makes the packages of two platforms with placeholder binaries.
func written(t *testing.T) string {
	t.Helper()
	t.Chdir("../..") // where the license is
	dir := t.TempDir()
	binary, notices := filepath.Join(dir, "binary"), filepath.Join(dir, "notices")
	for path, text := range map[string]string{binary: "a program", notices: "notices"} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := run(dir, notices, []string{"linux/arm64=" + binary, "windows/amd64=" + binary}); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestNPM(t *testing.T) {
	dir := written(t)
	for folder, program := range map[string]string{"citeloop": "bin/citeloop.js", "citeloop-linux-arm64": "bin/citeloop",
		"citeloop-win32-x64": "bin/citeloop.exe"} {
		data, err := os.ReadFile(filepath.Join(dir, "npm", folder, "package.json"))
		if err != nil {
			t.Fatal(err)
		}
		var m struct {
			Name, Version        string
			OptionalDependencies map[string]string
		}
		if err := json.Unmarshal(data, &m); err != nil {
			t.Fatal(err)
		}
		if m.Name != folder || m.Version != cli.Version {
			t.Errorf("%s is %s %s", folder, m.Name, m.Version)
		}
		if folder == "citeloop" && (len(m.OptionalDependencies) != 6 || m.OptionalDependencies["citeloop-win32-x64"] != cli.Version) {
			t.Errorf("optional dependencies %v", m.OptionalDependencies)
		}
		if info, err := os.Stat(filepath.Join(dir, "npm", folder, filepath.FromSlash(program))); err != nil || info.Mode()&0o100 == 0 {
			t.Errorf("%s: %v, %v", program, info, err)
		}
	}
}

func TestUnknownPlatform(t *testing.T) {
	if _, err := platformOf("plan9/amd64"); err == nil || !strings.Contains(err.Error(), "plan9/amd64") {
		t.Errorf("got %v", err)
	}
}
