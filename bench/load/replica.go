package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"
)

// replica is one citeloop process. It keeps its address when it is restarted.
type replica struct {
	address, data string
	cmd           *exec.Cmd
}

var servesAt = regexp.MustCompile(`serves MCP at http://(\S+)/mcp`)

func (r *replica) start() error {
	args := []string{"serve", "--data", r.data, "--http", r.address}
	if *store != "" {
		args = append(args, "--store", *store)
	}
	r.cmd = exec.Command(*binary, args...)
	r.cmd.Env = append(os.Environ(), "GOMAXPROCS=2")
	out, err := r.cmd.StderrPipe()
	if err == nil {
		err = r.cmd.Start()
	}
	if err != nil {
		return err
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		m := servesAt.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		if strings.HasSuffix(r.address, ":0") { // later it listens there again
			r.address = m[1]
		}
		go func() { _, _ = io.Copy(os.Stderr, out) }()
		return nil
	}
	return fmt.Errorf("%s does not report its address", *binary)
}

// kill ends the process like a power failure.
func (r *replica) kill() {
	_ = r.cmd.Process.Kill()
	_ = r.cmd.Wait()
}

// killInTurn kills one of the replicas in each interval, and starts it again a second later.
func killInTurn(ctx context.Context, replicas []*replica) (kills int) {
	if *every == 0 {
		return 0
	}
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
