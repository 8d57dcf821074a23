package console

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/citeloop/citeloop/internal/wording"
)

// commandNames returns the visible commands, sorted.
func commandNames(root *cobra.Command) []string {
	var names []string
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" && c.Name() != "completion" {
			names = append(names, c.Name())
		}
	}
	slices.Sort(names)
	return names
}

// OnlySubcommands refuses unknown subcommands.
func OnlySubcommands(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("unknown command %q%s", args[0], SuggestOrList(args[0], commandNames(cmd)))
	}
	return nil
}

// OneArgument requires one argument, and says what the command takes.
func OneArgument(takes string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != 1 {
			return Usagef("missing or unexpected argument: %s takes %s", cmd.Name(), takes)
		}
		return nil
	}
}

// NoArguments refuses arguments.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return Usagef("unexpected argument %q: %s takes only flags", args[0], cmd.Name())
	}
	return nil
}

// DidYouMean returns a question with the name most similar to a word, or "".
func DidYouMean(word string, names []string) string {
	if meant := wording.Nearest(word, names); meant != "" {
		return fmt.Sprintf("; did you mean %q?", meant)
	}
	return ""
}

// SuggestOrList returns didYouMean, or a list of the names if none is similar.
func SuggestOrList(word string, names []string) string {
	if meant := DidYouMean(word, names); meant != "" {
		return meant
	}
	return ": use one of " + strings.Join(names, ", ")
}

// UnknownFlag adds the flag that was probably meant to pflag's error.
func UnknownFlag(cmd *cobra.Command, err error) error {
	word, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return Usage(err)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	meant := DidYouMean(word, names)
	if meant != "" {
		meant = strings.Replace(meant, `"`, `"--`, 1)
	}
	return Usagef("%w%s", err, meant)
}
