package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestNotices(t *testing.T) {
	t.Chdir("../..")
	text, err := notices()
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"\nmodernc.org/sqlite ", "\ngithub.com/klippa-app/go-pdfium ", "\nGo standard library ",
		"Copyright 2014 The PDFium Authors", "\ngithub.com/mark3labs/mcp-go "} {
		if !strings.Contains(string(text), part) {
			t.Errorf("the notices lack %q", part)
		}
	}
	if strings.Contains(string(text), "honnef.co") {
		t.Error("the notices have a tool that no binary contains")
	}
}

func TestLicences(t *testing.T) {
	dir := t.TempDir()
	if text, err := licences(dir); err == nil {
		t.Errorf("a module without a licence has %q", text)
	}
	for name, text := range map[string]string{"LICENSE-MIT.txt": "one", "NOTICE": "two", "license_test.go.txt": "three",
		"README.md": "none"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := licences(dir)
	if err != nil || !strings.Contains(text, "one") || !strings.Contains(text, "two") || strings.Contains(text, "none") {
		t.Errorf("licences are %q, %v", text, err)
	}
}
