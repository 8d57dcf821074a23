// Package demo runs a research loop over MCP without a model and shows each step: a recorded model on built-in texts. It knows
// only the server's tools.
package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/research"
)

// Play drives a loop over the embedded collection, which is in a folder, as a recorded model did, with a recorded second reader.
// Every verdict in the transcript is computed while it runs. It writes report.md and report.html, whose path it returns, and fails if a
// planted error passed.
func Play(ctx context.Context, server *research.Server, out io.Writer, collection, reports string) (html string, err error) {
	p := &player{server: server, out: out, dir: collection, ids: map[string]string{}}
	err = errors.Join(json.Unmarshal(hostRecording, &p.recording), json.Unmarshal(readerRecording, &p.reader))
	for _, step := range []func(context.Context) error{p.start, p.rounds, p.check, p.review, p.correct} {
		if err == nil {
			err = step(ctx)
		}
	}
	if err != nil {
		return "", err
	}
	files, err := server.WriteReport(ctx, LoopID, p.text(), reports)
	if err != nil {
		return "", err
	}
	if n := p.foundBy(nobody); n > 0 {
		err = fmt.Errorf("%d of %d planted errors passed", n, len(p.Planted))
	}
	return files[1], err
}

// player is one run of the recording.
type player struct {
	recording
	reader  reader
	server  *research.Server
	out     io.Writer
	dir     string            // of the collection
	ids     map[string]string // source ids by file
	remarks int               // true sentences with remarks
}

// args are the arguments of a call.
type args = map[string]any

func (p *player) say(format string, a ...any) { fmt.Fprintf(p.out, format, a...) }

// call calls a tool on the loop.
func (p *player) call(ctx context.Context, tool string, in args, out any) error {
	in["state_id"] = LoopID
	_, err := p.server.Call(ctx, tool, in, out)
	return err
}

// verify checks the draft. No configured model reads.
func (p *player) verify(ctx context.Context) (research.Verification, error) {
	return p.server.Verify(ctx, args{"state_id": LoopID, "draft": p.text(), "judge": "none"})
}

func (p *player) start(ctx context.Context) error {
	p.say("\nThe question: %s\nA model's work on it was recorded on %s. We planted %d false sentences in its text.\n\n", p.Question,
		p.Recorded, len(p.Planted))
	_, err := p.server.Call(ctx, "loop_init", args{"query": "Demo: " + p.Question, "complexity": "simple", "budget": args{"rounds": 8}},
		&struct{}{})
	return err
}

// rounds makes the recorded calls.
func (p *player) rounds(ctx context.Context) error {
	for i, round := range p.Rounds {
		var decision struct {
			NextAction string `json:"next_action"`
			Rule       string
		}
		notes := ""
		for _, c := range round {
			in := args{}
			if err := json.Unmarshal(p.filled(c), &in); err != nil {
				return err
			}
			var err error
			switch c.Tool {
			case "fetch":
				notes, err = p.fetch(ctx, in)
			case "loop_reflect":
				err = p.call(ctx, c.Tool, in, &struct{ Decision any }{&decision})
			default:
				err = p.call(ctx, c.Tool, in, &struct{}{})
			}
			if err != nil {
				return err
			}
		}
		p.say("Round %d: %d calls of tools, %d texts read so far%s; decision: %s (%s)\n", i+1, len(round), len(p.ids), notes,
			decision.NextAction, decision.Rule)
	}
	return nil
}

// fileName matches the name of a file, with the lines that a citation may carry.
var fileName = regexp.MustCompile(`"([a-z-]+\.(?:html|md|txt))((?::\d+)?)"`)

// filled returns the arguments of a call with the addresses of files that are to be read, and the ids of those that were.
func (p *player) filled(c call) []byte {
	return fileName.ReplaceAllFunc(c.Arguments, func(quoted []byte) []byte {
		m := fileName.FindSubmatch(quoted)
		name, lines := string(m[1]), string(m[2])
		if c.Tool == "fetch" {
			return fmt.Appendf(nil, "%q", "file://"+filepath.ToSlash(filepath.Join(p.dir, name)))
		}
		return fmt.Appendf(nil, "%q", p.ids[name]+lines)
	})
}

// fetch reads the texts of a round, and says what is remarkable about them.
func (p *player) fetch(ctx context.Context, in args) (notes string, err error) {
	var out struct {
		Sources []struct {
			URL, Status, Reason string
			SourceID            string `json:"source_id"`
			DuplicateOf         string `json:"duplicate_of"`
			Flags               []string
		}
	}
	if err := p.call(ctx, "fetch", in, &out); err != nil {
		return "", err
	}
	for _, s := range out.Sources {
		if s.Status != "read" {
			return "", fmt.Errorf("%s: %s %s", s.URL, s.Status, s.Reason)
		}
		p.ids[filepath.Base(s.URL)] = s.SourceID
		if s.DuplicateOf != "" {
			notes += ", " + s.SourceID + " is a copy of " + s.DuplicateOf
		}
		if slices.ContainsFunc(s.Flags, func(f string) bool { return strings.HasPrefix(f, "addresses_the_model") }) {
			notes += ", " + s.SourceID + " gives orders to a model"
		}
	}
	return notes, nil
}

