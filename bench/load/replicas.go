package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
)

// replica is one citeloop process. It keeps its address when it is restarted.
type replica struct {
	args    []string
	binary  string
	address string
	cmd     *exec.Cmd
	mu      sync.Mutex // guards cmd
}

var servesAt = regexp.MustCompile(`serves MCP at http://(\S+)/mcp`)

func newReplica(ctx context.Context, s settings, data string) (*replica, error) {
	r := &replica{binary: s.binary, address: "127.0.0.1:0", args: []string{"serve", "--data", data}}
	if s.store != "" {
		r.args = append(r.args, "--store", s.store)
	}
	return r, r.start(ctx)
}

func (r *replica) start(ctx context.Context) error {
	cmd := exec.Command(r.binary, append(r.args, "--http", r.address)...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=2")
	out, err := cmd.StderrPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	lines, found := bufio.NewScanner(out), make(chan string, 1)
	go func() {
		for lines.Scan() {
			if m := servesAt.FindStringSubmatch(lines.Text()); m != nil {
				found <- m[1]
			} else if bytes.Contains(lines.Bytes(), []byte("ERROR")) {
				fmt.Fprintln(os.Stderr, lines.Text())
			}
		}
		close(found)
	}()
	select {
	case address, ok := <-found:
		if !ok {
			return fmt.Errorf("%s exited at start", r.binary)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.cmd == nil { // later it listens there again
			r.address = address
		}
		r.cmd = cmd
		return nil
	case <-time.After(30 * time.Second):
		return fmt.Errorf("%s does not report its address", r.binary)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// kill ends the process like a power failure.
func (r *replica) kill() {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}

// resident returns its memory in MB.
func (r *replica) resident() float64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb / 1024
		}
	}
	return 0
}

// pool is all replicas.
type pool struct{ replicas []*replica }

// killInTurn kills a replica in each interval, but not the first ones that are kept, and starts it again a second later.
func (p *pool) killInTurn(ctx context.Context, every time.Duration, keep int) (kills int) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return kills
		case <-ticker.C:
		}
		r := p.replicas[keep+kills%(len(p.replicas)-keep)]
		r.kill()
		kills++
		time.Sleep(time.Second)
		if err := r.start(context.WithoutCancel(ctx)); err != nil {
			fmt.Fprintln(os.Stderr, "load: cannot restart a replica:", err)
			return kills
		}
	}
}

func (p *pool) stop() {
	for _, r := range p.replicas {
		r.kill()
	}
}
