package hosts

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// hooked is a client with a home of its own, whose server leaves its process id in a file.
func (a *agent) hooked(root, name string, hooks bool) (*agent, []string, error) {
	b := *a
	b.out.Reset()
	b.dir = filepath.Join(filepath.Dir(a.dir), a.name+"-"+name)
	if err := b.prepare(); err != nil {
		return nil, nil, err
	}
	bin := filepath.Join(b.dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		return nil, nil, err
	}
	script := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = serve ] && echo $$ >'%s'\nexport CITELOOP_ALLOW_PRIVATE=\"$(cat '%s' 2>/dev/null)\"\nexec '%s' --data '%s' \"$@\"\n", b.pidFile(), b.allowed(), a.citeloop, filepath.Join(b.dir, "data"))
	b.citeloop = filepath.Join(bin, "citeloop")
	if err := os.WriteFile(b.citeloop, []byte(script), 0o755); err != nil {
		return nil, nil, err
	}
	copied := filepath.Join(b.dir, "repository")
	if err := b.copyPlugin(root, copied, hooks); err != nil {
		return nil, nil, err
	}
	args, err := b.hooks.install(&b, copied)
	return &b, args, err
}

func (a *agent) pidFile() string { return filepath.Join(a.dir, "pid") }

// allowed is a file with the address on this machine that citeloop may read. Codex passes no environment to servers.
func (a *agent) allowed() string { return filepath.Join(a.dir, "allowed") }

// file writes a file of the project and returns its path.
func (a *agent) file(name, text string) (string, error) {
	path := filepath.Join(a.project(), name)
	return path, os.WriteFile(path, []byte(text), 0o644)
}

// sources returns the sources of a loop from the store, by id.
func (a *agent) sources(loop string) (map[string]string, error) {
	out, err := a.run(a.citeloop, []string{"loops", "show", loop, "--view", "sources"})
	if err != nil {
		return nil, err
	}
	var shown struct {
		Sources []struct {
			ID  string `json:"source_id"`
			URL string `json:"final_url"`
		} `json:"sources"`
	}
	if err := json.Unmarshal([]byte(out), &shown); err != nil {
		return nil, fmt.Errorf("%w:\n%s", err, tail(out))
	}
	found := map[string]string{}
	for _, src := range shown.Sources {
		found[src.ID] = src.URL
	}
	return found, nil
}

// begin starts a loop.
func begin(*model) call {
	return call{Tool: "loop_init", Args: object{"query": "Who keeps the lighthouse of Skerrow?"}}
}

// started returns the loop of the script.
func (m *model) started() string {
	var out struct {
		StateID string `json:"state_id"`
	}
	m.answered("loop_init", &out)
	return out.StateID
}

func (m *model) last() string { return m.requests[len(m.requests)-1].whole() }

// whole returns all that the model sees of a conversation.
func (r request) whole() string {
	all := r.Text
	for _, text := range r.Results {
		all += "\n" + text
	}
	return strings.NewReplacer("&#39;", "'", "&quot;", `"`, "&amp;", "&").Replace(all)
}

// checkHooks runs conversations with the hooks of the plugin, or of the extension.
func (a *agent) checkHooks(root string) error {
	return errors.Join(a.checkLedger(root), a.checkKilled(root), a.checkUntouched(root))
}

