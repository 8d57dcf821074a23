package console

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
	word = strings.ToLower(word)
	best, distance := "", 1+max(2, len(word)/3)
	for _, name := range names {
		d := levenshtein.ComputeDistance(word, name)
		if strings.HasPrefix(name, word) {
			d = 1
		}
		if d > 1 && word[:min(1, len(word))] != name[:1] {
			continue // a misspelling usually keeps the first letter
		}
		if d < distance {
			best, distance = name, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
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
