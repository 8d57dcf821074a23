package clients

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/install"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/llm"
	"github.com/citeloop/citeloop/internal/llm/reader"
	"github.com/citeloop/citeloop/internal/project"
	"github.com/citeloop/citeloop/internal/tomledit"
)

// none is the answer for no folders or no client.
const none = "none"

func NewInit(p console.Process, opts *setup.Options) *cobra.Command {
	in := &initRun{p: p, opts: opts, own: Own(p)}
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Set up citeloop for this folder, step by step",
		Long: `Set up citeloop for this folder: ask for the folders of your documents, the MCP client and the reader, try each (index
the folders, read the client's file, ask the model about one sentence), show what will be written, and ask.

It writes ` + project.Name + ` in this folder, which 'citeloop verify' reads, and the client's entry, as 'citeloop install' does.
Run it again to change an answer: the present values are the defaults, and everything else in the files stays. Keys and
addresses are never written to ` + project.Name + `: the model's are those of CITELOOP_READER_URL, _MODEL and _KEY.

Without a terminal, give the answers as flags and --yes; what is missing keeps its default, and the command says which.
An interrupted run changes no file but the index of your documents.`,
		Example: `  citeloop init
  citeloop init --corpus papers --client claude-code --reader assistant
  citeloop init --corpus papers --client none --reader none --yes`,
		Args: console.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			in.given = cmd.Flags().Changed
			if !in.yes {
				in.answers = console.NewAnswers(in.p.Stdin)
			}
			err := in.do(cmd.Context())
			if cmd.Context().Err() != nil && !in.wrote {
				return console.End{Code: console.ExitInterrupted, Cause: errors.New("interrupted; nothing was written")}
			}
			return err
		},
	}
	cmd.Flags().StringVar(&in.client, "client", "", "MCP client: "+strings.Join(install.Names(), ", ")+", or none")
	cmd.Flags().StringVar(&in.reader, "reader", "", "who reads sentences beside their sources: none, assistant (a subagent) or model (that of CITELOOP_READER_URL)")
	cmd.Flags().BoolVar(&in.yes, "yes", false, "ask nothing: use the flags, and the defaults for the rest")
	return cmd
}

// initRun is one run of init.
type initRun struct {
	p       console.Process
	opts    *setup.Options
	own     OwnPath
	given   func(string) bool
	answers *console.Answers
	client  string
	reader  string
	yes     bool

	machine install.Machine
	entries []entry // of the user's clients
	before  []byte  // the project file
	old     *project.File
	folders []string // absolute
	wrote   bool     // files are being written
}

func (in *initRun) do(ctx context.Context) (err error) {
	if in.machine, err = machine(in.p); err != nil {
		return err
	}
	if in.entries, err = entries(in.machine, in.own, install.User); err != nil {
		return err
	}
	if err := in.present(); err != nil {
		return err
	}
	if err := in.ask(ctx, "corpus", "Folders of your documents, with commas between them, or none", strings.Join(in.opts.Corpus, ","), in.presentFolders(), in.tryFolders); err != nil {
		return err
	}
	if err := in.ask(ctx, "client", "MCP client: "+strings.Join(install.Names(), ", ")+", or none", in.client, in.presentClient(), in.tryClient); err != nil {
		return err
	}
	usual := project.ReaderNone
	switch {
	case in.old.Reader != "":
		usual = in.old.Reader
	case in.client != none:
		usual = project.ReaderAssistant
	}
	if err := in.ask(ctx, "reader", "Who reads sentences beside their sources: none, assistant (a subagent of your client) or model (that of CITELOOP_READER_URL)", in.reader, usual, in.tryReader); err != nil {
		return err
	}
	return in.write(ctx)
}

// present reads the project file of this folder.
func (in *initRun) present() error {
	path := filepath.Join(in.machine.Dir, project.Name)
	in.old = &project.File{}
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		if above := project.Find(in.machine.Dir, console.FirstOf(in.p.Env("HOME"), in.p.Env("USERPROFILE"))); above != "" {
			fmt.Fprintf(in.p.Stderr, "%s applies to this folder; the new file will apply to the texts below this folder instead.\n", above)
		}
		return nil
	}
	body, err := setup.ReadProject(path)
	if err != nil {
		return err
	}
	in.before = body
	if in.old, err = project.Parse(project.Name, body); err != nil {
		return setup.ProjectFault(err)
	}
	return nil
}