// checkLedger lets the client read with its own tools while a loop is open, and cite: what the model is told, what the loop has,
// and what becomes of wrong citations.
func (a *agent) checkLedger(root string) error {
	b, args, err := a.hooked(root, "ledger", true)
	if err != nil {
		return err
	}
	site, err := serveSite()
	if err != nil {
		return err
	}
	defer site.Close()
	if err := os.WriteFile(b.allowed(), []byte(site.address), 0o644); err != nil {
		return err
	}
	files := map[string]string{}
	for name, text := range map[string]string{
		"before.md": "# Before\n\nThis was read before the loop began.\n",
		"a.md":      "# Skerrow\n\nThe light was lit in 1874.\nIts keeper was Maria Holt.\n",
		"b.md":      "# Board\n\nThe northern board pays 214 crowns a year.\n",
		".env":      "SKERROW_PASSWORD=hunter2\n",
	} {
		if files[name], err = b.file(name, text); err != nil {
			return err
		}
	}
	page := "http://" + site.address + "/skerrow"
	steps := []func(*model) call{
		func(*model) call { return b.hooks.read(files["before.md"]) },
		begin,
		func(*model) call { return b.hooks.read(files["a.md"]) },
		func(*model) call { return b.hooks.read(files["a.md"]) },
		func(*model) call { return b.hooks.shell("sed -n '1,3p' b.md | head -5") },
		func(*model) call { return b.hooks.shell("cat .env") },
		func(*model) call { return b.hooks.shell("curl -s " + page) },
	}
	if b.hooks.write != nil {
		steps = append(steps, func(*model) call {
			return b.hooks.write(filepath.Join(b.project(), "report.md"), "# Report\n\nThe light was lit in 1874 [S1:99].\n")
		})
	}
	const wrong, right = "The light was lit in 1880 [S9]. The board pays for it.", "The light was lit in 1874 [S1:3]."
	steps = append(steps, func(*model) call { return call{Say: wrong} }, func(*model) call { return call{Say: right} })
	m, out, err := b.converseWith(args, false, steps)
	if err != nil {
		return fmt.Errorf("hooks: %w", err)
	}
	var faults []error
	seen := m.last()
	told := []string{"S1 = a.md, 4 lines: cite [S1:4]", "S2 = b.md, 3 lines: cite [S2:3]", "no source of the loop has the id S9", `"The board pays for it." (cites nothing)`}
	if !b.hooks.offline {
		told = append(told, "S3 = "+page)
	}
	for _, want := range told {
		if n := strings.Count(seen, want); n != 1 {
			faults = append(faults, fmt.Errorf("hooks: the model sees %d times %q", n, want))
		}
	}
	if b.hooks.write != nil && !strings.Contains(seen, "citeloop checked report.md") {
		faults = append(faults, errors.New("hooks: the errors of a written report do not reach the model"))
	}
	sources, err := b.sources(m.started())
	if err != nil {
		return err
	}
	want := map[string]string{"S1": "file://" + files["a.md"], "S2": "file://" + files["b.md"]}
	if !b.hooks.offline {
		want["S3"] = page
	}
	if fmt.Sprint(sources) != fmt.Sprint(want) {
		faults = append(faults, fmt.Errorf("hooks: the loop has %v, want %v", sources, want))
	}
	user := "the user's line is not printed in this mode"
	if strings.Contains(out, "every citation leads to text that was read") {
		user = "the user sees the result"
	}
	if len(faults) > 0 {
		return errors.Join(append(faults, fmt.Errorf("of what the model saw:\n%s", tail(seen)))...)
	}
	fmt.Fprintf(&a.out, "  hooks: %d sources recorded, none without a loop, no secret; wrong citations go to the model once; %s\n", len(sources), user)
	return nil
}

// checkKilled kills the server after a hook answered: what the model was told is in the store, and the conversation goes on.
func (a *agent) checkKilled(root string) error {
	b, args, err := a.hooked(root, "killed", true)
	if err != nil {
		return err
	}
	one, err1 := b.file("a.md", "# Skerrow\n\nThe light was lit in 1874.\n")
	two, err2 := b.file("b.md", "# Board\n\nThe northern board pays 214 crowns a year.\n")
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	var lost error
	m, _, err := b.converseWith(args, false, []func(*model) call{
		begin,
		func(*model) call { return b.hooks.read(one) },
		func(m *model) call {
			pid, err := os.ReadFile(b.pidFile())
			if err != nil {
				lost = err
				return b.hooks.read(two)
			}
			if n, err := strconv.Atoi(strings.TrimSpace(string(pid))); err != nil || syscall.Kill(n, syscall.SIGKILL) != nil {
				lost = fmt.Errorf("the server %s was not killed", pid)
			}
			sources, err := b.sources(m.started())
			if told := strings.Contains(m.last(), "S1 = a.md"); err != nil || !told || sources["S1"] != "file://"+one {
				lost = errors.Join(lost, err, fmt.Errorf("hooks: the model was told of S1: %v; after the server was killed the store has %v", told, sources))
			}
			return b.hooks.read(two)
		},
		func(*model) call { return call{Say: "The light was lit in 1874 [S1:3]."} },
	})
	if err := errors.Join(err, lost); err != nil {
		return fmt.Errorf("hooks, killed server: %w", err)
	}
	if !strings.Contains(m.last(), "214 crowns") {
		return errors.New("hooks, killed server: the client cannot read any more")
	}
	fmt.Fprintln(&a.out, "  hooks: a killed server loses nothing that a hook answered, and the conversation goes on")
	return nil
}

