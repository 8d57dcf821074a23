package agents

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
)

// maxAnswerChars bounds an answer, as in docs/install.md.
const maxAnswerChars = 16_000

// served is what citeloop sends to a client.
type served struct {
	instructions string
	tools        []mcp.Tool
}

// ask starts citeloop and asks for its instructions and tools, as a client does.
func ask(citeloop string, env []string) (s served, err error) {
	c, err := client.NewStdioMCPClient(citeloop, env, "serve")
	if err != nil {
		return s, err
	}
	defer c.Close()
	var hello mcp.InitializeRequest
	hello.Params.ProtocolVersion = "2025-06-18"
	begun, err := c.Initialize(context.Background(), hello)
	if err != nil {
		return s, err
	}
	list, err := c.ListTools(context.Background(), mcp.ListToolsRequest{})
	if err != nil {
		return s, err
	}
	return served{begun.Instructions, list.Tools}, nil
}

// check installs citeloop in the client, lets the client list it, runs the loop, and compares what reached the model.
func (a *agent) check(corpus string) error {
	version, err := a.client([]string{"--version"})
	if err != nil {
		return err
	}
	lines := strings.Split(strings.TrimSpace(version), "\n")
	fmt.Fprintf(&a.out, "%s %s\n", a.title, lines[len(lines)-1])
	if _, err := a.run(a.citeloop, []string{"install", a.name, "--corpus", corpus}); err != nil {
		return err
	}
	listed, err := a.client([]string{"mcp", "list"})
	if err != nil {
		return err
	}
	if !regexp.MustCompile(a.listed).MatchString(listed) {
		return fmt.Errorf("mcp list does not have citeloop as %q:\n%s", a.listed, listed)
	}
	want, err := ask(a.citeloop, a.env())
	if err != nil {
		return err
	}
	m, err := a.converse(loop(corpus))
	if err != nil {
		return err
	}
	return a.compare(m, want)
}

// compare reports what the model was shown, and any faults.
func (a *agent) compare(m *model, want served) error {
	var faults []error
	fault := func(format string, args ...any) { faults = append(faults, fmt.Errorf(format, args...)) }
	var first request
	for _, r := range m.requests {
		if r.offers("loop_init") {
			first = r
			break
		}
	}
	deferred := 0
	for _, t := range want.tools {
		offered, ok := first.find(t.Name)
		switch {
		case !ok:
			fault("the tool %s does not reach the model", t.Name)
		case offered.Deferred:
			deferred++
		case !strings.Contains(plain(offered.Description), plain(t.Description)):
			fault("the description of %s is cut: %.80q", t.Name, offered.Description)
		}
	}
	if deferred > 0 {
		fault("the model has to search for %d of %d tools", deferred, len(want.tools))
	}
	instructions := "none"
	if shown := commonStart(first.Text, want.instructions); shown == len(want.instructions) {
		instructions = "whole"
	} else if shown > 40 {
		instructions = fmt.Sprintf("cut at %d of %d", shown, len(want.instructions))
	}
	largest := 0
	for i, c := range m.calls {
		n := utf8.RuneCountInString(m.results[i])
		switch {
		case c.Args["max_chars"] != nil:
			if a.whole && n < 90_000 {
				fault("of a page of 90,000 characters, asked for in full, the model gets %d", n)
			}
			continue
		case n > maxAnswerChars:
			fault("the answer of %s has %d characters, want %d at most", c.Tool, n, maxAnswerChars)
		case c.Tool == "verify_citations" && c.Args["claims"] != nil && !strings.Contains(m.results[i], "S99"):
			fault("the citation of S99, which was never read, is answered: %.400s", m.results[i])
		case c.Tool == "loop_reflect" && !strings.Contains(m.results[i], "next_action"), c.Tool == "loop_report" &&
			!strings.Contains(m.results[i], "path"):
			fault("%s is answered: %.400s", c.Tool, m.results[i])
		}
		largest = max(largest, n)
	}
	fmt.Fprintf(&a.out, "  tools %d of %d, instructions %s\n  %d answers, the largest with %d characters\n", len(want.tools)-len(faults),
		len(want.tools), instructions, len(m.results), largest)
	return errors.Join(faults...)
}

// plain writes an ellipsis as three dots, as Claude Code does.
func plain(text string) string { return strings.ReplaceAll(text, "…", "...") }

// commonStart returns the length of the longest beginning of want that occurs in text.
func commonStart(text, want string) int {
	low, high := 0, len(want)
	for low < high {
		middle := (low + high + 1) / 2
		if strings.Contains(text, want[:middle]) {
			low = middle
		} else {
			high = middle - 1
		}
	}
	return low
}