// ask settles one answer: that of the flag, or of the user, or the default. try takes a valid answer.
func (in *initRun) ask(ctx context.Context, flag, question, value, usual string, try func(ctx context.Context, answer string) error) error {
	if in.given(flag) {
		if err := try(ctx, value); err != nil {
			return console.Usagef("--%s: %w", flag, err)
		}
		return nil
	}
	for !in.yes {
		fmt.Fprintf(in.p.Stderr, "%s [%s]: ", question, usual)
		answer, err := in.answers.Next(ctx)
		if errors.Is(err, console.ErrNoAnswer) {
			fmt.Fprintln(in.p.Stderr)
			break
		}
		if err != nil {
			return err
		}
		if err = try(ctx, console.FirstOf(answer, usual)); err == nil || ctx.Err() != nil {
			return err
		}
		fmt.Fprintf(in.p.Stderr, "%v\n", err)
	}
	fmt.Fprintf(in.p.Stderr, "--%s was not given: using %s\n", flag, usual)
	if err := try(ctx, usual); err != nil {
		return console.Usagef("--%s: %w", flag, err)
	}
	return nil
}

// presentFolders returns the folders of the project file and of the client's entry.
func (in *initRun) presentFolders() string {
	var folders []string
	for _, folder := range in.old.Corpus {
		if _, ok := project.Inside(in.machine.Dir, folder); ok {
			folders = append(folders, folder)
		}
	}
	for _, e := range in.entries {
		if e.Name != console.FirstOf(in.client, in.presentClient()) {
			continue
		}
		o, _, _ := e.options()
		for _, folder := range o.Corpus {
			if folder = in.shown(folder); !slices.Contains(folders, folder) {
				folders = append(folders, folder)
			}
		}
	}
	if len(folders) == 0 {
		return none
	}
	return strings.Join(folders, ",")
}

// shown returns a folder relative to this one if it is below it.
func (in *initRun) shown(folder string) string {
	if rel, err := filepath.Rel(in.machine.Dir, folder); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return folder
}

// tryFolders indexes the folders.
func (in *initRun) tryFolders(ctx context.Context, answer string) error {
	in.folders = nil
	if answer == none {
		return nil
	}
	for folder := range strings.SplitSeq(answer, ",") {
		folder = strings.TrimSpace(folder)
		if below, ok := strings.CutPrefix(folder, "~/"); ok { // no shell has replaced it
			folder = filepath.Join(in.p.Env("HOME"), below)
		}
		full, err := setup.CorpusFolder(folder)
		if err != nil {
			return errors.New(strings.TrimPrefix(err.Error(), "--corpus "))
		}
		in.folders = append(in.folders, full)
	}
	s, err := in.options().Settings(in.p)
	if err != nil {
		return err
	}
	pages, err := setup.NewReader(s, 0)
	if err != nil {
		return err
	}
	corpus, err := setup.OpenCorpus(s, pages)
	if err != nil {
		return errors.Join(err, pages.Close())
	}
	m := setup.NewMeter(in.p.Stderr)
	report, err := corpus.Index(ctx, m.Show)
	m.End()
	if err := errors.Join(err, corpus.Close(), pages.Close()); err != nil {
		return err
	}
	fmt.Fprintf(in.p.Stdout, "documents: %d in %s (%d of %d files not read)\n", report.Documents, answer, report.Unread, report.Files)
	return nil
}

// options are those of the command with the folders.
func (in *initRun) options() *setup.Options {
	o := *in.opts
	o.Corpus = in.folders
	return &o
}

// presentClient returns the client that has our entry, else none; before the first run the first on this machine.
func (in *initRun) presentClient() string {
	found := none
	for _, e := range in.entries {
		if e.has == install.Present {
			return e.Name
		}
		if found == none && in.before == nil && e.Found(in.machine) {
			found = e.Name
		}
	}
	return found
}

// tryClient checks that the client's file takes the entry.
func (in *initRun) tryClient(_ context.Context, answer string) error {
	in.client = answer
	if answer == none {
		return nil
	}
	at := slices.IndexFunc(in.entries, func(e entry) bool { return e.Name == answer })
	if at < 0 {
		return fmt.Errorf("unknown client %q%s", answer, console.SuggestOrList(answer, append(install.Names(), none)))
	}
	client := in.entries[at]
	command, err := in.own.Find()
	if err != nil {
		return err
	}
	if err = client.err; err == nil {
		_, err = client.Add(client.file.Text, install.Server{Command: command, Args: []string{"serve"}}, false)
	}
	if err != nil {
		return fmt.Errorf("the file of %s cannot be changed: %w; correct it, or use none", client.Title, err)
	}
	fmt.Fprintf(in.p.Stdout, "client: the file of %s is valid\n", client.Title)
	return nil
}

// readerTrial bounds the first answer of a model, which may be loaded for it.
const readerTrial = 2 * time.Minute

