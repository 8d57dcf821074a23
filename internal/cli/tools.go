package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/citeloop/citeloop/tools"
)

// toolFlags choose the tools that are served.
type toolFlags struct {
	readOnly bool
	tools    []string // nil: all
}

func (f *toolFlags) register(flags *pflag.FlagSet) {
	flags.BoolVar(&f.readOnly, "read-only", false, "serve only tools that change nothing: "+strings.Join(slices.DeleteFunc(tools.Names(), tools.WritesLog), ", "))
	flags.StringSliceVar(&f.tools, "tools", nil, "serve only these tools, by name, separated by commas")
}

// check checks the names of --tools.
func (f *toolFlags) check() error {
	for i, name := range f.tools {
		name = strings.TrimSpace(name)
		f.tools[i] = name
		switch {
		case !slices.Contains(tools.Names(), name):
			return fmt.Errorf("unknown tool %q in --tools%s; valid tools: %s", name, didYouMean(name, tools.Names()), strings.Join(tools.Names(), ", "))
		case f.readOnly && tools.WritesLog(name):
			return fmt.Errorf("--tools names %s, which changes loops; remove it, or --read-only", name)
		}
	}
	return nil
}
