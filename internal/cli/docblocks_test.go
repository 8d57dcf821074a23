package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// shellBlock is a fenced block of a document for a shell.
type shellBlock struct {
	file string
	line int // of its first command
	text string
}

var shellFence = regexp.MustCompile("(?ms)^([ \t]*)```(?:sh|bash|shell|console)[ \t]*\n(.*?)^[ \t]*```")

func shellBlocks(t *testing.T) []shellBlock {
	t.Helper()
	var out []shellBlock
	for file, text := range documents(t) {
		for _, m := range shellFence.FindAllStringSubmatchIndex(text, -1) {
			indent := text[m[2]:m[3]]
			block := strings.ReplaceAll("\n"+text[m[4]:m[5]], "\n"+indent, "\n")[1:]
			out = append(out, shellBlock{file, strings.Count(text[:m[4]], "\n") + 1, block})
		}
	}
	if len(out) < 25 {
		t.Fatalf("only %d blocks were found", len(out))
	}
	return out
}

// commands returns the lines of a block, those that end with a backslash joined with the next.
func (b shellBlock) commands() []string {
	var out []string
	for line := range strings.Lines(strings.ReplaceAll(b.text, "\\\n", " ")) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	return out
}

// programsRun are those of the lines that TestDocsRun runs.
var (
	programsRun   = []string{"citeloop", "export", "mkdir", "umask"}
	shellOperator = regexp.MustCompile(`&&|\|\|?|;|[()]|\$\(`)
)

// programs returns the programs that a line calls, without variables that are set for them.
func programs(line string) []string {
	var out []string
	line = strings.Join(strings.Fields(withoutComment(line)), " ")
	quoted := regexp.MustCompile(`'[^']*'|"[^"]*"`).ReplaceAllString(line, "Q")
	for _, part := range shellOperator.Split(quoted, -1) {
		words := strings.Fields(part)
		for len(words) > 0 && environment.MatchString(words[0]) {
			words = words[1:]
		}
		if len(words) > 0 {
			out = append(out, words[0])
		}
	}
	return out
}

func withoutComment(line string) string {
	if i := strings.Index(line, " #"); i >= 0 {
		return line[:i]
	}
	return line
}

// notRun says which lines TestDocsRun leaves out, and why.
var notRun = []struct {
	line *regexp.Regexp
	why  string
}{
	{regexp.MustCompile(`^citeloop (serve|ui)\b`), "a server, which does not end (serve_test.go, ui_test.go)"},
	{regexp.MustCompile(`^citeloop (audit|fetch|search)\b|CITELOOP_CHANNELS=| --(ask|check)\b`), "needs the network (testdata/fetch.txt, search.txt)"},
	{regexp.MustCompile(`^citeloop research\b|^citeloop verify\b.* --reader\b`), "needs a model (research_test.go, testdata/settings.txt)"},
	{regexp.MustCompile(` --review-in\b`), "needs answers to the very batch (testdata/verify/review.txt)"},
	{regexp.MustCompile(`postgres://`), "needs PostgreSQL"},
	{regexp.MustCompile(`citeloop demo\b`), "the demo has its own script (testdata/demo.txt)"},
	{regexp.MustCompile(`^citeloop init( +#|$)`), "asks in a terminal"},
}

// otherCodes has the lines that do not end with 0, because nobody has read the texts of this test. The last that fits counts.
var otherCodes = []struct {
	line *regexp.Regexp
	code int
}{
	{regexp.MustCompile(`^citeloop loops report\b.* --format prisma\b`), 1}, // the loop of this test screened nothing
	{regexp.MustCompile(`^citeloop verify\b`), 3},
	{regexp.MustCompile(`^citeloop loops recheck\b`), 3},                          // the file is not in a folder that may be read
	{regexp.MustCompile(`^citeloop verify --claims \S+ --sources \S+ *(#|$)`), 0}, // a batch says how sound each claim is
	{regexp.MustCompile(`^citeloop verify --strict\b`), 1},
}

// Every line that can run does: in an empty home, without the network, and with the exit code that it should have.
func TestDocsRun(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil || testing.Short() {
		t.Skip("skipped: no sh, or -short")
	}
	home := newDocsHome(t, shell)
	ran := 0
	for _, b := range shellBlocks(t) {
		here := docsHome{shell: shell, folder: t.TempDir(), loop: home.loop, token: home.token}
		if err := os.CopyFS(here.folder, os.DirFS(home.folder)); err != nil {
			t.Fatal(err)
		}
		err := filepath.WalkDir(home.folder, func(path string, d fs.DirEntry, err error) error { // CopyFS lets others read all
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			return os.Chmod(filepath.Join(here.folder, strings.TrimPrefix(path, home.folder)), info.Mode().Perm())
		})
		if err != nil {
			t.Fatal(err)
		}
		var before []string // what the shell keeps from one line to the next
	lines:
		for _, line := range b.commands() {
			for _, p := range programs(line) {
				if !slices.Contains(programsRun, p) {
					t.Logf("%s:%d: not run: another program: %s", b.file, b.line, line)
					continue lines
				}
			}
			for _, rule := range notRun {
				if rule.line.MatchString(line) {
					t.Logf("%s:%d: not run: %s: %s", b.file, b.line, rule.why, line)
					continue lines
				}
			}
			if strings.HasPrefix(line, "export ") {
				before = append(before, line)
				continue
			}
			if strings.HasPrefix(line, "citeloop loops import") {
				line = "CITELOOP_DATA=another " + line // "on another machine"
			}
			out, code := here.run(t, strings.Join(append(before, line), "\n"))
			ran++
			want := 0
			for _, other := range otherCodes {
				if other.line.MatchString(line) {
					want = other.code
				}
			}
			if code != want {
				t.Errorf("%s:%d: %s: exit code %d, want %d\n%s", b.file, b.line, line, code, want, out)
			}
		}
	}
	if ran < 30 {
		t.Errorf("only %d lines ran", ran)
	}
}

