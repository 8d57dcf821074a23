package apps

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// A page shows the first items of a list, more in a fold, and the number of the rest: an app is part of a conversation,
// and the tools page through everything. These limits keep a page below 200 kB for any text; a usual one has 30 kB.
const (
	atOnce      = 4
	folded      = 16
	drawnRounds = 5 // as many as are legible on a phone
	tableRounds = 40
)

// Limits of untrusted texts, in code points.
const (
	queryChars   = 400
	becauseChars = 700
	gapChars     = 300
	claimChars   = 400
	titleChars   = 160
	noteChars    = 20
)

// row is an item of a list.
type row struct {
	ID, Text string
	Link     string        // of a source: where it was read
	Verdict  style.Verdict // of a claim
	Notes    []string      // small print below it
	Target   bool          // the current target
}

// list is a shortened list.
type list struct {
	Shown, Folded []row
	Total, Left   int
}

// listOf splits the rows into shown and folded ones. total counts all items, with or without a row.
func listOf(rows []row, total int) list {
	n := min(atOnce, len(rows))
	return list{Shown: rows[:n], Folded: rows[n:], Total: total, Left: total - len(rows)}
}

// view is the data of a page.
type view struct {
	Loop, Query, Status        string
	Round, Closed              int
	AsOf, Changed              string
	Version                    int64
	Action, Stop, Because, Aim string
	Remain                     []string
	Unseen                     string
	Open, Claims, Sources      list
	Counts                     []report.StateCount
	Origins                    int
	Contradictions             int               // unresolved
	Rounds                     []loopstate.Round // newest first
	LeftRounds                 int
}

func viewOf(p loops.LoopDetail) view {
	action := style.Actions()[p.Decision.NextAction]
	if action == "" {
		action = sanitize.Short(p.Decision.NextAction, titleChars)
	}
	v := view{
		Loop: p.StateID, Query: sanitize.Short(p.Query, queryChars), Status: p.Status, Round: p.Round, Closed: p.Closed,
		AsOf: sanitize.Short(p.AsOf, noteChars), Changed: style.FormatTime(p.UpdatedAt), Version: p.Version,
		Action: action, Because: sanitize.Short(p.Decision.Because, becauseChars), Aim: sanitize.Short(p.Decision.Target, gapChars),
		Stop: sanitize.Short(p.Decision.StopReason, becauseChars), Remain: remaining(p.Remaining), Unseen: sanitize.Short(p.Unseen, gapChars), Origins: p.Progress.Origins,
	}
	if p.Abort != "" {
		v.Stop = sanitize.Short(p.Abort, becauseChars)
	}
	v.Open = gaps(p)
	v.Claims, v.Counts = claims(p)
	v.Sources = sources(p)
	for _, c := range p.Contradictions {
		if c.Resolution == "" {
			v.Contradictions++
		}
	}
	for _, r := range slices.Backward(p.Rounds) {
		if len(v.Rounds) == tableRounds {
			break
		}
		v.Rounds = append(v.Rounds, r)
	}
	v.LeftRounds = len(p.Rounds) - len(v.Rounds)
	return v
}

func gaps(p loops.LoopDetail) list {
	var rows []row
	total := 0
	for _, g := range p.Gaps {
		if g.Status != loopstate.GapOpen {
			continue
		}
		if total++; len(rows) == atOnce+folded {
			continue
		}
		r := row{ID: g.ID, Text: sanitize.Short(g.Gap.Gap, gapChars), Target: g.ID == p.Decision.TargetGap}
		if g.Material {
			r.Notes = append(r.Notes, "material")
		} else {
			r.Notes = append(r.Notes, "not material")
		}
		if g.Tried != "" {
			r.Notes = append(r.Notes, sanitize.Short(g.Tried, gapChars))
		} else {
			r.Notes = append(r.Notes, "not searched yet")
		}
		rows = append(rows, r)
	}
	return listOf(rows, total)
}

// claims are shown newest first.
func claims(p loops.LoopDetail) (list, []report.StateCount) {
	counts := report.CountStates(p.Claims, p.Verdict)
	var rows []row
	for _, c := range slices.Backward(p.Claims) {
		if len(rows) == atOnce+folded {
			break
		}
		r := row{ID: c.ID, Text: sanitize.Short(c.Claim, claimChars), Verdict: p.Verdict(c)}
		cites := c.SourceIDs
		if c.Check != nil && c.Check.Lines != "" { // "S1:120-128; S3:7"
			cites = strings.Split(c.Check.Lines, "; ")
		}
		for _, cite := range cites[:min(len(cites), 8)] {
			r.Notes = append(r.Notes, sanitize.Short(cite, noteChars))
		}
		if c.Gap {
			r.Notes = append(r.Notes, "sources do not cover it")
		}
		rows = append(rows, r)
	}
	return listOf(rows, len(p.Claims)), counts
}

// sources are shown newest first.
func sources(p loops.LoopDetail) list {
	var rows []row
	for _, s := range slices.Backward(p.Sources) {
		if len(rows) == atOnce+folded {
			break
		}
		r := row{ID: s.ID, Text: sanitize.Short(s.Title, titleChars), Link: webLink(s.FinalURL)}
		if r.Text == "" {
			r.Text = "(no title)"
		}
		if s.SourceType != "" {
			r.Notes = append(r.Notes, sanitize.Short(s.SourceType, noteChars))
		}
		if s.PublishedAt != "" {
			r.Notes = append(r.Notes, sanitize.Short(s.PublishedAt, noteChars))
		}
		if s.DuplicateOf != "" {
			r.Notes = append(r.Notes, "copy of "+sanitize.Short(s.DuplicateOf, noteChars))
		}
		if s.Pasted {
			r.Notes = append(r.Notes, "pasted")
		}
		if len(s.Flags) > 0 {
			r.Notes = append(r.Notes, "⚠ "+sanitize.Short(s.Flags[0], titleChars))
		}
		rows = append(rows, r)
	}
	return listOf(rows, len(p.Sources))
}
