package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
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
	for folder, program := range map[string]string{"citeloop": "bin/citeloop.js", "citeloop-linux-arm64": "bin/citeloop", "citeloop-win32-x64": "bin/citeloop.exe"} {
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

// Every file of a wheel is in its RECORD with its hash, and the program is executable.
func TestWheel(t *testing.T) {
	dir := written(t)
	wheels, err := filepath.Glob(filepath.Join(dir, "wheel", "*.whl"))
	if err != nil || len(wheels) != 2 {
		t.Fatalf("wheels %v, %v", wheels, err)
	}
	for _, path := range wheels {
		wheel, err := zip.OpenReader(path)
		if err != nil {
			t.Fatal(err)
		}
		defer wheel.Close()
		files, record := map[string]string{}, ""
		for _, f := range wheel.File {
			r, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(text)
			files[f.Name] = base64.RawURLEncoding.EncodeToString(sum[:])
			if strings.HasSuffix(f.Name, "/RECORD") {
				record = string(text)
			}
			if strings.Contains(f.Name, "/scripts/") && f.Mode()&0o100 == 0 {
				t.Errorf("%s cannot be executed", f.Name)
			}
		}
		for name, sum := range files {
			if !strings.HasSuffix(name, "/RECORD") && !strings.Contains(record, name+",sha256="+sum+",") {
				t.Errorf("%s is not in RECORD:\n%s", name, record)
			}
		}
		if len(files) != 6 {
			t.Errorf("%s has %d files", path, len(files))
		}
	}
}

func TestUnknownPlatform(t *testing.T) {
	if _, err := platformOf("plan9/amd64"); err == nil || !strings.Contains(err.Error(), "plan9/amd64") {
		t.Errorf("got %v", err)
	}
}
