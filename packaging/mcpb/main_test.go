package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/cli"
)

// The bundle has the tools of the binary, and passes each setting by its variable.
func TestBundle(t *testing.T) {
	dir := t.TempDir()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir("../..") // where the license is
	notices := filepath.Join(dir, "notices")
	if err := os.WriteFile(notices, []byte("licences"), 0o644); err != nil {
		t.Fatal(err)
	}
	b := bundle{binary: binary, platform: "linux", notices: notices, out: filepath.Join(dir, "bundle")}
	if err := b.lay(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(b.out, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	var m struct {
		Version string
		Server  struct {
			EntryPoint string `json:"entry_point"`
			Config     struct {
				Env map[string]string
			} `json:"mcp_config"`
		}
		Tools    []struct{ Name, Description string }
		Settings map[string]struct{ Sensitive bool } `json:"user_config"`
	}
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	if m.Version != cli.Version || len(m.Tools) != 15 || m.Tools[0].Name != "loop_init" || m.Tools[0].Description == "" {
		t.Errorf("version %s, tools %+v", m.Version, m.Tools)
	}
	if info, err := os.Stat(filepath.Join(b.out, filepath.FromSlash(m.Server.EntryPoint))); err != nil || info.Size() == 0 {
		t.Errorf("the entry point: %v", err)
	}
	for variable, value := range m.Server.Config.Env {
		key := strings.TrimSuffix(strings.TrimPrefix(value, "${user_config."), "}")
		setting, ok := m.Settings[key]
		if !ok || setting.Sensitive != strings.HasSuffix(variable, "_KEY") {
			t.Errorf("%s is %s, whose setting is %+v", variable, value, setting)
		}
	}
}

func TestInvalidBundles(t *testing.T) {
	for _, b := range []bundle{{}, {binary: "x", out: "y"}, {binary: "x", out: "y", platform: "windows"},
		{binary: filepath.Join(t.TempDir(), "none"), out: t.TempDir(), platform: "linux"}} {
		if err := b.lay(); err == nil {
			t.Errorf("%+v is laid", b)
		}
	}
}
