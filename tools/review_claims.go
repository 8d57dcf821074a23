package tools

import (
	"context"
	"maps"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

type reviewIn struct {
	StateID     string                   `json:"state_id"`
	Batch       string                   `json:"batch"`
	Answers     []loopstate.ReviewAnswer `json:"answers"`
	Rest        string                   `json:"rest"`
	Limit       int                      `json:"limit"`
	OperationID string                   `json:"operation_id"`
}

type reviewOut struct {
	Notice   string               `json:"notice,omitempty"`
	Batch    string               `json:"batch,omitempty"`
	Status   string               `json:"status,omitempty"` // open, counted or void
	Items    []reviewItemOut      `json:"items,omitempty"`
	Left     int                  `json:"left"`               // items, planted errors and controls among them
	Planted  map[string]int       `json:"planted,omitempty"`  // n, and how many were caught
	Controls map[string]int       `json:"controls,omitempty"` // n, and how many passed
	Grounded int                  `json:"grounded,omitempty"` // claims that are supported now
	Changed  []loops.ReviewChange `json:"changed,omitempty"`  // the others
	Refused  []refusedOut         `json:"refused,omitempty"`  // not recorded: the quote is not there
}

type refusedOut struct {
	Item    string `json:"item"`
	Nearest string `json:"nearest,omitempty"` // words of the passages
}

// reviewItemOut is an item as a page of text has it: the sentence, then the place and the lines. Lines that an earlier item has, of this
// answer or of those answered in the call, are named by that item: "S1:120-121, as in R1-4".
type reviewItemOut struct {
	Item     string   `json:"item"`
	Claim    string   `json:"claim"`
	Passages []string `json:"passages"`
}

func reviewClaims(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, "review_claims", func(ctx context.Context, in reviewIn) (reviewOut, error) {
		r, err := svc.Review(ctx, loops.ReviewInput{Loop: in.StateID, Operation: in.OperationID, Batch: in.Batch, Answers: in.Answers,
			Rest: in.Rest, Limit: in.Limit, Reader: loopstate.Reader{Kind: loops.ReaderHost}})
		if err != nil {
			return reviewOut{}, err
		}
		out := reviewOut{Batch: r.Batch, Status: r.Status, Left: r.Left}
		if r.Status != loopstate.BatchOpen {
			out.Planted = map[string]int{"n": r.Planted.N, "caught": r.Planted.Good}
			out.Controls = map[string]int{"n": r.Controls.N, "passed": r.Controls.Good}
		}
		given := maps.Clone(r.Given)
		for _, it := range r.Items {
			out.Notice = untrusted
			out.Items = append(out.Items, reviewItemOut{it.Item, it.Claim,
				each(it.Passages, func(p verify.Passage) string { return given.Show(it.Item, p) })})
		}
		for _, x := range r.Refused {
			out.Refused = append(out.Refused, refusedOut{x.Item, cutTo(x.Nearest, maxPassageShown)})
		}
		for _, c := range r.Changed {
			if c.To == loopstate.Grounded {
				out.Grounded++
			} else {
				out.Changed = append(out.Changed, c)
			}
		}
		return out, nil
	})
}
