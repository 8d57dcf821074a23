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
	StateID     string           `json:"state_id"`
	Batch       string           `json:"batch,omitempty"`
	Answers     []reviewAnswerIn `json:"answers,omitempty"`
	Rest        string           `json:"rest,omitempty" enum:"supported" jsonschema:"answer of all other items that were shown"`
	Limit       int              `json:"limit,omitempty" jsonschema:"items in this answer"`
	OperationID string           `json:"operation_id,omitempty"`
}

type reviewAnswerIn struct {
	Item   string `json:"item"`
	Answer string `json:"answer" enum:"supported,partly,contradicted,not_stated" jsonschema:"supported: all of it; partly: some of it"`
	Quote  string `json:"quote,omitempty" jsonschema:"needed for partly and contradicted"`
}

type reviewOut struct {
	Notice   string            `json:"notice,omitempty"`
	Batch    string            `json:"batch"`
	Status   string            `json:"status" jsonschema:"open, counted or void (nothing changed)"`
	Items    []reviewItemOut   `json:"items,omitempty"`
	Left     int               `json:"left" jsonschema:"items, planted errors and controls among them"`
	Planted  *tallyOut         `json:"planted,omitempty"`
	Controls *controlsOut      `json:"controls,omitempty"`
	Grounded int               `json:"grounded,omitempty" jsonschema:"claims that are supported now"`
	Changed  []reviewChangeOut `json:"changed,omitempty" jsonschema:"the others"`
	Refused  []refusedOut      `json:"refused,omitempty" jsonschema:"not recorded: the quote is not there; answer again"`
}

type refusedOut struct {
	Item    string `json:"item"`
	Nearest string `json:"nearest,omitempty" jsonschema:"the nearest words of the passages"`
}

// reviewItemOut is an item as a page of text has it: the sentence, then the place and the lines. Lines that an earlier item has, of this
// answer or of those answered in the call, are named by that item: "S1:120-121, as in R1-4".
type reviewItemOut struct {
	Item     string   `json:"item"`
	Claim    string   `json:"claim"`
	Passages []string `json:"passages" jsonschema:"S1:120-121 (what is above them), then the lines"`
}

type tallyOut struct {
	N      int `json:"n"`
	Caught int `json:"caught"`
}

type controlsOut struct {
	N      int `json:"n"`
	Passed int `json:"passed"`
}

type reviewChangeOut struct {
	ClaimID string `json:"claim_id,omitempty"`
	Claim   string `json:"claim"`
	From    string `json:"from"`
	To      string `json:"to"`
	Because string `json:"because"`
}

func reviewClaims(d *definer, svc *loops.Service) server.ServerTool {
	return define(d, manual{
		name: "review_claims", title: "Read claims beside their passages",
		description: `Read claims beside the lines that they cite, best by a fresh subagent with only this tool and the state_id. Judge ` +
			`each item by its passages alone. List what is not fully supported with the deciding words as quote (a dropped condition or ` +
			`an overstatement is partly), give rest "supported" for the others, until left is 0. Some items are tests, false or ` +
			`true; a batch counts only if its reader tells them apart.
Example: {"state_id": "…", "answers": [{"item": "R1-1", "answer": "partly", "quote": "…"}], "rest": "supported"}`,
		hints: hints{readOnly: true},
	}, func(ctx context.Context, in reviewIn) (reviewOut, error) {
		ask := loops.ReviewInput{Loop: in.StateID, Operation: in.OperationID, Batch: in.Batch, Rest: in.Rest, Limit: in.Limit,
			Reader: loopstate.Reader{Kind: loops.ReaderHost}}
		ask.Answers = each(in.Answers, func(a reviewAnswerIn) loopstate.ReviewAnswer {
			return loopstate.ReviewAnswer{Item: a.Item, Answer: a.Answer, Quote: a.Quote}
		})
		r, err := svc.Review(ctx, ask)
		if err != nil {
			return reviewOut{}, err
		}
		out := reviewOut{Batch: r.Batch, Status: r.Status, Left: r.Left}
		if r.Status != loopstate.BatchOpen {
			out.Planted, out.Controls = &tallyOut{r.Planted.N, r.Planted.Good}, &controlsOut{r.Controls.N, r.Controls.Good}
		}
		given := maps.Clone(r.Given)
		for _, it := range r.Items {
			out.Items = append(out.Items, reviewItemOut{it.Item, it.Claim,
				each(it.Passages, func(p verify.Passage) string { return given.Show(it.Item, p) })})
		}
		if len(out.Items) > 0 {
			out.Notice = untrusted
		}
		out.Refused = each(r.Refused, func(x loops.RefusedAnswer) refusedOut {
			return refusedOut{x.Item,
				cutTo(x.Nearest, maxPassageShown)}
		})
		for _, c := range r.Changed {
			if c.To == loopstate.Grounded {
				out.Grounded++
				continue
			}
			out.Changed = append(out.Changed, reviewChangeOut(c))
		}
		return out, nil
	})
}
