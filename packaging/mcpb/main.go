// Command mcpb prepares the folder of an MCP bundle: the binary of one platform, and a manifest with its tools, which a
// binary of the same version for this machine may list instead. The format's packer makes a file from the folder:
//
//	go run ./packaging/notices THIRD_PARTY_NOTICES
//	go run ./packaging/mcpb --binary citeloop --platform linux --notices THIRD_PARTY_NOTICES --out bundle
//	npx @anthropic-ai/mcpb pack bundle citeloop.mcpb
package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/cli"
)

func main() {
	var b bundle
	flag.StringVar(&b.binary, "binary", "", "binary for the bundle")
	flag.StringVar(&b.runs, "runs", "", "binary of the same version that runs here, for the list of tools (default the same)")
	flag.StringVar(&b.platform, "platform", "", "platform of the binary: darwin, linux or win32")
	flag.StringVar(&b.notices, "notices", "", "file with the licences of what the binary contains")
	flag.StringVar(&b.out, "out", "", "folder to create")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := b.lay(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "mcpb:", err)
		os.Exit(1)
	}
}

type bundle struct{ binary, runs, platform, notices, out string }

// lay creates the folder with manifest.json and server/citeloop.
func (b bundle) lay(ctx context.Context) error {
	if b.binary == "" || b.out == "" || b.notices == "" || !slices.Contains([]string{"darwin", "linux", "win32"}, b.platform) {
		return errors.New("missing --binary, --notices, --out or --platform (darwin, linux or win32)")
	}
	if b.runs == "" {
		b.runs = b.binary
	}
	tools, err := toolsOf(ctx, b.runs)
	if err != nil {
		return fmt.Errorf("asking %s for its tools: %w", b.runs, err)
	}
	name := "citeloop"
	if b.platform == "win32" {
		name += ".exe"
	}
	if err := os.MkdirAll(filepath.Join(b.out, "server"), 0o755); err != nil {
		return err
	}
	if err := copyFile(filepath.Join(b.out, "server", name), b.binary, 0o755); err != nil {
		return err
	}
	if err := errors.Join(copyFile(filepath.Join(b.out, "THIRD_PARTY_NOTICES"), b.notices, 0o644),
		copyFile(filepath.Join(b.out, "LICENSE"), "LICENSE", 0o644)); err != nil {
		return err
	}
	data, err := manifest(b.platform, name, tools)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(b.out, "manifest.json"), append(data, '\n'), 0o644)
}

// toolsOf starts a server over stdio and lists its tools.
func toolsOf(ctx context.Context, binary string) ([]mcp.Tool, error) {
	data, err := os.MkdirTemp("", "citeloop-bundle-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(data)
	binary, err = filepath.Abs(binary)
	if err != nil {
		return nil, err
	}
	c := client.NewClient(transport.NewStdio(binary, []string{"CITELOOP_DATA=" + data}, "serve"))
	if err := c.Start(ctx); err != nil {
		return nil, err
	}
	defer c.Close()
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = mcp.LATEST_LEGACY_PROTOCOL_VERSION
	hello.Params.ClientInfo = mcp.Implementation{Name: "bundle", Version: cli.Version}
	if _, err := c.Initialize(ctx, hello); err != nil {
		return nil, err
	}
	list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	return list.Tools, nil
}

// frame is the manifest of the bundle, in version 0.3 of the format, without tools and with words for what differs.
//
//go:embed manifest.json
var frame string

// manifest returns the manifest for a platform.
func manifest(platform, program string, tools []mcp.Tool) ([]byte, error) {
	var out map[string]any
	filled := strings.NewReplacer("VERSION", cli.Version, "PROGRAM", program, "PLATFORM", platform).Replace(frame)
	if err := json.Unmarshal([]byte(filled), &out); err != nil {
		return nil, err
	}
	listed := make([]map[string]string, len(tools))
	for i, t := range tools {
		short, _, _ := strings.Cut(t.Description, "\n")
		listed[i] = map[string]string{"name": t.Name, "description": short}
	}
	out["tools"] = listed
	return json.MarshalIndent(out, "", "  ")
}

func copyFile(to, from string, mode os.FileMode) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	_, err = io.Copy(out, in)
	return err
}
