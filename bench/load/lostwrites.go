package main

import (
	"context"
	"fmt"
)

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
