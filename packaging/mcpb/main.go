// Command mcpb prepares the folder of an MCP bundle: the binary of one platform, and a manifest with its tools. The format's packer
// makes a file from the folder:
//
//	go run ./packaging/notices THIRD_PARTY_NOTICES
//	go run ./packaging/mcpb --binary citeloop --platform linux --notices THIRD_PARTY_NOTICES --out bundle
//	npx @anthropic-ai/mcpb pack bundle citeloop.mcpb
package main

import (
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/cli"
	"github.com/citeloop/citeloop/tools"
)

func main() {
	var b bundle
	flag.StringVar(&b.binary, "binary", "", "binary for the bundle")
	flag.StringVar(&b.platform, "platform", "", "platform of the binary: darwin, linux or win32")
	flag.StringVar(&b.notices, "notices", "", "file with the licences of what the binary contains")
	flag.StringVar(&b.out, "out", "", "folder to create")
	flag.Parse()
	if err := b.lay(); err != nil {
		fmt.Fprintln(os.Stderr, "mcpb:", err)
		os.Exit(1)
	}
}

type bundle struct{ binary, platform, notices, out string }

// lay creates the folder with manifest.json and server/citeloop.
func (b bundle) lay() error {
	if b.binary == "" || b.out == "" || b.notices == "" || !slices.Contains([]string{"darwin", "linux", "win32"}, b.platform) {
		return errors.New("missing --binary, --notices, --out or --platform (darwin, linux or win32)")
	}
	name := "citeloop"
	if b.platform == "win32" {
		name += ".exe"
	}
	data, err := manifest(b.platform, name)
	if err != nil {
		return err
	}
	return errors.Join(os.MkdirAll(filepath.Join(b.out, "server"), 0o755),
		copyFile(filepath.Join(b.out, "server", name), b.binary, 0o755),
		copyFile(filepath.Join(b.out, "THIRD_PARTY_NOTICES"), b.notices, 0o644),
		copyFile(filepath.Join(b.out, "LICENSE"), "LICENSE", 0o644),
		os.WriteFile(filepath.Join(b.out, "manifest.json"), append(data, '\n'), 0o644))
}

// frame is the manifest of the bundle, in version 0.3 of the format, without tools and with words for what differs.
//
//go:embed manifest.json
var frame string

// manifest returns the manifest for a platform.
func manifest(platform, program string) ([]byte, error) {
	var out map[string]any
	filled := strings.NewReplacer("VERSION", cli.Version, "PROGRAM", program, "PLATFORM", platform).Replace(frame)
	if err := json.Unmarshal([]byte(filled), &out); err != nil {
		return nil, err
	}
	all, err := tools.All(nil, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	var listed []map[string]string
	for _, t := range all {
		short, _, _ := strings.Cut(t.Tool.Description, "\n")
		listed = append(listed, map[string]string{"name": t.Tool.Name, "description": short})
	}
	out["tools"] = listed
	return json.MarshalIndent(out, "", "  ")
}

func copyFile(to, from string, mode os.FileMode) error {
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, mode)
}
