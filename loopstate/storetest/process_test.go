package storetest

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// The test binary is also a child process that writes to its parent's store. childVar has the implementation, the place of the
// store, the writer's name and the number of appends, one a line.
const childVar = "CITELOOP_STORETEST_CHILD"

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

// child appends to the loop L and prints each acknowledged number.
func child(ctx context.Context, task []string) error {
	n, err := strconv.Atoi(task[3])
	if err != nil {
		return err
	}
	store, err := named(task[0]).open(ctx, task[1])
	if err != nil {
		return err
	}
	err = AppendMany(ctx, store, "L", task[2], n, func(seq int64) {
		fmt.Println(seq) // os.Stdout has no buffer, so the parent can read it after a kill
	})
	if err != nil {
		return err
	}
	return store.Close()
}

func named(name string) implementation {
	for _, of := range implementations {
		if of.name == name {
			return of
		}
	}
	return implementation{}
}

// process is a running child.
type process struct {
	cmd  *exec.Cmd
	acks *bufio.Scanner
}

func start(t *testing.T, of implementation, place, writer string, n int) *process {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self) // killed at the end of the test
	cmd.Env = append(os.Environ(), childVar+"="+strings.Join([]string{of.name, place, writer, strconv.Itoa(n)}, "\n"))
	cmd.Stderr = t.Output()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
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

func TestKilledWhileWriting(t *testing.T) {
	for _, of := range implementations {
		t.Run(of.name, func(t *testing.T) {
			t.Parallel()
			place, acknowledged := of.place(t), int64(0)
			const kills = 30
			for kill := range kills { // after growing numbers of acknowledgements: at different pages, sometimes near a checkpoint
				p := start(t, of, place, fmt.Sprint("run", kill), 1_000_000)
				for n := 0; ; n++ {
					seq, ok := p.next(t)
					if !ok {
						break
					}
					if acknowledged = max(acknowledged, seq); n == kill*kill/20 {
						if err := p.cmd.Process.Kill(); err != nil { // SIGKILL
							t.Fatal(err)
						}
					}
				}
				if err := p.cmd.Wait(); err == nil {
					t.Fatal("the child was not killed")
				}
				store, err := of.open(t.Context(), place)
				if err != nil {
					t.Fatalf("Open after kill %d: %v", kill+1, err)
				}
				events, err := CheckLog(t.Context(), store, "L")
				heads, failed := store.List(t.Context(), "ada")
				if failed == nil && len(heads) == 1 && heads[0].Seq > int64(len(events)) { // a server has committed the last event since
					events, err = CheckLog(t.Context(), store, "L")
				}
				// The last event may be stored and not acknowledged.
				if n := int64(len(events)); err != nil || n < acknowledged || n > acknowledged+1 {
					t.Errorf("after kill %d: %d events, %v; %d were acknowledged", kill+1, n, err, acknowledged)
				}
				if err := failed; err != nil || len(heads) != 1 || heads[0].Seq != int64(len(events)) {
					t.Errorf("heads %+v, %v; the log has %d events", heads, err, len(events))
				}
				acknowledged = int64(len(events))
				if err := store.Close(); err != nil {
					t.Error(err)
				}
			}
			t.Logf("%d kills, %d acknowledged events, all there", kills, acknowledged)
		})
	}
}

func TestManyProcesses(t *testing.T) {
	for _, of := range implementations {
		t.Run(of.name, func(t *testing.T) {
			t.Parallel()
			const n, processes = 40, 3
			place, acknowledged := of.place(t), map[int64]int{}
			var children []*process
			for i := range processes { // each may create the store
				children = append(children, start(t, of, place, fmt.Sprint("writer", i), n))
			}
			for i, p := range children {
				for seq, ok := p.next(t); ok; seq, ok = p.next(t) {
					if other, twice := acknowledged[seq]; twice {
						t.Errorf("event %d was acknowledged to processes %d and %d", seq, other, i)
					}
					acknowledged[seq] = i
				}
				if err := p.cmd.Wait(); err != nil {
					t.Errorf("process %d: %v", i, err)
				}
			}
			store, err := of.open(t.Context(), place)
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			if events, err := CheckLog(t.Context(), store, "L"); err != nil || len(events) != n*processes ||
				len(acknowledged) != len(events) {
				t.Errorf("%d events, %v, %d acknowledged", len(events), err, len(acknowledged))
			}
		})
	}
}
