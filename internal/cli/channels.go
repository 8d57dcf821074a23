package cli

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
)

func newChannels(p console.Process, opts *setup.Options) *cobra.Command {
	return &cobra.Command{
		Use:   "channels",
		Short: "List the channels that can be searched, and what each requires",
		Long: `List the channels: whether each is set up, its health, its rate limit, its last answer, and what it was tested against.
Nothing leaves the machine; 'citeloop search WORDS --channel NAME' shows how one answers.`,
		Example: `  citeloop channels
  citeloop search "zinc coating" --channel crossref`,
		Args: console.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return setup.WithService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				return writeChannels(p.Stdout, svc.Channels())
			})
		},
	}
}

// writeChannels writes a line for each channel, and the details below it.
func writeChannels(out io.Writer, list []channels.Info) error {
	w := bufio.NewWriter(out)
	longest := len("CHANNEL")
	for _, c := range list {
		longest = max(longest, len(c.Name))
	}
	row := func(name, setUp, health string) {
		first := true
		for _, line := range console.Wrapped(health, console.Width-longest-10) {
			fmt.Fprintf(w, "%-*s  %-6s  %s\n", longest, name, setUp, line)
			if first {
				name, setUp, first = "", "", false
			}
		}
	}
	row("CHANNEL", "SET UP", "HEALTH")
	for _, c := range list {
		health, _ := strings.CutPrefix(c.Health, "not configured: ")
		row(c.Name, map[bool]string{true: "yes", false: "no"}[c.Configured], health)
		more := []string{c.RateLimit}
		if words := c.Last.Words(); words != "" {
			more = append(more, "last: "+words)
		}
		for _, line := range console.Wrapped(strings.Join(append(more, c.Trial()), "; "), console.Width-4) {
			fmt.Fprintf(w, "    %s\n", line)
		}
	}
	return w.Flush()
}
