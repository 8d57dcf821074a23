package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/cli/console"
)

// ownChannel returns the environment of a run with one channel of the user's, which answers with body.
func ownChannel(t *testing.T, body string) map[string]string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer s3cret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, body)
	}))
	t.Cleanup(server.Close)
	file := filepath.Join(t.TempDir(), "channels.json")
	own := fmt.Sprintf(`{"channels":[{"name":"library","description":"An own channel.","kind":"json","address":"%s/find?q={query}",
		"headers":{"Authorization":"Bearer ${OWN_KEY}"},"paths":{"list":"hits","title":"title","url":"url","snippet":"text"},`+
		`"rate":50}]}`, server.URL)
	put(t, file, own)
	return map[string]string{"HOME": t.TempDir(), "CITELOOP_CHANNELS": file, "OWN_KEY": "s3cret",
		"CITELOOP_DATA": filepath.Join(t.TempDir(), "data"), "CITELOOP_CACHE": t.TempDir()}
}

const ownHits = `{"hits":[
	{"title":"Gezeitenmühlen der Bretagne, ihre Geschichte und ihre Müller seit dem Mittelalter",` +
	`"url":"https://mills.example.org/a/rather/long/address/that/is/never/cut?because=it+is+to+be+followed","text":"They turn with ` +
	`the tide, twice a day, and have done so for eight hundred years."},
	{"title":"潮汐磨坊的历史与技术以及它们在布列塔尼的分布情况综述",` +
	`"url":"https://mills.example.org/zh","text":"潮汐磨坊利用潮水的涨落来推动水车，在欧洲的` +
	`大西洋沿岸曾经十分常见。"},
	{"title":"A file","url":"file:///etc/passwd","text":"x"}]}`

// --list lists a folder by what its files state.
func TestSearchLists(t *testing.T) {
	dir := t.TempDir()
	for n := range 25 {
		body := fmt.Sprintf("---\ntitle: Mill %d\nstatus: %s\n---\n\nThe mill turns with the tide.\n", n, []string{"Final", "Draft"}[n%2])
		put(t, filepath.Join(dir, fmt.Sprintf("mill-%d.md", n)), body)
	}
	env := map[string]string{"HOME": t.TempDir(), "CITELOOP_CORPUS": dir, "CITELOOP_DATA": filepath.Join(t.TempDir(), "data"),
		"CITELOOP_CACHE": t.TempDir()}
	run := func(args ...string) (int, string, string) {
		return ran(t.Context(), env, append([]string{"search"}, args...)...)
	}
	code, out, said := run("--list", "--limit", "8", "status:Final")
	if code != console.ExitOK || !strings.Contains(out, "13 of 25 documents have status:Final\n") ||
		!strings.Contains(out, "  8. Mill 14\n") || strings.Contains(out, "Mill 15") {
		t.Fatalf("code %d: %s%s", code, out, said)
	}
	code, out, said = run("--list", "--limit", "100", "*")
	if code != console.ExitOK || !strings.Contains(out, "\n 25. ") || strings.Contains(out, "\n 26. ") {
		t.Errorf("code %d: %s%s", code, out, said)
	}
	if code, _, said = run("--list", "--channel", "wikipedia", "mill"); code != console.ExitUsage ||
		!strings.Contains(said, "list: not possible with wikipedia") {
		t.Errorf("a list of another channel: code %d: %s", code, said)
	}
}

func TestSearchAsJSON(t *testing.T) {
	code, out, said := ran(t.Context(), ownChannel(t, ownHits), "search", "--channel", "library", "--format", "json", "mills")
	if code != console.ExitOK {
		t.Fatalf("code %d: %s", code, said)
	}
	var got searchJSON
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	if len(got.Hits) != 3 || got.Hits[0].Source != "library" || !strings.HasSuffix(got.Hits[0].Title, "Mittelalter") ||
		got.Channels[0].Status != "ok" {
		t.Errorf("%+v", got)
	}
}

func TestWrapped(t *testing.T) {
	for text, want := range map[string][]string{"": nil, "a b c d": {"a b c", "d"}, "longer-than-that x": {"longer-than-that", "x"},
		"with\x1b[31m red\n": {"with[31m", "red"}} {
		if diff := cmp.Diff(want, console.Wrapped(text, 5)); diff != "" {
			t.Errorf("%q (-want +got)\n%s", text, diff)
		}
	}
}
