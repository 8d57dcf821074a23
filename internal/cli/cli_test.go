package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/citeloop/citeloop/internal/cli/console"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"citeloop": func() {
			os.Exit(Main(context.Background(), console.Process{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
				LookupEnv: os.LookupEnv}))
		},
	})
}

// ran runs the command line with its own environment.
func ran(ctx context.Context, env map[string]string, args ...string) (code int, stdout, stderr string) {
	return ranWith(ctx, strings.NewReader(""), env, args...)
}

// ranWith is ran with answers on standard input.
func ranWith(ctx context.Context, stdin io.Reader, env map[string]string, args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = Main(ctx, console.Process{Args: args, Stdin: stdin, Stdout: &out, Stderr: &errs, LookupEnv: lookupIn(env)})
	return code, out.String(), errs.String()
}

func lookupIn(env map[string]string) func(name string) (string, bool) {
	return func(name string) (string, bool) { v, ok := env[name]; return v, ok }
}

// put writes a file, in its folder.
func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestScripts(t *testing.T) {
	goCache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	var files []string
	folder := "testdata"
	if testing.Short() { // only those with concurrency: the race detector runs with -short
		folder = ""
		for _, name := range []string{"demo", "fetch", "listen", "search"} {
			files = append(files, "testdata/"+name+".txt")
		}
	}
	testscript.Run(t, testscript.Params{
		Dir:                 folder,
		Files:               files,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			// loopid sets LOOP to the id of the first loop that the last command listed.
			"loopid": func(ts *testscript.TestScript, neg bool, _ []string) {
				id := regexp.MustCompile(`(?m)^[0-9a-f-]{36}`).FindString(ts.ReadFile("stdout"))
				if neg || id == "" {
					ts.Fatalf("no loop is listed")
				}
				ts.Setenv("LOOP", id)
			},
			"site": serveFolder,
		},
		Setup: func(env *testscript.Env) error {
			// The demo runs the go command, which needs a home and a cache.
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("GOCACHE", goCache)
			env.Setenv("XDG_DATA_HOME", env.WorkDir+"/share")
			return nil
		},
	})
}

// serveFolder is the command "site FOLDER": it serves a folder until the script ends. SITE is its address, which citeloop may
// read; asked.txt has a line for each request.
func serveFolder(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: site FOLDER")
	}
	log, err := os.Create(ts.MkAbs("asked.txt"))
	ts.Check(err)
	srv := httptest.NewServer(folderSite(ts.MkAbs(args[0]), log))
	ts.Defer(func() {
		srv.Close()
		_ = log.Close()
	})
	ts.Setenv("SITE", srv.URL)
	ts.Setenv("CITELOOP_ALLOW_PRIVATE", strings.TrimPrefix(srv.URL, "http://"))
	ts.Setenv("CITELOOP_COPIES", "off")
	ts.Setenv("CITELOOP_CACHE", ts.MkAbs("cache"))
}

// folderSite serves the files of a folder. NAME.status holds the status with which NAME is answered, and NAME.moved
// the path to which it redirects.
func folderSite(folder string, asked io.Writer) http.Handler {
	files := http.FileServer(http.Dir(folder))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = fmt.Fprintln(asked, r.URL.Path) // one write, so requests side by side do not mix
		name := filepath.Join(folder, filepath.FromSlash(path.Clean("/"+r.URL.Path)))
		if to, err := os.ReadFile(name + ".moved"); err == nil {
			http.Redirect(w, r, strings.TrimSpace(string(to)), http.StatusFound)
			return
		}
		if b, err := os.ReadFile(name + ".status"); err == nil {
			status, err := strconv.Atoi(strings.TrimSpace(string(b)))
			if err != nil {
				status = http.StatusInternalServerError
			}
			w.WriteHeader(status)
			return
		}
		files.ServeHTTP(w, r)
	})
}