// check checks the whole text before anybody has read it, and prints what citeloop finds and what it points to.
func (p *player) check(ctx context.Context) error {
	v, err := p.verify(ctx)
	if err != nil {
		return err
	}
	p.say("\n1. What citeloop finds by itself: errors, without a model and without a reader\n")
	p.wrong(v, citeloop)
	p.say("\n2. What it points to: remarks, which decide nothing\n")
	for _, c := range v.Claims {
		x := p.is(c.Claim)
		if x == nil && len(c.Remarks) > 0 {
			p.remarks++
		}
		for _, r := range c.Remarks {
			if x != nil && x.by == nobody {
				x.remarked = true
				p.say("  ! %s: %s (%q, where %s has %q)\n", x.Kind, c.Claim, r.Claim, r.Lines, r.Text)
			}
		}
	}
	p.say("  %d remarks are on true sentences. %d sentences are not read yet; without a reader citeloop calls none of them supported.\n",
		p.remarks, v.Counts["inferred"])
	return nil
}

// wrong prints the planted sentences that a check calls wrong for the first time, and returns how many true ones it calls so.
func (p *player) wrong(v research.Verification, by finder) int {
	why := map[string]string{}
	for _, c := range v.Claims {
		if c.Status == "unsupported" {
			why[bare(c.Claim)] = c.Because
		}
	}
	for _, u := range v.Uncited {
		why[bare(u.Text)] = "it cites no source"
	}
	for _, h := range v.Hallucinated {
		why[bare(h.Claim)] = h.Citation + ": " + h.Why
	}
	for _, x := range p.Planted {
		because, found := why[bare(x.Claim)]
		delete(why, bare(x.Claim))
		if !found || x.by != nobody {
			continue
		}
		if x.by = by; x.remarked {
			x.by = pointedOut
		}
		p.say("  ✓ %s: %s (%s)\n", x.Kind, x.Claim, strings.TrimSuffix(because, "."))
	}
	return len(why)
}

// review plays back a reader's answers to the batches of the server, and counts who caught which mistakes.
func (p *player) review(ctx context.Context) error {
	p.say("\n3. What only a reader finds, who did not write the text and compares sentence and lines. No model runs now; played back are\n"+
		"   the recorded answers of %s.\n"+
		"   To the report it is the author's own assistant, as citeloop cannot see who answers; this script answers the test items.\n",
		p.reader.By)
	if err := p.read(ctx); err != nil {
		return err
	}
	v, err := p.verify(ctx)
	if err != nil {
		return err
	}
	refused := p.wrong(v, alone)
	p.say("\nThe count: of %d false sentences, %d were found by citeloop itself, %d pointed out by a remark and decided by the reader,\n"+
		"%d found by the reader alone, %d not caught. On true sentences: %d refused by the reader, %d with a remark.\n", len(p.Planted),
		p.foundBy(citeloop), p.foundBy(pointedOut), p.foundBy(alone), p.foundBy(nobody), refused, p.remarks)
	p.say("What nobody catches: %q\n  %s\n", p.Beyond.Claim, p.Beyond.Why)
	p.say("We chose these errors and recorded one good reader: this is an example, not a measurement (bench/README.md has those).\n")
	return nil
}

// correct replaces the caught sentences as the recorded model did, and checks the text again.
func (p *player) correct(ctx context.Context) error {
	var lines, retracted []string
	for _, line := range p.Draft {
		x := p.is(line)
		switch {
		case x == nil || x.by == nobody:
			lines = append(lines, line)
			continue
		case x.Instead != "":
			lines = append(lines, x.Instead)
		}
		if x.by != citeloop { // those were never recorded
			retracted = append(retracted, x.Claim)
		}
	}
	p.Draft = lines
	if err := p.call(ctx, "loop_update", args{"retract_claims": retracted}, &struct{}{}); err != nil {
		return err
	}
	if _, err := p.verify(ctx); err != nil { // the new sentences have to be read, too
		return err
	}
	if err := p.read(ctx); err != nil {
		return err
	}
	v, err := p.verify(ctx)
	p.say("\nThe corrected text: %s, %d sentences, %d of them supported\n", v.Verdict, len(v.Claims), v.Counts["grounded"])
	return err
}

var citedFile = regexp.MustCompile(`\[[a-z-]+\.(?:html|md|txt)`)

// text returns the draft with source ids in place of file names.
func (p *player) text() string {
	return citedFile.ReplaceAllStringFunc(strings.Join(p.Draft, "\n"), func(mark string) string { return "[" + p.ids[mark[1:]] }) + "\n"
}