// docsHome is a folder with a home and with the files that the documents name.
type docsHome struct {
	shell, folder string
	loop, token   string // ids
}

func newDocsHome(t *testing.T, shell string) docsHome {
	t.Helper()
	h := docsHome{shell: shell, folder: t.TempDir()}
	const tower = "# The tower\n\nThe tower of Arden was built in 1874 by two brothers.\nThe upkeep of the tower costs 900 crowns a year.\n"
	const text = "The tower of Arden was built in 1874 by two brothers ([tower](notes/tower.md)).\n"
	row := `{"id":"T","title":"The tower","text":"The tower of Arden was built in 1874 by two brothers."}` + "\n"
	stub := "#!/bin/sh\n"
	for name, content := range map[string]string{
		"report.md": text, "review.md": text, "answer.md": text,
		"notes/tower.md": tower, "papers/tower.md": tower, "home/papers/tower.md": tower,
		"page.html":    "<!doctype html><title>The tower</title><nav>Home</nav><article><h1>The tower</h1><p>The tower of Arden was built in 1874 by two brothers, and its upkeep costs 900 crowns a year. Visitors climb 212 steps to the platform, from which the harbour and both islands can be seen on a clear day in spring.</p><p>The bell rings at noon.</p></article>",
		"paper.pdf":    onePagePDF("The tower of Arden was built in 1874."),
		"claims.jsonl": `{"id":"a","claim":"The tower of Arden was built in 1874.","source_ids":["T"]}` + "\n", "sources.jsonl": row, "texts.jsonl": row,
		"bin/xdg-open": stub, "bin/open": stub, "secrets/.keep": "", "etc/citeloop/.keep": "",
	} {
		path := filepath.Join(h.folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	must := func(line string) string {
		out, code := h.run(t, line)
		if code != 0 {
			t.Fatalf("%s: exit code %d\n%s", line, code, out)
		}
		return out
	}
	must("citeloop demo --corpus notes --question 'When was the tower of Arden built?' --data other --out other/out")
	h.loop = regexp.MustCompile(`(?m)^[0-9a-f-]{36}`).FindString(must("citeloop loops list --data other"))
	must("citeloop loops export ID other/loop.zip --data other && citeloop loops report ID --format json --out report.json --data other && citeloop loops import other/loop.zip")
	must("citeloop token anna --file /etc/citeloop/tokens")
	h.token = regexp.MustCompile(`(?m)\b[0-9a-f]{12}\b`).FindString(must("citeloop token list --file /etc/citeloop/tokens"))
	return h
}

// placeholder is what stands for an id in the documents.
var placeholder = regexp.MustCompile(`\b(ID|01a2|0199c1d2|3b1f0c2a9d7e)\b`)

// run runs lines of a document with the ids and the folders of this home in place of those that they name.
func (h docsHome) run(t *testing.T, lines string) (output string, code int) {
	t.Helper()
	lines = placeholder.ReplaceAllStringFunc(strings.ReplaceAll(lines, "/etc/citeloop", "etc/citeloop"), func(id string) string {
		if id == "3b1f0c2a9d7e" {
			return h.token
		}
		return h.loop
	})
	home := filepath.Join(h.folder, "home")
	cmd := exec.CommandContext(t.Context(), h.shell, "-c", lines)
	cmd.Dir = h.folder
	cmd.Env = []string{"HOME=" + home, "USERPROFILE=" + home, "PATH=" + filepath.Join(h.folder, "bin") + string(os.PathListSeparator) + os.Getenv("PATH"), "CITELOOP_COPIES=off"}
	cmd.Stdin = strings.NewReader("y\n")
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

// onePagePDF returns a PDF of one line.
func onePagePDF(text string) string {
	show := "BT /F1 12 Tf 72 720 Td (" + text + ") Tj ET"
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	var at []int
	for i, object := range []string{
		"<< /Type /Catalog /Pages 2 0 R >>",
		"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
		"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
		fmt.Sprintf("<< /Length %d >>\nstream\n%s\nendstream", len(show), show),
		"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
	} {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, object)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, offset := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", offset)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(at)+1, start)
	return b.String()
}
