package console

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/citeloop/citeloop/internal/wording"
)

// OnlySubcommands refuses unknown subcommands.
func OnlySubcommands(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range cmd.Commands() { // sorted
		if c.IsAvailableCommand() && c.Name() != "completion" {
			names = append(names, c.Name())
		}
	}
	return Usagef("unknown command %q%s", args[0], SuggestOrList(args[0], names))
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

// SuggestOrList returns [DidYouMean], or a list of the names if none is similar.
func SuggestOrList(word string, names []string) string {
	return cmp.Or(DidYouMean(word, names), ": use one of "+strings.Join(names, ", "))
}

// UnknownFlag adds the flag that was probably meant to pflag's error.
func UnknownFlag(cmd *cobra.Command, err error) error {
	word, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return Usage(err)
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	return Usagef("%w%s", err, strings.Replace(DidYouMean(word, names), `"`, `"--`, 1))
}
