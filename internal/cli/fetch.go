package cli

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/docid"
)

const fetchAtOnce = 8 // pages in parallel; each host has its own limit

func newFetch(p console.Process, opts *setup.Options) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:     "fetch URL|FILE...",
		Aliases: []string{"extract"},
		Short:   "Show the text of pages, papers and files as citeloop reads it",
		Long: `Show the text of addresses, files and folders as citeloop stores it, with line numbers for citations such as
paper.pdf:120. Navigation and other furniture of pages is only counted; --format text shows it, too, without numbers.
Folders are read recursively; .gz files are unpacked.

robots.txt is obeyed (unless CITELOOP_IGNORE_ROBOTS=true), and private addresses are refused
(CITELOOP_ALLOW_PRIVATE=host:port allows one). For a page that
cannot be read, citeloop looks for an open copy and in the Wayback Machine, unless CITELOOP_COPIES=off.

With --format jsonl each text is one line, with its title, authors, dates, identifiers and status: read, too_short,
not_found, blocked, paywalled, robots, unsupported, timeout or error; reason explains it.

Exit codes
  0  every text was read
  1  no file could be read
  2  wrong usage
  3  an address could not be read; stderr or its row has the reason`,
		Example: `  citeloop fetch https://go.dev/ref/mem
  citeloop fetch https://go.dev/ref/mem | grep 'happens before'
  citeloop fetch paper.pdf
  citeloop fetch --format jsonl pages/ https://doi.org/10.1000/182 > texts.jsonl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return console.Usagef("missing address or file: give https://… or a path")
			}
			if !slices.Contains([]string{formatLines, formatText, formatJSONL}, format) {
				return console.Usagef("unknown format %q: use lines, text or jsonl", format)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := opts.Settings(p)
			if err != nil {
				return err
			}
			reader, err := setup.NewReader(s)
			if err != nil {
				return err
			}
			names, err := namesOf(args)
			if err != nil {
				return errors.Join(err, reader.Close())
			}
			w := &textWriter{out: bufio.NewWriter(p.Stdout), stderr: p.Stderr, format: format, many: len(names) > 1}
			return errors.Join(fetchAll(cmd.Context(), reader, names, w), reader.Close())
		},
	}
	cmd.Flags().StringVar(&format, "format", formatLines, "lines, text or jsonl")
	return cmd
}

// fetchAll reads addresses and files, several at once, and writes them in order.
func fetchAll(ctx context.Context, reader *fetch.Reader, names []string, w *textWriter) error {
	err := inOrder(ctx, names, func(ctx context.Context, name string) extracted { return readText(ctx, reader, name) }, w)
	switch {
	case err != nil:
		return err
	case w.unread > 0 && slices.ContainsFunc(names, isAddress):
		return console.End{Code: console.ExitUndecided} // the reasons are already written
	case w.unread == w.count && w.count == 1:
		return errors.New("the file was not read as a source")
	}
	return nil
}

// isAddress reports whether an argument is an address, not a path: it has a scheme, is a DOI, or is no file and begins like a host.
func isAddress(arg string) bool {
	if strings.Contains(arg, "://") || strings.HasPrefix(arg, "doi:") {
		return true
	}
	if _, err := os.Lstat(arg); err == nil {
		return false
	}
	host, _, below := strings.Cut(arg, "/")
	return strings.Contains(strings.Trim(host, "."), ".") && (below || extract.TypeByName(arg) == "")
}

// namesOf returns the addresses and files of arguments, and the supported files in folders. It does not follow links.
func namesOf(args []string) (names []string, err error) {
	for _, arg := range args {
		if isAddress(arg) {
			names = append(names, arg)
			continue
		}
		err := filepath.WalkDir(arg, func(path string, d fs.DirEntry, err error) error {
			if err == nil && (path == arg && !d.IsDir() || d.Type().IsRegular() &&
				extract.TypeByName(strings.TrimSuffix(path, ".gz")) != "") {
				names = append(names, path)
			}
			return err
		})
		if errors.Is(err, fs.ErrNotExist) {
			return nil, console.Usagef("%s: no such file; name a file or folder that exists, or an address with https://", arg)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(names) == 0 {
		return nil, console.Usagef("no supported file in %s", strings.Join(args, ", "))
	}
	return names, nil
}

// readText reads one address or file. An error becomes its status.
func readText(ctx context.Context, reader *fetch.Reader, name string) (x extracted) {
	start := time.Now()
	if !isAddress(name) {
		x.ID, _, _ = strings.Cut(filepath.Base(name), ".")
		x.Path, x.Authors = name, []string{}
		if body, err := readPacked(name); err != nil {
			x.Status, x.Reason = string(fetch.StatusError), err.Error()
		} else {
			named := strings.TrimSuffix(name, ".gz")
			x.take(reader.Examine(ctx, extract.TypeByName(named), body, &url.URL{Scheme: "file", Path: filepath.ToSlash(named)}))
		}
	} else {
		page := reader.Read(ctx, name)
		x = extracted{ID: docid.Identify(docid.Reading{Asked: page.URL, Final: page.FinalURL, Claimed: page.DOI,
			Proven: page.ProvenDOI}).Key, URL: page.URL, FinalURL: page.FinalURL, HTTPStatus: page.HTTPStatus, Via: page.Via,
			CopiedAt: page.CopiedAt, RobotsIgnored: page.RobotsIgnored}
		x.take(page)
		if page.Status == fetch.StatusRobots {
			x.Reason += "; CITELOOP_IGNORE_ROBOTS=true reads it anyway"
		}
		if at := page.FetchedAt.UTC().Truncate(time.Second); page.Status == fetch.StatusRead {
			x.FetchedAt = &at
		}
	}
	x.MS = float64(time.Since(start).Microseconds()) / 1000
	return x
}

// maxFileBytes bounds a file, unpacked, like a page from the web.
const maxFileBytes = 20 << 20

// readPacked reads a file and unpacks it if its name ends in .gz.
func readPacked(path string) ([]byte, error) {
	f, err := safefile.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		zr, err := gzip.NewReader(f)
		if err != nil {
			return nil, errors.New("not a gzip file despite its name")
		}
		r = zr
	}
	body, err := io.ReadAll(io.LimitReader(r, maxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("cannot read the file: %w", err)
	}
	if len(body) > maxFileBytes {
		return nil, fmt.Errorf("the file is larger than %d MiB", maxFileBytes>>20)
	}
	return body, nil
}
