package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/mark3labs/mcp-go/client"
	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/demo"
	"github.com/citeloop/citeloop/internal/research"
)

// The default questions, about documents of the Go installation. The second is for toolchain modules, which have no
// doc/.
const (
	memoryModelQuestion = "What does the Go memory model guarantee for sends and receives on channels?"
	schedulerQuestion   = "How do Gs, Ms and Ps work together in the Go scheduler?"
)

func newDemo(p Process, opts *options) *cobra.Command {
	var question, out string
	var web bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Run a full loop on real documents, without a model or the network",
		Long: `Run a full loop: a scripted host starts this program as an MCP server, searches in rounds, reads, takes claims from
the texts, has them checked, makes two deliberate mistakes, and writes a report in which each sentence links to its
passage.

It reads the documents of the Go installation unless --corpus is given. Nothing leaves the machine unless --web is
given. The loop is stored in a temporary folder unless --data or --store is given.`,
		Example: `  citeloop demo
  citeloop demo --corpus ~/papers --question "Does a four-day week raise output?"
  citeloop demo --web --question "What is retrieval-augmented generation?"`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runDemo(cmd.Context(), p, opts, question, out, web)
		},
	}
	cmd.Flags().StringVar(&question, "question", "", "question to research (required with --corpus)")
	cmd.Flags().StringVar(&out, "out", "citeloop-report", "folder for report.md and report.html")
	cmd.Flags().BoolVar(&web, "web", false, "also search Wikipedia, Crossref and arXiv, and read their results")
	return cmd
}

func runDemo(ctx context.Context, p Process, opts *options, question, out string, web bool) error {
	s, err := opts.settings(p)
	if err != nil {
		return err
	}
	if len(s.corpus) > 0 && question == "" {
		return usageError{errors.New("--corpus needs a --question about those documents")}
	}
	if len(s.corpus) == 0 {
		if s.corpus, question, err = goDocuments(ctx, question); err != nil {
			return err
		}
	}
	dataDir := firstOf(opts.data, p.env("CITELOOP_DATA"))
	if dataDir == "" {
		if dataDir, err = os.MkdirTemp("", "citeloop-demo-"); err != nil {
			return fmt.Errorf("a temporary folder for the demo: %w", err)
		}
		defer os.RemoveAll(dataDir)
	}
	fmt.Fprintf(p.Stdout, "citeloop %s: a scripted host, no model%s\n", Version, map[bool]string{true: "", false: ", no network"}[web])
	fmt.Fprintf(p.Stdout, "documents         %s\n", strings.Join(s.corpus, "\n                  "))

	c, err := startServer(dataDir, s.store, s.corpus)
	if err != nil {
		return err
	}
	defer c.Close()
	server, err := research.Connect(ctx, c, "citeloop-demo", Version)
	if err != nil {
		return err
	}
	channels := []string{"local"}
	if web {
		channels = append(channels, "wikipedia", "crossref", "arxiv")
	}
	result, err := demo.Run(ctx, demo.Config{Question: question, Channels: channels, Out: p.Stdout, ReportDir: out, Server: server})
	if err != nil {
		return err
	}
	fmt.Fprintf(p.Stdout, "\nOpen %s in a browser and click a citation.\n", result.HTML)
	if opts.data != "" || s.store != "" {
		fmt.Fprintf(p.Stdout, "The loop is stored: 'citeloop loops report %s' writes the report again, in any format.\n", result.StateID)
	}
	return nil
}

// startServer starts this program as an MCP server over stdio. The store's URL is passed by the environment, because all
// users of a machine can read the arguments of its processes.
func startServer(dataDir, store string, corpus []string) (*client.Client, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("finding this program: %w", err)
	}
	arguments := []string{"serve", "--data", dataDir}
	for _, dir := range corpus {
		arguments = append(arguments, "--corpus", dir)
	}
	c, err := client.NewStdioMCPClient(self, append(os.Environ(), "CITELOOP_STORE="+store), arguments...)
	if err != nil {
		return nil, fmt.Errorf("starting the server: %w", err)
	}
	return c, nil
}

// goDocuments returns the documents of the Go installation and a question that they answer.
func goDocuments(ctx context.Context, question string) (folders []string, asked string, err error) {
	root, err := goRoot(ctx)
	if err != nil {
		return nil, "", err
	}
	asked = schedulerQuestion
	if _, err := os.Stat(filepath.Join(root, "doc", "go_mem.html")); err == nil {
		asked = memoryModelQuestion
	}
	for _, dir := range []string{"doc", filepath.Join("src", "runtime"), filepath.Join("src", "cmd", "compile")} {
		dir = filepath.Join(root, dir)
		if info, err := os.Stat(dir); err == nil && info.IsDir() {
			folders = append(folders, dir)
		}
	}
	if len(folders) == 0 {
		return nil, "", fmt.Errorf("no documents in the Go installation in %s; name your own with --corpus and ask a --question about them", root)
	}
	return folders, firstOf(question, asked), nil
}

func goRoot(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if root := strings.TrimSpace(string(out)); err == nil && root != "" {
		return root, nil
	}
	return "", errors.New("go command not found, whose documents the demo reads; name your own with --corpus and ask a --question about them")
}
