package cli

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/text/passage"
)

const (
	fetchAtOnce     = 8   // pages in parallel; each host has its own limit
	fetchedChars    = 600 // of a passage, as in the tool fetch
	fetchedPassages = 5   // of a page
)

func newFetch(p console.Process, opts *setup.Options) *cobra.Command {
	var format, query string
	var ignoreRobots bool
	cmd := &cobra.Command{
		Use:   "fetch URL...",
		Short: "Show the text of pages and papers as citeloop reads them",
		Long: `Show the text of addresses as citeloop reads it: the content of pages without navigation, papers in reading order.
Only the HTTP cache is stored. 'citeloop extract' does the same for files.

robots.txt is obeyed, and private addresses are refused (CITELOOP_ALLOW_PRIVATE=host:port allows one). For a page that
cannot be read, citeloop looks for an open copy and in the Wayback Machine, unless CITELOOP_COPIES=off. With --query,
show the best passages of each page instead of the whole text.

With --format jsonl each address is one line, in the order of the arguments. It has the keys of 'citeloop extract', and
url, final_url, http_status, via and copied_at (source and date of a copy), robots_ignored, fetched_at,
passages[{start, end, text, score}]. The status is read, too_short, not_found, blocked, paywalled, robots, unsupported,
timeout or error; reason explains it.

Exit codes
  0  every address was read
  2  wrong usage
  3  an address could not be read; stderr or its row has the reason`,
		Example: `  citeloop fetch https://go.dev/ref/mem
  citeloop fetch --query "channel send happens before" https://go.dev/ref/mem
  citeloop fetch --format jsonl https://example.org/a https://doi.org/10.1000/182 > texts.jsonl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return console.Usagef("missing address: 'citeloop extract' reads files")
			}
			return textFormat(format)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := opts.Settings(p)
			if err != nil {
				return err
			}
			s.IgnoreRobots = ignoreRobots
			reader, err := setup.NewReader(s, 0)
			if err != nil {
				return err
			}
			return errors.Join(fetchAddresses(cmd.Context(), p, reader, args, format, query), reader.Close())
		},
	}
	cmd.Flags().StringVar(&format, "format", formatMarkdown, "markdown, text, json or jsonl")
	cmd.Flags().StringVar(&query, "query", "", "show the best passages for these words instead of the whole text")
	cmd.Flags().BoolVar(&ignoreRobots, "ignore-robots", false, "read these addresses even if robots.txt disallows it; the output notes it")
	return cmd
}

// fetchAddresses reads addresses, several at once, and writes them in order.
func fetchAddresses(ctx context.Context, p console.Process, reader *fetch.Reader, urls []string, format, query string) error {
	w := newTextWriter(p, format, len(urls) > 1)
	err := inOrder(ctx, fetchAtOnce, func(_ context.Context, visit func(string) error) error {
		for _, u := range urls {
			if err := visit(u); err != nil {
				return err
			}
		}
		return nil
	}, func(ctx context.Context, u string) extracted { return fetchAddress(ctx, reader, u, query) }, w)
	if err == nil && w.unread > 0 {
		return console.End{Code: console.ExitUndecided} // the reasons are already written
	}
	return err
}

func fetchAddress(ctx context.Context, reader *fetch.Reader, u, query string) extracted {
	page := reader.Read(ctx, u)
	x := extracted{ID: docid.Identify(docid.Reading{Asked: page.URL, Final: page.FinalURL, Claimed: page.DOI, Proven: page.ProvenDOI}).Key, URL: page.URL, FinalURL: page.FinalURL, HTTPStatus: page.HTTPStatus,
		Via: page.Via, CopiedAt: page.CopiedAt, RobotsIgnored: page.RobotsIgnored, MS: float64(page.Took.Microseconds()) / 1000}
	x.take(page)
	if page.Status == fetch.StatusRobots {
		x.Reason += "; --ignore-robots reads it anyway"
	}
	if at := page.FetchedAt.UTC().Truncate(time.Second); page.Status == fetch.StatusRead {
		x.FetchedAt = &at
	}
	if query != "" && x.Text != "" {
		x.keep(query)
	}
	return x
}

// keep replaces the text with the best passages for a query. Without a match the text is empty.
func (x *extracted) keep(query string) {
	index := passage.NewIndex()
	index.Add(x.ID, passage.Split(x.Text, fetchedChars))
	var texts []string
	for _, hit := range index.Search(query, fetchedPassages, nil) {
		x.Passages = append(x.Passages, passageRow{Start: hit.Passage.Start, End: hit.Passage.End, Text: hit.Passage.Text, Score: hit.Score})
		texts = append(texts, hit.Passage.Text)
	}
	x.Text = strings.Join(texts, "\n\n")
	x.Markdown = x.Text
	if len(texts) == 0 {
		x.Reason = "no passage has words of the query"
	}
}
