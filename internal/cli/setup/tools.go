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
	Tools    []string // nil: all
	ReadOnly bool     // only the tools that change nothing; no call writes
}

// Presets of --tools.
const (
	presetCheck = "check"
	presetRead  = "read"
)

// Register adds the flag --tools.
func (f *ToolFlags) Register(flags *pflag.FlagSet) {
	flags.StringSliceVar(&f.Tools, "tools", nil, "serve only these tools, by name, or a preset: 'check' ("+strings.Join(checkTools(), ", ")+
		"), or 'read', the tools that change nothing")
}

// checkTools are what it takes to check a text that cites.
func checkTools() []string {
	return []string{"fetch", "find_passages", "verify_citations", "review_claims"}
}

// Check checks the names of --tools, and replaces a preset by its tools.
func (f *ToolFlags) Check() error {
	for i, name := range f.Tools {
		f.Tools[i] = strings.TrimSpace(name)
		switch name := f.Tools[i]; {
		case len(f.Tools) == 1 && name == presetCheck:
			f.Tools = checkTools()
			return nil
		case len(f.Tools) == 1 && name == presetRead:
			f.Tools, f.ReadOnly = nil, true
			return nil
		case name == presetCheck || name == presetRead:
			return fmt.Errorf("--tools %s: a preset stands alone; name its tools instead", strings.Join(f.Tools, ","))
		case !slices.Contains(tools.Names(), name):
			return fmt.Errorf("unknown tool %q in --tools%s; valid tools: %s; presets: %s, %s",
				name, console.DidYouMean(name, tools.Names()), strings.Join(tools.Names(), ", "), presetCheck, presetRead)
		}
	}
	return nil
}
