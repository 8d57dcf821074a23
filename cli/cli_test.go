package cli

import (
	"context"
	"os"
	"regexp"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"citeloop": func() {
			os.Exit(Main(context.Background(), Process{Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, LookupEnv: os.LookupEnv}))
		},
	})
}

func TestScripts(t *testing.T) {
	goCache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
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
		},
		Setup: func(env *testscript.Env) error {
			// The go command, which the demo asks for its root, wants a home and a cache.
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("GOCACHE", goCache)
			env.Setenv("XDG_DATA_HOME", env.WorkDir+"/share")
			return nil
		},
	})
}
