package setup

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/tools"
)

// ToolFlags choose the tools that are served.
type ToolFlags struct {
	ReadOnly bool
	Tools    []string // nil: all
}

func (f *ToolFlags) Register(flags *pflag.FlagSet) {
	flags.BoolVar(&f.ReadOnly, "read-only", false, "serve only tools that change nothing: "+strings.Join(slices.DeleteFunc(tools.Names(), tools.WritesLog), ", "))
	flags.StringSliceVar(&f.Tools, "tools", nil, "serve only these tools, by name, separated by commas")
}

// Check checks the names of --tools.
func (f *ToolFlags) Check() error {
	for i, name := range f.Tools {
		name = strings.TrimSpace(name)
		f.Tools[i] = name
		switch {
		case !slices.Contains(tools.Names(), name):
			return fmt.Errorf("unknown tool %q in --tools%s; valid tools: %s", name, console.DidYouMean(name, tools.Names()), strings.Join(tools.Names(), ", "))
		case f.ReadOnly && tools.WritesLog(name):
			return fmt.Errorf("--tools names %s, which changes loops; remove it, or --read-only", name)
		}
	}
	return nil
}
