package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"

	"github.com/citeloop/citeloop/internal/cli"
)

//go:embed launcher.js
var launcher []byte

//go:embed npm.md
var readme []byte

// manifest is a package.json with its common members.
func manifest(name, description string, more map[string]any) map[string]any {
	m := map[string]any{
		"name": name, "version": cli.Version, "description": description, "license": "MIT", "homepage": homepage + "#readme",
		"repository": map[string]string{"type": "git", "url": "git+" + homepage + ".git"},
	}
	maps.Copy(m, more)
	return m
}

func (p platform) npmName() string { return "citeloop-" + p.npmOS + "-" + p.npmCPU }

// writeLauncher writes the package that users install.
func writeLauncher(out string, papers map[string][]byte) error {
	optional := map[string]string{}
	for _, p := range platforms {
		optional[p.npmName()] = cli.Version
	}
	return writePackage(filepath.Join(out, "npm", "citeloop"), manifest("citeloop", summary, map[string]any{
		"bin": map[string]string{"citeloop": "bin/citeloop.js"}, "files": []string{"bin", "THIRD_PARTY_NOTICES"},
		"engines":              map[string]string{"node": ">=18"},
		"optionalDependencies": optional, "mcpName": "io.github.citeloop/citeloop", "keywords": []string{"mcp", "research", "citations",
			"verification"},
	}), map[string][]byte{"bin/citeloop.js": launcher, "README.md": readme}, papers)
}

// writeNPM writes the package that has the binary of one platform.
func (p platform) writeNPM(out string, binary []byte, papers map[string][]byte) error {
	return writePackage(filepath.Join(out, "npm", p.npmName()), manifest(p.npmName(), "The binary of citeloop for "+p.name, map[string]any{
		"os": []string{p.npmOS}, "cpu": []string{p.npmCPU}, "files": []string{"bin", "THIRD_PARTY_NOTICES"},
	}), map[string][]byte{"bin/" + p.program: binary}, papers)
}

func writePackage(folder string, m map[string]any, files, papers map[string][]byte) error {
	encoded, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Join(folder, "bin"), 0o755); err != nil {
		return err
	}
	var faults error
	for name, text := range files {
		faults = errors.Join(faults, os.WriteFile(filepath.Join(folder, filepath.FromSlash(name)), text, 0o755))
	}
	for name, text := range papers {
		faults = errors.Join(faults, os.WriteFile(filepath.Join(folder, name), text, 0o644))
	}
	return errors.Join(faults, os.WriteFile(filepath.Join(folder, "package.json"), append(encoded, '\n'), 0o644))
}
