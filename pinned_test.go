package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
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

// registered returns the version of the registry entry, which is the next one to be released.
func registered(t *testing.T) string {
	t.Helper()
	var entry struct{ Version string }
	if err := json.Unmarshal([]byte(released(t, "packaging/registry/server.json")), &entry); err != nil {
		t.Fatal(err)
	}
	return entry.Version
}

// Actions are pinned by commit, with the version in a comment for people and for Dependabot. Tags can be moved. Our own has no
// commit before it is released.
func TestActionsArePinned(t *testing.T) {
	own := "citeloop/citeloop@v" + registered(t)
	for _, file := range append(workflows(t), "action.yml") {
		for _, m := range usedAction.FindAllStringSubmatch(released(t, file), -1) {
			if m[1] == own {
				continue
			}
			if !pinnedAction.MatchString(m[1]) || !versionNote.MatchString(m[2]) {
				t.Errorf("%s: %s%s; want a commit and a comment with its version", file, m[1], m[2])
			}
		}
	}
}

// Examples that run without a person install a version, that of the registry entry. A later version may find more.
func TestExamplesInstallAVersion(t *testing.T) {
	for file, versions := range map[string]int{"examples/ci/citations.yml": 2, "examples/precommit/.pre-commit-config.yaml": 1} {
		installed := regexp.MustCompile(`(?:uses: citeloop/citeloop@v|rev: v|version: )([^\s"]+)`).FindAllStringSubmatch(released(t, file),
			-1)
		if len(installed) != versions {
			t.Errorf("%s names %d versions, want %d", file, len(installed), versions)
		}
		for _, m := range installed {
			if m[1] != registered(t) {
				t.Errorf("%s installs %s, want %s", file, m[1], registered(t))
			}
		}
	}
}

// What others' machines read parses, and each input of the action reaches its script.
func TestYAML(t *testing.T) {
	for _, file := range append(workflows(t), "action.yml", ".pre-commit-hooks.yaml", "examples/precommit/.pre-commit-config.yaml",
		".github/dependabot.yml", ".goreleaser.yaml", "smithery.yaml") {
		var v any
		if err := yaml.Unmarshal([]byte(released(t, file)), &v); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
	var action struct {
		Inputs map[string]any
		Runs   struct {
			Steps []struct{ Env map[string]string }
		}
	}
	var hooks []struct{ ID, Entry string }
	var config struct {
		Repos []struct{ Hooks []struct{ ID string } }
	}
	for file, v := range map[string]any{"action.yml": &action, ".pre-commit-hooks.yaml": &hooks,
		"examples/precommit/.pre-commit-config.yaml": &config} {
		if err := yaml.Unmarshal([]byte(released(t, file)), v); err != nil {
			t.Fatal(err)
		}
	}
	script := released(t, "packaging/action/check")
	for input := range action.Inputs {
		used := false
		for name, value := range action.Runs.Steps[1].Env {
			used = used || value == "${{ inputs."+input+" }}" && strings.Contains(script, "${"+name+":-}")
		}
		if !used {
			t.Errorf("action.yml: the input %s has no effect", input)
		}
	}
	if strings.Contains(released(t, "action.yml"), "run: ${{") || strings.Contains(script, "${{") {
		t.Error("an input is part of a script")
	}
	for _, hook := range config.Repos[0].Hooks {
		if !slices.ContainsFunc(hooks, func(h struct{ ID, Entry string }) bool { return h.ID == hook.ID && h.Entry == "citeloop verify" }) {
			t.Errorf("the example names the hook %q, which .pre-commit-hooks.yaml does not have", hook.ID)
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
		for _, dangerous := range []string{"pull_request_target", "workflow_run:", "github.event.pull_request.title", "github.event.issue",
			"github.head_ref"} {
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
