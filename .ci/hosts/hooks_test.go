package hosts

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// hooked is the client with a home of its own and the plugin's hooks, whose server may read an address on this machine.
func (a *agent) hooked(root string) (*agent, []string, error) {
	b := *a
	b.out.Reset()
	b.dir = filepath.Join(filepath.Dir(a.dir), a.name+"-hooks")
	if err := b.prepare(); err != nil {
		return nil, nil, err
	}
	bin := filepath.Join(b.dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		return nil, nil, err
	}
	script := fmt.Sprintf("#!/bin/sh\nexport CITELOOP_ALLOW_PRIVATE=\"$(cat '%s' 2>/dev/null)\"\nexec '%s' --data '%s' \"$@\"\n", b.allowed(), a.citeloop, filepath.Join(b.dir, "data"))
	b.citeloop = filepath.Join(bin, "citeloop")
	if err := os.WriteFile(b.citeloop, []byte(script), 0o755); err != nil {
		return nil, nil, err
	}
	copied := filepath.Join(b.dir, "repository")
	if err := copyPlugin(root, copied); err != nil {
		return nil, nil, err
	}
	args, err := b.hooks.install(&b, copied)
	return &b, args, err
}

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

// checkHooks lets the client read with its own tools while a loop is open, and cite: what the model is told, what the loop has,
// and what becomes of wrong citations.
func (a *agent) checkHooks(root string) error {
	b, args, err := a.hooked(root)
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
	m, out, err := b.converseWith(args, steps)
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
