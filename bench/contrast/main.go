// Command contrast measures verifiers of cited sentences on claims of which half are false by one subtle change.
// README.md describes the data.
//
//	go run ./contrast score SAID.jsonl                 # compare verdicts with the labels
//	go run ./contrast words > SAID.jsonl               # a baseline that matches words
//	go run ./contrast ask --url URL --model NAME > SAID.jsonl   # a baseline that asks a model
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"

	"github.com/citeloop/citeloop/bench/claimset"
)

const usage = `Usage: contrast COMMAND [flags]

  score SAID.jsonl   compare verdicts with the labels; print a Markdown table, or JSON with --json
  words              write the verdicts of a baseline that matches words
  ask                write the verdicts of a model behind an OpenAI-compatible endpoint

SAID.jsonl has one verdict a line: {"id": "...", "status": "grounded|inferred|unsupported", "support": 0.7}.
The support is optional. Use - to read from the standard input.
`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "contrast:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	if len(args) == 0 {
		fmt.Fprint(out, usage)
		return nil
	}
	flags := flag.NewFlagSet(args[0], flag.ContinueOnError)
	dir := flags.String("set", "", "folder with claims.jsonl and sources.jsonl; empty for the set of this folder")
	asJSON := flags.Bool("json", false, "score: print JSON")
	url := flags.String("url", "https://api.openai.com/v1", "ask: base address of the endpoint")
	model := flags.String("model", "", "ask: name of the model")
	keyName := flags.String("key", "OPENAI_API_KEY", "ask: environment variable with the key")
	parallel := flags.Int("parallel", 4, "ask: requests at the same time")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	var folder fs.FS = embedded
	if *dir != "" {
		folder = os.DirFS(*dir)
	}
	s, err := claimset.Load(folder)
	if err != nil {
		return err
	}

	lines := json.NewEncoder(out)
	switch args[0] {
	case "score":
		if flags.NArg() != 1 {
			return fmt.Errorf("score needs one file, got %d: use contrast score [--json] SAID.jsonl", flags.NArg())
		}
		return scoreFile(s, flags.Arg(0), *asJSON, in, out)
	case "words":
		for _, v := range matchWords(s) {
			if err := lines.Encode(v); err != nil {
				return err
			}
		}
		return nil
	case "ask":
		if *model == "" || *parallel < 1 {
			return fmt.Errorf("ask needs a model and at least one request at a time: use --model and --parallel")
		}
		return askModel(ctx, s, *url, os.Getenv(*keyName), *model, *parallel, func(v said) error { return lines.Encode(v) })
	}
	return fmt.Errorf("unknown command: %s; use score, words or ask", args[0])
}

func scoreFile(s claimset.Set, name string, asJSON bool, in io.Reader, out io.Writer) error {
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return err
		}
		defer file.Close()
		in = file
	}
	verdicts, err := claimset.ReadLines[said](in)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	r, err := score(s.Claims, verdicts)
	if err != nil {
		return err
	}
	if asJSON {
		return json.NewEncoder(out).Encode(r)
	}
	r.writeTable(out)
	return nil
}
