package sqlite_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/loopstate/storetest"
)

// The test binary is also a child process that writes to its parent's store. childVar has the path of the store, the
// writer's name and the number of appends, one a line.
const childVar = "CITELOOP_SQLITE_TEST_CHILD"

func TestMain(m *testing.M) {
	if task := os.Getenv(childVar); task != "" {
		if err := child(context.Background(), strings.Split(task, "\n")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// child appends to the loop L, each event with its text, and prints each acknowledged number.
func child(ctx context.Context, task []string) error {
	path, writer := task[0], task[1]
	n, err := strconv.Atoi(task[2])
	if err != nil {
		return err
	}
	store, err := sqlite.Open(ctx, path, sqlite.Options{})
	if err != nil {
		return err
	}
	err = storetest.AppendMany(ctx, withText{store}, "L", writer, n, func(seq int64) {
		fmt.Println(seq) // os.Stdout has no buffer, so the parent can read it after a kill
	})
	if err != nil {
		return err
	}
	return store.Close()
}

// withText appends a text with each event, like the use cases.
type withText struct{ loopstate.Store }

func (s withText) Append(ctx context.Context, head loopstate.Head, at int64, events []loopstate.Event, _ ...[]byte) error {
	return s.Store.Append(ctx, head, at, events, textOf(events[0].Op))
}

// textOf returns the text of an operation: a few pages, so that writing takes more than one frame.
func textOf(op string) []byte {
	return []byte(strings.Repeat("the text of "+op+", ", 500))
}

// process is a running child.
type process struct {
	cmd  *exec.Cmd
	acks *bufio.Scanner
}

func start(t *testing.T, path, writer string, n int) *process {
	t.Helper()
	self := must(os.Executable())(t)
	cmd := exec.CommandContext(t.Context(), self) // killed at the end of the test
	cmd.Env = append(os.Environ(), childVar+"="+path+"\n"+writer+"\n"+strconv.Itoa(n))
	cmd.Stderr = t.Output()
	out := must(cmd.StdoutPipe())(t)
	noError(t, cmd.Start())
	return &process{cmd, bufio.NewScanner(out)}
}

// next returns the next acknowledged number; ok is false at the end.
func (p *process) next(t *testing.T) (seq int64, ok bool) {
	t.Helper()
	if !p.acks.Scan() {
		return 0, false
	}
	seq, err := strconv.ParseInt(p.acks.Text(), 10, 64)
	if err != nil {
		t.Fatalf("the child printed %q", p.acks.Text())
	}
	return seq, true
}

// must returns the value of a call that has to succeed.
func must[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		noError(t, err)
		return value
	}
}

// noError ends a test with an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
