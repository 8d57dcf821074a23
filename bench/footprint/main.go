// Command footprint measures one process of citeloop over stdio: the time from its start to the answer of initialize, and
// the memory that it holds while one loop gets thousands of updates.
//
//	go run ./footprint --binary ../citeloop
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

type object = map[string]any

func main() {
	binary := flag.String("binary", "", "citeloop")
	starts := flag.Int("starts", 40, "processes to start, the first with an empty data folder")
	updates := flag.Int("updates", 3000, "updates of one loop")
	flag.Parse()
	if err := run(*binary, *starts, *updates); err != nil {
		fmt.Fprintln(os.Stderr, "footprint:", err)
		os.Exit(1)
	}
}

func run(binary string, starts, updates int) error {
	data, err := os.MkdirTemp("", "citeloop-footprint-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(data)
	if err := measureStarts(binary, filepath.Join(data, "starts"), starts); err != nil {
		return err
	}
	return measureUpdates(binary, filepath.Join(data, "updates"), updates)
}

// measureStarts prints the time from the start of a process to its answer to initialize.
func measureStarts(binary, data string, starts int) error {
	var times []time.Duration
	for range starts {
		begun := time.Now()
		p, err := start(binary, data)
		if err != nil {
			return err
		}
		times = append(times, time.Since(begun))
		if err := p.stop(); err != nil {
			return err
		}
	}
	fmt.Printf("initialize, empty data folder: %.1f ms\n", ms(times[0]))
	slices.Sort(times)
	at := func(share float64) float64 { return ms(times[int(share*float64(len(times)-1))]) }
	fmt.Printf("initialize, %d starts: min %.1f ms  p50 %.1f ms  p90 %.1f ms  max %.1f ms\n", len(times), at(0), at(.5), at(.9), at(1))
	return nil
}

// measureUpdates prints the memory of a process during updates of one loop, each with new evidence.
func measureUpdates(binary, data string, updates int) error {
	p, err := start(binary, data)
	if err != nil {
		return err
	}
	fmt.Printf("memory after initialize: %s\n", p.memory())
	var loop struct {
		StateID string `json:"state_id"`
	}
	if err := p.call("loop_init", object{"query": "What did the mill of the harbour grind?"}, &loop); err != nil {
		return err
	}
	var times []time.Duration
	for i := range updates {
		address := fmt.Sprintf("https://example.org/study-%d", i)
		begun := time.Now()
		err := p.call("loop_update", object{"state_id": loop.StateID, "query": "output of the mill", "usage": object{"tokens": 1},
			"evidence": []object{{"url": address, "title": fmt.Sprintf("Study %d of the mill", i), "source": "crossref"}}}, nil)
		if err != nil {
			return fmt.Errorf("update %d: %w", i, err)
		}
		times = append(times, time.Since(begun))
		if (i+1)%500 == 0 {
			fmt.Printf("memory after %d updates: %s\n", i+1, p.memory())
		}
	}
	slices.Sort(times)
	at := func(share float64) float64 { return ms(times[int(share*float64(len(times)-1))]) }
	fmt.Printf("updates: p50 %.1f ms  p99 %.1f ms  max %.1f ms\n", at(.5), at(.99), at(1))
	return p.stop()
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// process is a citeloop that serves MCP over stdio.
type process struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	next int
}

// start starts citeloop and waits for its answer to initialize.
func start(binary, data string) (*process, error) {
	cmd := exec.Command(binary, "serve", "--data", data)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	p := &process{cmd: cmd, in: in, out: bufio.NewReader(out)}
	_, err = p.ask("initialize", object{"protocolVersion": "2025-11-25", "capabilities": object{},
		"clientInfo": object{"name": "footprint", "version": "1"}})
	return p, err
}

func (p *process) stop() error {
	if err := p.in.Close(); err != nil {
		return err
	}
	return p.cmd.Wait()
}

func (p *process) call(tool string, arguments object, into any) error {
	result, err := p.ask("tools/call", object{"name": tool, "arguments": arguments})
	if err != nil {
		return err
	}
	var answer struct {
		IsError           bool
		Content           []struct{ Text string }
		StructuredContent json.RawMessage
	}
	switch err := json.Unmarshal(result, &answer); {
	case err != nil:
		return err
	case answer.IsError:
		return fmt.Errorf("%s: %v", tool, answer.Content)
	case into == nil:
		return nil
	}
	return json.Unmarshal(answer.StructuredContent, into)
}

// ask sends a request and returns the result of its answer.
func (p *process) ask(method string, params object) (json.RawMessage, error) {
	p.next++
	line, err := json.Marshal(object{"jsonrpc": "2.0", "id": p.next, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if _, err := p.in.Write(append(line, '\n')); err != nil {
		return nil, err
	}
	for {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		var m struct {
			ID     int
			Error  *struct{ Message string }
			Result json.RawMessage
		}
		switch err := json.Unmarshal(line, &m); {
		case err != nil:
			return nil, fmt.Errorf("%w: %.200s", err, line)
		case m.ID != p.next: // a notification
		case m.Error != nil:
			return nil, fmt.Errorf("%s: %s", method, m.Error.Message)
		default:
			return m.Result, nil
		}
	}
}

// memory returns the resident memory of the process, with the parts that belong to it alone and to files.
func (p *process) memory() string {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return err.Error()
	}
	values := map[string]float64{}
	for line := range strings.Lines(string(status)) {
		if name, rest, ok := strings.Cut(line, ":"); ok && strings.HasSuffix(rest, " kB\n") {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			values[name] = kb / 1024
		}
	}
	return fmt.Sprintf("%.0f MB resident (%.0f anonymous, %.0f mapped files), %.0f MB at most", values["VmRSS"], values["RssAnon"],
		values["RssFile"], values["VmHWM"])
}
