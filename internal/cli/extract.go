package cli

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/cli/setup"
)

// maxFileBytes bounds a file, unpacked, like a page from the web.
const maxFileBytes = 20 << 20

func newExtract(p console.Process, opts *setup.Options) *cobra.Command {
	var format string
	var explain bool
	cmd := &cobra.Command{
		Use:   "extract PATH...",
		Short: "Show the text of files as citeloop reads it",
		Long: `Show the text and metadata of files as citeloop reads them: the content of pages without navigation, papers in
reading order. Folders are read recursively, sorted by name; .gz files are unpacked.

With --format jsonl each file is one line, and with json one indented object, in the order of the arguments: id (the file's name up to its first dot),
title, text, markdown, authors, published_at, doi, language, content_type, status, ms. The status is read, too_short,
paywalled, blocked, not_found, unsupported, timeout or error; reason explains it.

--explain shows as JSON, instead of the text of a web page, what was left out of it, by reason: navigation, advertisement,
related, comments, notice, form, footer, hidden, script, other. It also shows what was repaired, and what comes from the
page's structured data. With json and jsonl, --explain adds these to the other keys.`,
		Example: `  citeloop extract page.html
  citeloop extract --format text paper.pdf
  citeloop extract --explain page.html
  citeloop extract --format jsonl pages/ > texts.jsonl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return console.Usagef("missing file or folder")
			}
			return textFormat(format)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := opts.Settings(p)
			if err != nil {
				return err
			}
			reader, err := fetch.New(fetch.Config{Logger: s.Logger})
			if err != nil {
				return err
			}
			return errors.Join(extractFiles(cmd.Context(), p, reader, args, format, explain), reader.Close())
		},
	}
	cmd.Flags().StringVar(&format, "format", formatMarkdown, "markdown, text, json or jsonl")
	cmd.Flags().BoolVar(&explain, "explain", false, "show what was left out of web pages, and why")
	return cmd
}

// extractFiles reads files on all cores and writes them in order.
func extractFiles(ctx context.Context, p console.Process, reader *fetch.Reader, paths []string, format string, explain bool) error {
	w := newTextWriter(p, format, len(paths) > 1 || isFolder(paths[0]))
	w.explain = explain
	err := inOrder(ctx, runtime.GOMAXPROCS(0), func(ctx context.Context, visit func(string) error) error {
		return eachFile(ctx, paths, visit)
	}, func(ctx context.Context, path string) extracted { return extractFile(ctx, reader, path, explain) }, w)
	switch {
	case err != nil:
		return err
	case w.count == 0:
		return fmt.Errorf("no supported file in %s", strings.Join(paths, ", "))
	case w.unread == w.count && w.count == 1:
		return errors.New("the file was not read as a source")
	}
	return nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// eachFile calls visit for each file in paths and for each supported file in their folders. It does not follow links.
func eachFile(ctx context.Context, paths []string, visit func(path string) error) error {
	for _, root := range paths {
		info, err := os.Stat(root)
		if err != nil {
			return fmt.Errorf("%s: %w", root, errors.Unwrap(err))
		}
		if !info.IsDir() {
			if err := visit(root); err != nil {
				return err
			}
			continue
		}
		err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if !d.Type().IsRegular() || extract.TypeByName(strings.TrimSuffix(path, ".gz")) == "" {
				return nil
			}
			return visit(path)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", root, err)
		}
	}
	return nil
}

// extractFile reads one file. An error becomes its status.
func extractFile(ctx context.Context, reader *fetch.Reader, path string, explain bool) extracted {
	start := time.Now()
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	x := extracted{ID: name, Path: path, Authors: []string{}}
	body, err := readPacked(path)
	if err != nil {
		x.Status, x.Reason = string(fetch.StatusError), err.Error()
	} else {
		page := reader.Examine(ctx, extract.TypeByName(strings.TrimSuffix(path, ".gz")), body, nil)
		x.take(page)
		if explain {
			x.explain(&page.Document)
		}
	}
	x.MS = float64(time.Since(start).Microseconds()) / 1000
	return x
}

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
