package cli

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// didYouMean returns a question with the name most similar to a word, or "".
func didYouMean(word string, names []string) string {
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

// suggestOrList returns didYouMean, or a list of the names if none is similar.
func suggestOrList(word string, names []string) string {
	if meant := didYouMean(word, names); meant != "" {
		return meant
	}
	return ": use one of " + strings.Join(names, ", ")
}

// unknownFlag adds the flag that was probably meant to pflag's error.
func unknownFlag(cmd *cobra.Command, err error) error {
	word, ok := strings.CutPrefix(err.Error(), "unknown flag: --")
	if !ok {
		return usageError{err}
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	meant := didYouMean(word, names)
	if meant != "" {
		meant = strings.Replace(meant, `"`, `"--`, 1)
	}
	return usageError{fmt.Errorf("%w%s", err, meant)}
}
