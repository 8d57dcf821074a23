package main

import (
	"bytes"
	"context"
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
	modern   bool
	http     *http.Client
	random   *rand.Rand
	tally    *tally
	loops    []*loop
	next     int
}

// loop is a loop of a client.
type loop struct {
	id     string
	writes int // acknowledged writes; each spends one token of the budget
}

// budget is the initial token budget of a loop.
const budget = 250_000

func newClient(replicas []*replica, number int, t *tally) *client {
	return &client{replicas: replicas, number: number, modern: number%2 == 0, tally: t, random: rand.New(rand.NewPCG(1, uint64(number))),
		http: &http.Client{Timeout: 40 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 4}}}
}

func (c *client) begin(ctx context.Context) {
	var out struct {
		StateID string `json:"state_id"`
	}
	if c.call(ctx, "loop_init", object{"query": fmt.Sprintf("Question %d of client %d?", len(c.loops), c.number),
		"budget": object{"tokens": budget}}, &out) {
		c.loops = append(c.loops, &loop{id: out.StateID})
		c.paste(ctx, out.StateID)
	}
}

// paste sends a text instead of fetching a page, so that the load is on citeloop only.
func (c *client) paste(ctx context.Context, loop string) {
	c.call(ctx, "fetch", object{"state_id": loop, "url": fmt.Sprintf("https://example.org/pasted-%d", c.random.IntN(5)), "title": "Pasted",
		"text": text(c.random)}, nil)
}

// act makes a random call on a random loop.
func (c *client) act(ctx context.Context) {
	if len(c.loops) == 0 {
		c.begin(ctx)
		return
	}
	l := c.loops[c.random.IntN(len(c.loops))]
	c.next++
	switch n := c.random.IntN(100); {
	case n < 35:
		operation := fmt.Sprintf("client-%d-%d", c.number, c.next)
		evidence := []object{{"url": "https://example.org/" + operation, "title": "Study " + operation, "source": "crossref"}}
		if c.call(ctx, "loop_update", object{"state_id": l.id, "operation_id": operation, "query": "output", "evidence": evidence,
			"usage": object{"tokens": 1}}, nil) {
			l.writes++
			c.tally.writes.Add(1)
		}
	case n < 50:
		c.call(ctx, "loop_get_state", object{"state_id": l.id}, nil)
	case n < 60:
		c.call(ctx, "loop_get_gaps", object{"state_id": l.id}, nil)
	case n < 70:
		c.paste(ctx, l.id)
	case n < 80:
		c.call(ctx, "find_passages", object{"state_id": l.id, "query": "mill output"}, nil)
	case n < 88:
		c.call(ctx, "verify_citations", object{"state_id": l.id,
			"claims": []object{{"claim": "The mill of the harbour ground 40 sacks in a week.", "source_ids": []string{"S1"}}}}, nil)
	case n < 95:
		c.call(ctx, "loop_add_gap", object{"state_id": l.id, "gap": fmt.Sprintf("what of mill %d?", c.random.IntN(8))}, nil)
	default:
		c.call(ctx, "list_channels", object{}, nil)
	}
}

// text is a page of some 3,000 characters.
func text(random *rand.Rand) string {
	var b strings.Builder
	for range 40 {
		fmt.Fprintf(&b, "The mill of harbour %d ground %d sacks in a week of the year %d. ", random.IntN(20), random.IntN(90),
			1700+random.IntN(90))
	}
	return b.String()
}

// patience is how long a call is retried.
const patience = 30 * time.Second

// call retries a call while the server is unreachable, and reports whether it was answered.
func (c *client) call(ctx context.Context, tool string, arguments object, into any) bool {
	begun := time.Now()
	for {
		once := time.Now()
		err := c.once(ctx, tool, arguments, into)
		if err == nil {
			c.tally.took(tool, time.Since(once))
			return true
		}
		var said *answered
		if errors.As(err, &said) || time.Since(begun) > patience {
			c.tally.failed.Add(1)
			c.tally.example.Store(fmt.Sprintf("%s: %v", tool, err))
			return false
		}
		c.tally.repeated.Add(1)
		time.Sleep(50 * time.Millisecond)
	}
}

// answered is an error from the server, which is not retried.
type answered struct{ text string }

func (a *answered) Error() string { return a.text }

// once calls a tool of any replica. Clients of the older era send no session: the server stores none.
func (c *client) once(ctx context.Context, tool string, arguments object, into any) error {
	params := object{"name": tool, "arguments": arguments}
	header := http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2025-11-25"}}
	if c.modern {
		params["_meta"] = object{"io.modelcontextprotocol/protocolVersion": "2026-07-28",
			"io.modelcontextprotocol/clientCapabilities": object{}}
		header.Set("Mcp-Protocol-Version", "2026-07-28")
		header.Set("Mcp-Method", "tools/call")
		header.Set("Mcp-Name", tool)
	}
	body, err := json.Marshal(object{"jsonrpc": "2.0", "id": c.next + 1, "method": "tools/call", "params": params})
	if err != nil {
		return err
	}
	address := fmt.Sprintf("http://%s/mcp", c.replicas[c.random.IntN(len(c.replicas))].address)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
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
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d: %.200s", resp.StatusCode, answer)
	}
	return result(answer, into)
}

// result decodes the answer to a call.
func result(answer []byte, into any) error {
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
	case m.Error != nil:
		return &answered{m.Error.Message}
	case m.Result.IsError && len(m.Result.Content) > 0:
		return &answered{m.Result.Content[0].Text}
	case into != nil:
		return json.Unmarshal(m.Result.StructuredContent, into)
	}
	return nil
}

// lost counts the writes that are not stored exactly once.
func (c *client) lost(ctx context.Context) (n int) {
	for _, l := range c.loops {
		var out struct {
			Left struct {
				Tokens int `json:"tokens"`
			} `json:"budget_remaining"`
		}
		if !c.call(ctx, "loop_get_state", object{"state_id": l.id}, &out) {
			n += l.writes
			continue
		}
		if d := budget - out.Left.Tokens - l.writes; d != 0 {
			fmt.Printf("loop %s: %d writes acknowledged, %d stored\n", l.id, l.writes, budget-out.Left.Tokens)
			n += max(d, -d)
		}
	}
	return n
}
