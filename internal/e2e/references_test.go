package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/txtar"
)

const bibliography = `@article{same, title = {Mills of the Old Harbours}, author = {Weber, I.}, year = 2012, doi = {10.1000/1}}
@article{altered, title = {Mills of the old harbours}, author = {Weber, Ida}, year = 2015}
@article{withdrawn, title = {Salt in the blood of sailors}, author = {Adler, Kim}, year = 2010, doi = {10.1000/2}}
@article{broken, title = {Never closed
`

// The tool looks up a bibliography without a loop: each entry has its outcome, and what is too much for a call is named. The
// services are a server that replays answers in their formats.
func TestReferencesAreLookedUp(t *testing.T) {
	empty := map[string][]byte{}
	answers, err := txtar.ParseFile("../../channels/testdata/answers.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range answers.Files {
		if name, ok := strings.CutSuffix(f.Name, " empty"); ok {
			empty[name] = f.Data
		}
	}
	empty["pubmed"] = []byte(`{"header": {}, "esearchresult": {"count": "0", "idlist": []}}`) // of its first request, which finds the ids
	mills := `{"DOI": "10.1000/1", "type": "journal-article", "title": ["Mills of the old harbours"], "author": [{"given": "Ida", ` +
		`"family": "Weber"}], "issued": {"date-parts": [[2012]]}}`
	salt := `{"DOI": "10.1000/2", "type": "journal-article", "title": ["Salt in the blood of sailors"], "author": [{"given": "Kim", ` +
		`"family": "Adler"}], "issued": {"date-parts": [[2010]]},
		"updated-by": [{"type": "retraction", "DOI": "10.1000/22", "updated": {"date-parts": [[2014, 3, 1]]}}]}`
	var mu sync.Mutex
	var arrived strings.Builder
	services := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		fmt.Fprintln(&arrived, r.URL)
		mu.Unlock()
		name, rest, _ := strings.Cut(strings.Trim(r.URL.Path, "/"), "/")
		w.Header().Set("Content-Type", map[bool]string{true: "application/atom+xml", false: "application/json"}[name == "arxiv"])
		switch {
		case name == "crossref" && rest == "10.1000/2":
			fmt.Fprintf(w, `{"status": "ok", "message-type": "work", "message": %s}`, salt)
		case name == "crossref" && rest != "":
			fmt.Fprintf(w, `{"status": "ok", "message-type": "work", "message": %s}`, mills)
		case name == "crossref" && strings.HasPrefix(r.URL.Query().Get("query"), "Mills"):
			fmt.Fprintf(w, `{"status": "ok", "message-type": "work-list", "message": {"items": [%s, %s]}}`, salt, mills)
		default:
			_, _ = w.Write(empty[name])
		}
	}))
	defer services.Close()
	env := []string{"CITELOOP_OPENALEX_KEY=", "CITELOOP_SEMANTIC_SCHOLAR_KEY="}
	for _, name := range []string{"crossref", "dblp", "datacite", "arxiv", "pubmed", "open-library"} {
		variable := "CITELOOP_" + strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
		env = append(env, fmt.Sprintf("%s_URL=%s/%s/", variable, services.URL, name), variable+"_RATE=100")
	}
	p := startServer(t, env, "--data", t.TempDir())
	p.initialize()

	// Two calls: the services are asked as seldom as they wish, and a call ends in 25 s.
	var got, said []string
	for _, list := range []string{bibliography, "@article{nowhere, title = {Quantum lanterns and the gradient of fog}, year = 2012}\n"} {
		answer := p.mustTool("audit_references", map[string]any{"bibliography": list})
		said = append(said, fmt.Sprint(answer))
		for _, r := range answer["references"].([]any) {
			row := r.(map[string]any)
			got = append(got, fmt.Sprint(row["key"], " ", row["status"]))
		}
	}
	if want := "same verified, altered mismatch, withdrawn retracted, nowhere not_found"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s: %v", strings.Join(got, ", "), want, said)
	}
	for _, part := range []string{"field:year", "listed:2015", "recorded:2012", "date:2014-03-01", "doi:10.1000/22", "crossref: empty",
		"datacite: empty", "the value of title is not closed"} {
		if !strings.Contains(strings.Join(said, ""), part) {
			t.Errorf("%q is missing: %v", part, said)
		}
	}

	long := ""
	for i := range 23 {
		long += fmt.Sprintf("Weber, I. (2012). Mills of the old harbours. Harbours, %d. doi:10.1000/1\n", i)
	}
	answer := p.mustTool("audit_references", map[string]any{"bibliography": long})
	if next := fmt.Sprint(answer["next"]); !strings.HasSuffix(next, "21, 22, 23; call again with these, 20 at a time") {
		t.Errorf("%v, %v", answer["summary"], next)
	}
	for _, tt := range []struct {
		args map[string]any
		want string
	}{
		{map[string]any{"bibliography": "Our unreleased product Falcon ships in May 2025.\n\n1. Falcon was tested in 2024.\n"},
			"no reference list found"},
		{map[string]any{"bibliography": "\n@book{a, title = {Tides},\n"}, "line 2: the entry is not closed"},
		{map[string]any{}, "bibliography: missing; give it: BibTeX"},
	} {
		if _, fault := p.tool("audit_references", tt.args); !strings.Contains(fault, tt.want) {
			t.Errorf("%v: %s\nwant %q", tt.args, fault, tt.want)
		}
	}

	// A text without a list is refused; of one with a list, only its entries are sent.
	binary, err := builtBinary()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name, text, want string
		code             int
	}{
		{"plan.md", "# Plan\n\nOur unreleased product Falcon ships in May 2025. See https://falcon.example/plan.\n\n1. Tell no one " +
			"about Falcon before 2025.\n", "no reference list found in", 2},
		{"notes.md", "Falcon ships in May 2025.\n\n## References\n\nAll that we read about Falcon by May 2025:\n\n[1] Weber, I. " +
			"(2012). Mills of the old harbours. doi:10.1000/1\n\nFalcon beats it since 2024.\n", "1 verified", 0},
		{"missing.bib", "", "file not found: ", 2},
	} {
		path := filepath.Join(t.TempDir(), tt.name)
		if tt.text != "" {
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), binary, "audit", path, "--data", t.TempDir())
		cmd.Env = append(os.Environ(), env...)
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != tt.code || !strings.Contains(string(out), tt.want) {
			t.Errorf("%s: exit %d, %s\nwant %d, %q", tt.name, code, out, tt.code, tt.want)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if !strings.Contains(arrived.String(), "Mills") || strings.Contains(strings.ToLower(arrived.String()), "falcon") {
		t.Errorf("the services were asked:\n%s", arrived.String())
	}
}
