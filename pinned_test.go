package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	usedAction   = regexp.MustCompile(`(?m)^\s*(?:- )?uses:\s*(\S+)(.*)$`)
	pinnedAction = regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40}$`)
	versionNote  = regexp.MustCompile(`^ # v\d`)
	usedImage    = regexp.MustCompile(`(?m)^(?:FROM (?:--platform=\S+ )?|\s*image: )(\S+)`)
	pinnedImage  = regexp.MustCompile(`^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$`)
)

func workflows(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(".github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no workflows: %v", err)
	}
	return append(files, "examples/ci/citations.yml")
}

// Actions are pinned by commit, with the version in a comment for people and for Dependabot. Tags can be moved.
func TestActionsArePinned(t *testing.T) {
	for _, file := range workflows(t) {
		for _, m := range usedAction.FindAllStringSubmatch(released(t, file), -1) {
			if !pinnedAction.MatchString(m[1]) || !versionNote.MatchString(m[2]) {
				t.Errorf("%s: %s%s; want a commit and a comment with its version", file, m[1], m[2])
			}
		}
	}
}

// Examples that run without a person install a version, that of the registry entry. A later version may find more.
func TestExamplesInstallAVersion(t *testing.T) {
	var entry struct{ Version string }
	if err := json.Unmarshal([]byte(released(t, "packaging/registry/server.json")), &entry); err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"examples/ci/citations.yml", "examples/precommit/.pre-commit-config.yaml"} {
		installed := regexp.MustCompile(`github\.com/citeloop/citeloop@([^\s"]+)`).FindAllStringSubmatch(released(t, file), -1)
		if len(installed) == 0 {
			t.Errorf("%s installs nothing", file)
		}
		for _, m := range installed {
			if m[1] != "v"+entry.Version {
				t.Errorf("%s installs %s, want v%s", file, m[1], entry.Version)
			}
		}
	}
}

// Images are pinned by digest.
func TestImagesArePinned(t *testing.T) {
	for _, file := range []string{"Dockerfile", "packaging/docker/compose.yaml"} {
		images := usedImage.FindAllStringSubmatch(released(t, file), -1)
		if len(images) < 2 {
			t.Errorf("%s: %d images found", file, len(images))
		}
		for _, m := range images {
			if !pinnedImage.MatchString(m[1]) {
				t.Errorf("%s: %s; want a digest", file, m[1])
			}
		}
	}
}

var comment = regexp.MustCompile(`(?m)^\s*#.*$`)

// Workflows have no write permission but those that a job names, and do not run code of a pull request with secrets.
func TestWorkflowPermissions(t *testing.T) {
	for _, file := range workflows(t) {
		text := released(t, file)
		_, top, found := strings.Cut(text, "\npermissions:")
		top, _, _ = strings.Cut(top, "\njobs:")
		if !found || strings.Contains(top, "write") {
			t.Errorf("%s: the permissions of the whole workflow are missing or allow writing", file)
		}
		text = comment.ReplaceAllString(text, "") // which may warn of them
		for _, dangerous := range []string{"pull_request_target", "workflow_run:", "github.event.pull_request.title", "github.event.issue", "github.head_ref"} {
			if strings.Contains(text, dangerous) {
				t.Errorf("%s: %s gives untrusted input to a job with permissions", file, dangerous)
			}
		}
	}
}

// Dependabot renews each kind of pin, in each folder that has pins.
func TestPinsAreRenewed(t *testing.T) {
	text := released(t, ".github/dependabot.yml")
	for _, want := range []string{"github-actions", "docker\n", "docker-compose", "gomod", "/examples/ci", "/packaging/docker", "/bench"} {
		if !strings.Contains(text, want) {
			t.Errorf("dependabot.yml lacks %q", want)
		}
	}
	for _, folder := range []string{"examples/ci", "packaging/docker", "bench"} {
		if _, err := os.Stat(folder); err != nil {
			t.Error(err)
		}
	}
}