// volatile are parts of requests that differ between two runs of one script.
var volatile = regexp.MustCompile(`msg_[0-9a-f-]+|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{64}|\b[0-9]+\.[0-9]+ ?(?:s|seconds)\b|cch=[0-9a-f]+|Chunk ID: [0-9a-f]+|PGID: [0-9]+|[0-9]{13}`)

// checkUntouched compares a conversation without a loop with and without the hooks, byte by byte.
func (a *agent) checkUntouched(root string) error {
	var bodies [2][]string
	for i, hooks := range []bool{false, true} {
		if err := os.RemoveAll(filepath.Join(filepath.Dir(a.dir), a.name+"-untouched")); err != nil { // paths are in the requests
			return err
		}
		b, args, err := a.hooked(root, "untouched", hooks)
		if err != nil {
			return err
		}
		path, err := b.file("a.md", "# Skerrow\n\nThe light was lit in 1874.\n")
		if err != nil {
			return err
		}
		m, _, err := b.converseWith(args, true, []func(*model) call{
			func(*model) call { return b.hooks.read(path) },
			func(*model) call { return b.hooks.shell("cat a.md") },
			func(*model) call { return call{Say: "The light was lit in 1874, see [S1:3]."} },
		})
		if err != nil {
			return fmt.Errorf("hooks, without a loop: %w", err)
		}
		for j, body := range m.bodies {
			if m.requests[j].offersOwn() {
				shown, err := withoutMetadata(body)
				if err != nil {
					return err
				}
				bodies[i] = append(bodies[i], volatile.ReplaceAllString(strings.ReplaceAll(shown, b.dir, "DIR"), "#"))
			}
		}
	}
	if len(bodies[0]) != len(bodies[1]) {
		return fmt.Errorf("hooks, without a loop: %d requests, and %d with hooks", len(bodies[0]), len(bodies[1]))
	}
	for i := range bodies[0] {
		if at := differs(bodies[0][i], bodies[1][i]); at >= 0 {
			return fmt.Errorf("hooks, without a loop: request %d differs:\n%.300s\n%.300s", i, bodies[0][i][max(0, at-100):], bodies[1][i][max(0, at-100):])
		}
	}
	fmt.Fprintf(&a.out, "  hooks: without a loop, all %d requests are the same as without hooks\n", len(bodies[0]))
	return nil
}

// withoutMetadata returns the fields of a request without Codex's client_metadata, which no model sees, and which it writes in any
// order.
func withoutMetadata(body string) (string, error) {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(body), &fields); err != nil {
		return "", err
	}
	delete(fields, "client_metadata")
	var out strings.Builder
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		fmt.Fprintf(&out, "%s: %s\n", name, fields[name])
	}
	return out.String(), nil
}

// differs returns where two texts differ, or -1.
func differs(a, b string) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	if len(a) != len(b) {
		return min(len(a), len(b))
	}
	return -1
}

// site is a web site on this machine.
type site struct {
	*http.Server
	address string
}

func serveSite() (*site, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /skerrow", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, "<!doctype html><title>Skerrow</title><main><h1>Skerrow</h1>%s</main>", strings.Repeat("<p>The keepers of Skerrow wrote a line into their book in every night of the year.</p>\n", 12))
	})
	s := &site{&http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}, l.Addr().String()}
	go s.Serve(l)
	return s, nil
}
