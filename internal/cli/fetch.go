package cli

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/grounding/passages"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	fetchAtOnce     = 8   // pages that are read at once; hosts have a limit of their own
	fetchedChars    = 600 // to which sentences are joined into a passage, as the tool fetch shows them
	fetchedPassages = 5   // of each page for a query
)

func newFetch(p Process, opts *options) *cobra.Command {
	var format, query string
	var ignoreRobots bool
	cmd := &cobra.Command{
		Use:   "fetch URL...",
		Short: "Show the text of pages and papers as citeloop reads them",
		Long: `Show the text of addresses as citeloop reads it, the same as 'citeloop extract' shows of files: pages without
what surrounds their content, papers in reading order. Nothing is stored but the HTTP cache.

robots.txt is honoured, private addresses are refused (CITELOOP_ALLOW_PRIVATE=host:port allows one), and a page
that cannot be read is looked for as an open copy or in the Wayback Machine; CITELOOP_COPIES=off leaves that out.
With --query the best passages of each page are shown in place of the whole text.

With --format jsonl each address is one line, in the order of the arguments: the keys of 'citeloop extract', and
url, final_url, http_status, via and copied_at (the copy that was read in place of the page, and its day),
robots_ignored, fetched_at, passages[{start, end, text, score}]. The status is read, or says why there is no text:
too_short, not_found, blocked, paywalled, robots, unsupported, timeout, error; reason says it in words.

Exit codes
  0  every address was read
  2  wrong usage
  3  an address could not be read; stderr, or its row, says why`,
		Example: `  citeloop fetch https://go.dev/ref/mem
  citeloop fetch --query "channel send happens before" https://go.dev/ref/mem
  citeloop fetch --format jsonl https://example.org/a https://doi.org/10.1000/182 > texts.jsonl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("fetch takes the addresses to read; 'citeloop extract' reads files")}
			}
			return textFormat(format)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := opts.settings(p)
			if err != nil {
				return err
			}
			s.ignoreRobots = ignoreRobots
			reader, err := newReader(s, 0)
			if err != nil {
				return err
			}
			return errors.Join(fetchAddresses(cmd.Context(), p, reader, args, format, query), reader.Close())
		},
	}
	cmd.Flags().StringVar(&format, "format", formatMarkdown, "markdown, text, json or jsonl")
	cmd.Flags().StringVar(&query, "query", "", "show the passages that fit these words best, in place of the whole text")
	cmd.Flags().BoolVar(&ignoreRobots, "ignore-robots", false, "read these addresses although a site's robots.txt forbids it to programs; the output says so")
	return cmd
}

// fetchAddresses reads addresses, several at once, and writes them in order.
func fetchAddresses(ctx context.Context, p Process, reader *fetch.Reader, urls []string, format, query string) error {
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
		return endError{code: exitCannotSay} // each was said with its reason
	}
	return err
}

func fetchAddress(ctx context.Context, reader *fetch.Reader, u, query string) extracted {
	page := reader.Read(ctx, u)
	x := extracted{ID: loopstate.CanonicalKey(firstOf(page.FinalURL, page.URL), page.DOI), URL: page.URL, FinalURL: page.FinalURL, HTTPStatus: page.HTTPStatus,
		Via: page.Via, CopiedAt: page.CopiedAt, RobotsIgnored: page.RobotsIgnored, MS: float64(page.Took.Microseconds()) / 1000}
	x.take(page)
	if page.Status == fetch.StatusRobots {
		x.Reason += "; --ignore-robots reads it all the same, and says so"
	}
	if at := page.FetchedAt.UTC().Truncate(time.Second); page.Status == fetch.StatusRead {
		x.FetchedAt = &at
	}
	if query != "" && x.Text != "" {
		x.keep(query)
	}
	return x
}

// keep puts the passages that fit a query best in the place of the text. Where none does, there is no text.
func (x *extracted) keep(query string) {
	index := passages.NewIndex()
	index.Add(x.ID, passages.Split(x.Text, fetchedChars))
	var texts []string
	for _, hit := range index.Search(query, fetchedPassages) {
		x.Passages = append(x.Passages, passageRow{Start: hit.Passage.Start, End: hit.Passage.End, Text: hit.Passage.Text, Score: hit.Score})
		texts = append(texts, hit.Passage.Text)
	}
	x.Text = strings.Join(texts, "\n\n")
	x.Markdown = x.Text
	if len(texts) == 0 {
		x.Reason = "no passage has words of the query"
	}
}