// tryReader asks a model about one sentence.
func (in *initRun) tryReader(ctx context.Context, answer string) error {
	in.reader = answer
	switch answer {
	case project.ReaderNone, project.ReaderAssistant:
		return nil
	case project.ReaderModel:
	default:
		return fmt.Errorf("unknown reader %q%s", answer, console.SuggestOrList(answer, []string{project.ReaderNone, project.ReaderAssistant, project.ReaderModel}))
	}
	m := setup.ReaderModel(in.p)
	if m.Url == "" || m.Name == "" {
		return errors.New("a model needs CITELOOP_READER_URL and CITELOOP_READER_MODEL in the environment, and for a hosted one CITELOOP_READER_KEY; set them and run 'citeloop init' again, or use none")
	}
	model, err := reader.New(llm.Config{URL: m.Url, Model: m.Name, Key: m.Key})
	if err != nil {
		return m.Fault(err)
	}
	within, cancel := context.WithTimeout(ctx, readerTrial)
	defer cancel()
	const sentence = "The tower of Arden has 311 steps."
	got, err := model.Read(within, []reader.Item{{ID: "R1-1", Claim: sentence, Passages: []reader.Passage{{Text: sentence}}}})
	switch {
	case err != nil:
		return err
	case len(got.Answers) == 0:
		return fmt.Errorf("%s did not answer: %s", model, console.FirstOf(got.Problem, "no usable answer"))
	case got.Answers[0].Answer != "supported":
		return fmt.Errorf("%s does not find a sentence in its own words (%s): it cannot read", model, got.Answers[0].Answer)
	}
	fmt.Fprintf(in.p.Stdout, "reader: %s answered\n", model)
	return nil
}

// write shows the changes, asks, and writes them.
func (in *initRun) write(ctx context.Context) error {
	after, err := in.after()
	if err != nil {
		return err
	}
	changed := !bytes.Equal(in.before, after)
	if changed {
		if _, err := in.p.Stdout.Write(diff.Diff(project.Name, in.before, project.Name+" (after)", after)); err != nil {
			return err
		}
	}
	entry := func(bool) error { return nil }
	if client, ok := install.Named(in.client); ok {
		server, err := serverOf(in.options(), in.p, in.own, in.variables())
		if err != nil {
			return err
		}
		entry = func(dry bool) error {
			return edit(in.p, client, installFlags{scope: string(install.User), dryRun: dry, forced: "overwrite the entry named citeloop"}, in.own, func(text []byte) (install.Change, error) { return client.Add(text, server, false) })
		}
		if err := entry(true); err != nil {
			return err
		}
	}
	if !in.yes {
		yes, err := in.answers.Confirm(ctx, in.p.Stderr, "Write this?")
		switch {
		case errors.Is(err, console.ErrNoAnswer):
			return console.Usagef("%w; nothing was written", err)
		case err != nil:
			return err
		case !yes:
			return errors.New("nothing was written")
		}
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	in.wrote = true
	if changed {
		if err := safefile.WriteFile(project.Name, func(w io.Writer) error { _, err := w.Write(after); return err }); err != nil {
			return err
		}
		fmt.Fprintf(in.p.Stdout, "wrote %s; 'citeloop verify' checks the texts of include\n", project.Name)
	} else {
		fmt.Fprintf(in.p.Stdout, "%s stays as it is\n", project.Name)
	}
	return entry(false)
}

// variables are those that the client's server needs for the model. Keys are not written.
func (in *initRun) variables() []string {
	if vars := setup.ReaderModel(in.p).Vars; in.reader == project.ReaderModel {
		return []string{vars.Url, vars.Model}
	}
	return nil
}

// newProject is a project file without answers.
const newProject = `#:schema ` + project.SchemaURL + `
# How 'citeloop verify' checks the texts of this project: docs/project-file.md of citeloop.
include = ["*.md", "docs/**/*.md"]
`

// after returns the project file with the answers. Only folders below this one are written: others are not those of the project.
func (in *initRun) after() ([]byte, error) {
	text := in.before
	if text == nil {
		text = []byte(newProject)
	}
	var folders []string
	for _, folder := range in.folders {
		shown := in.shown(folder)
		if _, ok := project.Inside(in.machine.Dir, shown); ok && !filepath.IsAbs(shown) {
			folders = append(folders, shown)
		} else {
			fmt.Fprintf(in.p.Stderr, "%s is not below this folder, so %s does not name it: use --corpus or CITELOOP_CORPUS with 'citeloop verify'\n", folder, project.Name)
		}
	}
	file, err := tomledit.Open(text)
	if err == nil && !slices.Equal(folders, in.old.Corpus) {
		err = file.Set(folders, "corpus")
	}
	if err == nil && in.reader != in.old.Reader {
		err = file.Set(in.reader, "reader")
	}
	if err != nil {
		return nil, err
	}
	return file.Text(), nil
}
