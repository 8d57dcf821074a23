package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"time"
)

// replica is one citeloop process. It keeps its address when it is restarted.
type replica struct {
	address, data string
	mu            sync.Mutex // guards cmd
	cmd           *exec.Cmd
}

var servesAt = regexp.MustCompile(`serves MCP at http://(\S+)/mcp`)

func (r *replica) start() error {
	args := []string{"serve", "--data", r.data, "--http", r.address}
	if *store != "" {
		args = append(args, "--store", *store)
	}
	cmd := exec.Command(*binary, args...)
	cmd.Env = append(os.Environ(), "GOMAXPROCS=2")
	out, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.cmd = cmd
	r.mu.Unlock()
	found := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if m := servesAt.FindStringSubmatch(lines.Text()); m != nil {
				found <- m[1]
			} else if bytes.Contains(lines.Bytes(), []byte("ERROR")) {
				fmt.Fprintln(os.Stderr, lines.Text())
			}
		}
	}()
	select {
	case address := <-found:
		if strings.HasSuffix(r.address, ":0") { // later it listens there again
			r.address = address
		}
		return nil
	case <-time.After(30 * time.Second):
		return fmt.Errorf("%s does not report its address", *binary)
	}
}

// kill ends the process like a power failure.
func (r *replica) kill() {
	r.mu.Lock()
	defer r.mu.Unlock()
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}

// killInTurn kills one of the replicas in each interval, and starts it again a second later.
func killInTurn(ctx context.Context, replicas []*replica) (kills int) {
	ticker := time.NewTicker(*every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return kills
		case <-ticker.C:
		}
		r := replicas[kills%len(replicas)]
		r.kill()
		kills++
		time.Sleep(time.Second)
		if err := r.start(); err != nil {
			fmt.Fprintln(os.Stderr, "load: cannot restart a replica:", err)
			return kills
		}
	}
}
