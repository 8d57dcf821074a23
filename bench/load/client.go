package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"
)

type object = map[string]any

// client calls tools one after the other, in one of the two protocol eras.
type client struct {
	replicas []*replica
	number   int
	http     *http.Client
	random   *rand.Rand
	loops    []*loop
	calls    int

	times                          map[string][]time.Duration // of answered attempts, by tool
	writes, lost, repeated, failed int
	example                        error // of a failed call
}

// loop is a loop of a client.
type loop struct {
	id     string
	writes int // acknowledged; each spends one token of the budget
}

// budget is the initial token budget of a loop.
const budget = 250_000

func newClient(replicas []*replica, number int) *client {
	return &client{replicas: replicas, number: number, random: rand.New(rand.NewPCG(1, uint64(number))),
		times: map[string][]time.Duration{},
		http:  &http.Client{Timeout: 40 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 4}}}
}

func (c *client) begin() {
	var out struct {
		StateID string `json:"state_id"`
	}
	if c.call("loop_init", object{"query": fmt.Sprintf("Question %d of client %d?", len(c.loops), c.number),
		"budget": object{"tokens": budget}}, &out) {
		c.loops = append(c.loops, &loop{id: out.StateID})
		c.call("fetch", c.pasted(out.StateID), nil)
	}
}

// pasted sends a text of some 3,000 characters instead of fetching a page, so that the load is on citeloop only.
func (c *client) pasted(loop string) object {
	var text strings.Builder
	for range 40 {
		fmt.Fprintf(&text, "The mill of harbour %d ground %d sacks in a week of the year %d. ", c.random.IntN(20), c.random.IntN(90),
			1700+c.random.IntN(90))
	}
	return object{"state_id": loop, "url": fmt.Sprintf("https://example.org/pasted-%d", c.random.IntN(5)), "title": "Pasted",
		"text": text.String()}
}

// act makes a random call on a random loop.
func (c *client) act() {
	if len(c.loops) == 0 {
		c.begin()
		return
	}
	l := c.loops[c.random.IntN(len(c.loops))]
	switch n := c.random.IntN(100); {
	case n < 35:
		operation := fmt.Sprintf("client-%d-%d", c.number, c.calls)
		if c.call("loop_update", object{"state_id": l.id, "operation_id": operation, "query": "output", "usage": object{"tokens": 1},
			"evidence": []object{{"url": "https://example.org/" + operation, "title": "Study " + operation, "source": "crossref"}}}, nil) {
			l.writes++
			c.writes++
		}
	case n < 50:
		c.call("loop_get_state", object{"state_id": l.id}, nil)
	case n < 60:
		c.call("loop_get_gaps", object{"state_id": l.id}, nil)
	case n < 70:
		c.call("fetch", c.pasted(l.id), nil)
	case n < 80:
		c.call("find_passages", object{"state_id": l.id, "query": "mill output"}, nil)
	case n < 88:
		c.call("verify_citations", object{"state_id": l.id,
			"claims": []object{{"claim": "The mill of the harbour ground 40 sacks in a week.", "source_ids": []string{"S1"}}}}, nil)
	case n < 95:
		c.call("loop_add_gap", object{"state_id": l.id, "gap": fmt.Sprintf("what of mill %d?", c.random.IntN(8))}, nil)
	default:
		c.call("list_channels", object{}, nil)
	}
}

// count counts the writes that are not stored exactly once.
func (c *client) count() {
	for _, l := range c.loops {
		var out struct {
			Left struct {
				Tokens int `json:"tokens"`
			} `json:"budget_remaining"`
		}
		if !c.call("loop_get_state", object{"state_id": l.id}, &out) {
			c.lost += l.writes
		} else if d := budget - out.Left.Tokens - l.writes; d != 0 {
			fmt.Printf("loop %s: %d writes acknowledged, %d stored\n", l.id, l.writes, budget-out.Left.Tokens)
			c.lost += max(d, -d)
		}
	}
}

// errAnswered is the error of a call that the server answered with an error, so that it is not repeated.
var errAnswered = errors.New("the server answered")

// call repeats a call for half a minute while the server is unreachable, and reports whether it was answered.
func (c *client) call(tool string, arguments object, into any) bool {
	c.calls++
	for begun := time.Now(); ; {
		once := time.Now()
		err := c.once(tool, arguments, into)
		switch {
		case err == nil:
			c.times[tool] = append(c.times[tool], time.Since(once))
			return true
		case errors.Is(err, errAnswered) || time.Since(begun) > 30*time.Second:
			c.failed++
			c.example = fmt.Errorf("%s: %w", tool, err)
			return false
		}
		c.repeated++
		time.Sleep(50 * time.Millisecond)
	}
}

// once calls a tool of any replica. Clients of the older era send no session: the server stores none.
func (c *client) once(tool string, arguments object, into any) error {
	params := object{"name": tool, "arguments": arguments}
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2025-11-25"}}
	if c.number%2 == 0 {
		params["_meta"] = object{"io.modelcontextprotocol/protocolVersion": "2026-07-28",
			"io.modelcontextprotocol/clientCapabilities": object{}}
		header.Set("Mcp-Protocol-Version", "2026-07-28")
		header.Set("Mcp-Method", "tools/call")
		header.Set("Mcp-Name", tool)
	}
	body, err := json.Marshal(object{"jsonrpc": "2.0", "id": c.calls, "method": "tools/call", "params": params})
	if err != nil {
		return err
	}
	address := fmt.Sprintf("http://%s/mcp", c.replicas[c.random.IntN(len(c.replicas))].address)
	req, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header = header
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("status %d: %.200s", resp.StatusCode, answer)
	}
	if err != nil {
		return err
	}
	var m struct {
		Error  *struct{ Message string }
		Result struct {
			IsError           bool
			Content           []struct{ Text string }
			StructuredContent json.RawMessage
		}
	}
	switch err := json.Unmarshal(answer, &m); {
	case err != nil:
		return fmt.Errorf("%w: %.200s", err, answer)
	case m.Error != nil || m.Result.IsError:
		return fmt.Errorf("%w: %.300s", errAnswered, answer)
	case into != nil:
		return json.Unmarshal(m.Result.StructuredContent, into)
	}
	return nil
}
