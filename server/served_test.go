package server

import (
	"log/slog"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/tools"
)

func TestListenLoopbackOnly(t *testing.T) {
	for address, want := range map[string]bool{"0.0.0.0:0": false, ":0": false, "[::]:0": false, "192.0.2.1:0": false,
		"example.org:80": false,
		"8080":           false, "": false, "127.0.0.1:0": true, "localhost:0": true} {
		l, err := Listen(t.Context(), address, nil)
		if (err == nil) != want {
			t.Errorf("listens on %q: %v", address, err)
		}
		if err == nil {
			l.Close()
		}
	}
}

// maxInstructions leaves a reserve: Claude Code cuts instructions at 2,048 characters.
const maxInstructions = 1_800

func TestInstructionsFit(t *testing.T) {
	if n := utf8.RuneCountInString(instructions); n > maxInstructions {
		t.Errorf("instructions have %d characters, at most %d are allowed", n, maxInstructions)
	}
}

// A server with a part of the tools names none of the others in its instructions and prompts.
func TestServedTools(t *testing.T) {
	for _, tt := range []struct {
		name    string
		cfg     Config
		want    []string
		prompts []string
	}{
		{"all", Config{}, tools.Names(),
			[]string{"continue_report", "coverage", "critic", "research", "reviewer", "searcher", "synthesize"}},
		{"read only", Config{ReadOnly: true}, []string{"loop_get_gaps", "loop_get_state", "loop_list", "find_passages", "list_channels",
			"loop_report"}, nil},
		{"a subset", Config{Tools: []string{"review_claims", "fetch"}}, []string{"fetch", "review_claims"}, []string{"reviewer"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.cfg.Logger = slog.New(slog.DiscardHandler)
			srv, err := New(newFixture(t).svc, tt.cfg)
			if err != nil {
				t.Fatal(err)
			}
			site := fixture{srv: srv}.serve(t, nil)
			begun, _ := site.ask(t, "server/discover", "", nil)
			texts := begun.Get("instructions").Str
			names := func(list string) (out []string) {
				listed, _ := site.ask(t, list+"/list", "", nil)
				for _, item := range listed.Get(list).Array() {
					out = append(out, item.Get("name").Str)
					if list == "prompts" {
						texts += item.Raw
					}
				}
				return out
			}
			got, prompts := names("tools"), names("prompts")
			if !slices.Equal(got, tt.want) || !slices.Equal(prompts, tt.prompts) {
				t.Errorf("tools %v, want %v; prompts %v, want %v", got, tt.want, prompts, tt.prompts)
			}
			for _, wrong := range []string{"fetchh", "nothing", "loop_init"} {
				_, fault := site.ask(t, "tools/call", wrong, object{"name": wrong})
				if !slices.Contains(tt.want, wrong) && !strings.Contains(fault, "(call ") {
					t.Errorf("the tool %s: %s, want the names of others", wrong, fault)
				}
			}
			for _, name := range tools.Names() {
				if !slices.Contains(tt.want, name) && strings.Contains(texts, name) {
					t.Errorf("%s is not served, and named: %s", name, texts)
				}
			}
		})
	}
}

// With tokens, every method of the endpoint requires one. The health check does not.
func TestEndpointRequiresToken(t *testing.T) {
	h := newFixture(t)
	tokens, path, tokenOf := newTokens(t, "anna")
	site := h.serve(t, tokens)
	anna := site.as(tokenOf["anna"])
	for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodDelete, http.MethodPut, http.MethodOptions,
		http.MethodHead} {
		if got := site.send(t, method, initialize, nil); got.Status != http.StatusUnauthorized || got.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%s without a token: %+v", method, got)
		}
	}
	named := caller{url: site.url + Endpoint + "?access_token=" + anna.token + "#"}
	if got := named.send(t, http.MethodPost, initialize, nil); got.Status == http.StatusOK {
		t.Errorf("a token in the address is accepted: %+v", got)
	}
	if resp, err := http.Get(site.url + "/healthz"); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("the health check: %v, %v", resp, err)
	}
	for header, value := range map[string]string{"Origin": "https://evil.example", "Host": "evil.example"} {
		if got := anna.send(t, http.MethodPost, initialize, map[string]string{header: value}); got.Status != http.StatusForbidden {
			t.Errorf("a page of another site with a token: %+v", got)
		}
	}
	if err := os.WriteFile(path, []byte("anna\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := anna.send(t, http.MethodPost, initialize, nil)
	if got.Status != http.StatusServiceUnavailable || got.Header.Get("Retry-After") == "" || strings.Contains(got.Body, path) {
		t.Errorf("with a damaged file: %+v", got)
	}
}
