// Command review measures both keys of citeloop on a contrast set: the wording check, and a second reader of the claims
// that it leaves open. README.md describes how to run it.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
)

const usage = `Usage: review COMMAND [flags]

  prepare --out DIR                         write batches for a reader, and key.json
  score --key FILE --answers FILE|DIR|GLOB  compare the verdicts of both keys with the labels; print Markdown

Both take --set DIR, the folder of claims.jsonl and sources.jsonl (default contrast).
`

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "review:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) == 0 {
		fmt.Fprint(out, usage)
		return nil
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	folder := flags.String("set", "contrast", "folder with claims.jsonl and sources.jsonl")
	to := flags.String("out", "", "prepare: folder for the batches and key.json")
	keyFile := flags.String("key", "", "score: key.json of the batches")
	answers := flags.String("answers", "", "score: answers of one reader; a file, a folder or a pattern")
	listErrors := flags.Bool("errors", false, "score: list the claims that both keys judge wrongly")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	s, err := loadSet(*folder)
	if err != nil {
		return err
	}
	switch args[0] {
	case "prepare":
		if *to == "" {
			return fmt.Errorf("missing folder; use --out DIR")
		}
		k, err := prepare(s)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%d batches\n", len(k.Batches))
		return k.write(s, *to)
	case "score":
		if *keyFile == "" || *answers == "" {
			return fmt.Errorf("missing key or answers; use --key FILE --answers DIR")
		}
		return scoreFiles(s, *keyFile, *answers, *listErrors, out)
	}
	return fmt.Errorf("unknown command: %s; use prepare or score", args[0])
}
