package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	mcp "github.com/mark3labs/mcp-go/client"

	"github.com/citeloop/citeloop/internal/research"
)

type object = map[string]any

// client calls tools of any replica, one after the other.
type client struct {
	servers []*research.Server
	number  int
	loops   []*loop
	calls   int

	times                  map[string][]time.Duration // of answered attempts, by tool
	lost, repeated, failed int
	example                error // of a failed call
}

// loop is a loop of a client.
type loop struct {
	id     string
	writes int // acknowledged; each spends one token of the budget
}

// budget is the initial token budget of a loop.
const budget = 250_000

func newClient(replicas []*replica, number int) (*client, error) {
	c := &client{number: number, times: map[string][]time.Duration{}}
	for _, r := range replicas {
		connection, err := mcp.NewStreamableHttpClient("http://" + r.address + "/mcp")
		if err != nil {
			return nil, err
		}
		server, err := research.Connect(context.Background(), connection, "citeloop-load", "1")
		if err != nil {
			return nil, err
		}
		c.servers = append(c.servers, server)
	}
	return c, nil
}

// begin starts a loop that has a text of some 3,000 characters. It is pasted, so that the load is on citeloop only.
func (c *client) begin() {
	var out struct {
		StateID string `json:"state_id"`
	}
	if c.call("loop_init", object{"query": fmt.Sprintf("Question %d of client %d?", len(c.loops), c.number),
		"budget": object{"tokens": budget}}, &out) {
		c.loops = append(c.loops, &loop{id: out.StateID})
		c.call("fetch", object{"state_id": out.StateID, "url": "https://example.org/pasted", "title": "Pasted",
			"text": strings.Repeat("The mill of the harbour ground 40 sacks in a week of the year 1741. ", 40)}, &object{})
	}
}

// act makes a random call on a random loop.
func (c *client) act() {
	if len(c.loops) == 0 {
		c.begin()
		return
	}
	l := c.loops[rand.IntN(len(c.loops))]
	switch n := rand.IntN(100); {
	case n < 40:
		operation := fmt.Sprintf("client-%d-%d", c.number, c.calls)
		hit := object{"url": "https://example.org/" + operation, "title": "Study " + operation, "source": "crossref"}
		if c.call("loop_update", object{"state_id": l.id, "operation_id": operation, "query": "output", "usage": object{"tokens": 1},
			"evidence": []object{hit}}, &object{}) {
			l.writes++
		}
	case n < 70:
		c.call("loop_get_state", object{"state_id": l.id}, &object{})
	case n < 85:
		c.call("find_passages", object{"state_id": l.id, "query": "mill output"}, &object{})
	default:
		c.call("verify_citations", object{"state_id": l.id,
			"claims": []object{{"claim": "The mill of the harbour ground 40 sacks in a week.", "source_ids": []string{"S1"}}}}, &object{})
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

// call repeats a call for half a minute while the server is unreachable, and reports whether it was answered.
func (c *client) call(tool string, arguments object, into any) bool {
	c.calls++
	for begun := time.Now(); ; {
		once := time.Now()
		_, err := c.servers[rand.IntN(len(c.servers))].Call(context.Background(), tool, arguments, into)
		if err == nil {
			c.times[tool] = append(c.times[tool], time.Since(once))
			return true
		}
		if refused := new(research.ToolError); errors.As(err, &refused) || time.Since(begun) > 30*time.Second {
			c.failed++
			c.example = err
			return false
		}
		c.repeated++
		time.Sleep(50 * time.Millisecond)
	}
}
