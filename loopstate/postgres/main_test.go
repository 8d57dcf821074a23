package postgres_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/citeloop/citeloop/loopstate/postgres"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

// The test binary is also a child process that writes to its parent's store. childVar has the store's URL and the child's
// name, one a line.
const childVar = "CITELOOP_POSTGRES_TEST_CHILD"

func TestMain(m *testing.M) {
	if task := os.Getenv(childVar); task != "" {
		address, name, _ := strings.Cut(task, "\n")
		if err := child(context.Background(), address, name); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// Work of each process: every client appends to a common loop, and then to several others.
const (
	processes = 4
	clients   = 16
	toOne     = 4 // appends of each client to the loop "one"
	many      = 8 // loops "many-0", …
	toMany    = 2 // appends of each client to each of them
)

// child appends with concurrent clients and prints each acknowledged operation with its loop and number.
func child(ctx context.Context, address, name string) error {
	store, err := postgres.Open(ctx, address, postgres.Options{})
	if err != nil {
		return err
	}
	failed := make([]error, clients)
	var mu sync.Mutex // for whole lines
	var running sync.WaitGroup
	for c := range clients {
		writer := fmt.Sprintf("%s.%d", name, c)
		write := func(loop string, n int) error {
			return storetest.AppendMany(ctx, store, loop, writer, n, func(seq int64) {
				mu.Lock()
				defer mu.Unlock()
				fmt.Println(loop, seq)
			})
		}
		running.Go(func() {
			failed[c] = write("one", toOne)
			for l := range many {
				if failed[c] == nil {
					failed[c] = write(fmt.Sprint("many-", (l+c)%many), toMany)
				}
			}
		})
	}
	running.Wait()
	for _, err := range failed {
		if err != nil {
			return err
		}
	}
	return store.Close()
}

func start(t *testing.T, address, name string) (wait func() (acknowledged []string)) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self) // killed at the end of the test
	cmd.Env = append(os.Environ(), childVar+"="+address+"\n"+name)
	cmd.Stderr = t.Output()
	var out strings.Builder
	cmd.Stdout = &out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return func() []string {
		if err := cmd.Wait(); err != nil {
			t.Errorf("process %s: %v", name, err)
		}
		return strings.Split(strings.TrimSpace(out.String()), "\n")
	}
}
