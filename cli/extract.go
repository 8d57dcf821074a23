package cli

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
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

	"github.com/citeloop/citeloop/extract"
	"github.com/citeloop/citeloop/fetch"
)

// The formats of extract.
const (
	formatMarkdown = "markdown"
	formatText     = "text"
	formatJSON     = "json"
	formatJSONL    = "jsonl"
)

// maxFileBytes bounds a file and what a packed one may unpack to, as pages from the web are bounded.
const maxFileBytes = 20 << 20

func newExtract(p Process, opts *options) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "extract PATH...",
		Short: "Show the text of files as citeloop reads it",
		Long: `Show the text of files as citeloop reads it: pages without what surrounds their content, papers in reading
order, with what they say about themselves. Folders are read with all that is in them, in the order of their
names; .gz files as what is packed in them.

With --format jsonl each file is one line, in the order of the arguments: id (the file's name up to its first
dot), title, text, markdown, authors, published_at, doi, language, content_type, status, ms. The status is
read, or says why citeloop would not keep the file as a source (too_short, paywalled, blocked, not_found,
unsupported, timeout, error); reason says it in words.`,
		Example: `  citeloop extract page.html
  citeloop extract --format text paper.pdf
  citeloop extract --format jsonl pages/ > texts.jsonl`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError{errors.New("extract takes the files or folders to read")}
			}
			switch format {
			case formatMarkdown, formatText, formatJSON, formatJSONL:
				return nil
			}
			return usageError{fmt.Errorf("--format %q is none of markdown, text, json, jsonl", format)}
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := opts.settings(p)
			if err != nil {
				return err
			}
			reader, err := fetch.New(fetch.Config{Logger: s.logger})
			if err != nil {
				return err
			}
			return errors.Join(extractFiles(cmd.Context(), p, reader, args, format), reader.Close())
		},
	}
	cmd.Flags().StringVar(&format, "format", formatMarkdown, "markdown, text, json or jsonl")
	return cmd
}

// extracted is one file and what was read of it.
type extracted struct {
	ID          string   `json:"id"`
	Path        string   `json:"path"`
	Title       string   `json:"title"`
	Text        string   `json:"text"`
	Markdown    string   `json:"markdown"`
	Authors     []string `json:"authors"`
	Publisher   string   `json:"publisher,omitempty"`
	PublishedAt string   `json:"published_at"`
	ModifiedAt  string   `json:"modified_at,omitempty"`
	DOI         string   `json:"doi"`
	ArXiv       string   `json:"arxiv,omitempty"`
	PMID        string   `json:"pmid,omitempty"`
	Licence     string   `json:"licence,omitempty"`
	Language    string   `json:"language"`
	Canonical   string   `json:"canonical_url,omitempty"`
	ContentType string   `json:"content_type"`
	Status      string   `json:"status"`
	Reason      string   `json:"reason,omitempty"`
	MS          float64  `json:"ms"`
}

// extractFiles reads files on all cores and writes them in order. No more than a few wait to be written, so
// that memory stays bounded whatever the number of files.
func extractFiles(ctx context.Context, p Process, reader *fetch.Reader, paths []string, format string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	workers := runtime.GOMAXPROCS(0)
	waiting := make(chan chan extracted, 2*workers) // in the order of the files
	busy := make(chan struct{}, workers)
	var walkErr error
	go func() {
		defer close(waiting)
		walkErr = eachFile(ctx, paths, func(path string) error {
			done := make(chan extracted, 1)
			select {
			case waiting <- done:
			case <-ctx.Done():
				return ctx.Err()
			}
			busy <- struct{}{}
			go func() {
				defer func() { <-busy }()
				done <- extractFile(ctx, reader, path)
			}()
			return nil
		})
	}()
	out := bufio.NewWriter(p.Stdout)
	show := showExtracted(out, format, len(paths) > 1 || isFolder(paths[0]))
	count, unread := 0, 0
	var writeErr error
	for done := range waiting {
		x := <-done
		count++
		if x.Status != string(fetch.StatusRead) {
			unread++
			if format == formatMarkdown || format == formatText {
				fmt.Fprintf(p.Stderr, "citeloop: %s: %s: %s\n", x.Path, x.Status, x.Reason)
			}
		}
		if writeErr == nil {
			if writeErr = show(x); writeErr != nil {
				cancel()
			}
		}
	}
	if format == formatJSON && writeErr == nil {
		if count == 0 {
			_, writeErr = io.WriteString(out, "[")
		}
		if writeErr == nil {
			_, writeErr = io.WriteString(out, "\n]\n")
		}
	}
	if writeErr == nil {
		writeErr = out.Flush()
	}
	switch {
	case writeErr != nil:
		return fmt.Errorf("writing the texts: %w", writeErr)
	case walkErr != nil:
		return walkErr
	case count == 0:
		return fmt.Errorf("there is no file in %s that is read", strings.Join(paths, ", "))
	case unread == count && count == 1:
		return errors.New("the file was not read as a source")
	}
	return nil
}

// showExtracted writes files one by one in a format.
func showExtracted(out io.Writer, format string, many bool) func(extracted) error {
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	first := true
	return func(x extracted) error {
		defer func() { first = false }()
		switch format {
		case formatJSONL:
			return enc.Encode(x)
		case formatJSON:
			lead := ",\n  "
			if first {
				lead = "[\n  "
			}
			row, err := json.MarshalIndent(x, "  ", "  ")
			if err != nil {
				return err
			}
			_, err = io.WriteString(out, lead+string(row))
			return err
		}
		text := x.Text
		if format == formatMarkdown {
			text = firstOf(x.Markdown, x.Text)
			if x.Title != "" && text != "" && !startsWithHeading(text, x.Title) {
				text = "# " + x.Title + "\n\n" + text
			}
		}
		if many {
			if !first {
				text = "\n" + text
			}
			text = "<!-- " + strings.ReplaceAll(x.Path, "--", "- -") + " -->\n\n" + text
		}
		_, err := io.WriteString(out, text+"\n")
		return err
	}
}

// startsWithHeading reports a text that begins with its title.
func startsWithHeading(text, title string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return strings.HasPrefix(line, "#") && strings.Contains(line, title)
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// eachFile calls visit for the files among paths and for those in the folders among them that have a type that
// is read. Links in folders are not followed.
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

// extractFile reads one file. Whatever goes wrong is its status.
func extractFile(ctx context.Context, reader *fetch.Reader, path string) extracted {
	start := time.Now()
	name, _, _ := strings.Cut(filepath.Base(path), ".")
	x := extracted{ID: name, Path: path, Authors: []string{}}
	body, err := readPacked(path)
	if err != nil {
		x.Status, x.Reason = string(fetch.StatusError), err.Error()
	} else {
		x.take(reader.Examine(ctx, extract.TypeByName(strings.TrimSuffix(path, ".gz")), body, nil))
	}
	x.MS = float64(time.Since(start).Microseconds()) / 1000
	return x
}

func (x *extracted) take(page fetch.Page) {
	x.Status, x.Reason = string(page.Status), page.Reason
	x.Title, x.Text, x.Markdown = page.Title, page.Text, page.Markdown
	if x.Markdown == "" && page.ContentType != "text/plain" {
		x.Markdown = page.Text
	}
	if len(page.Authors) > 0 {
		x.Authors = page.Authors
	}
	x.Publisher, x.PublishedAt, x.ModifiedAt = page.Publisher, page.PublishedAt, page.ModifiedAt
	x.DOI, x.ArXiv, x.PMID, x.Licence = page.DOI, page.ArXiv, page.PMID, page.Licence
	x.Language, x.Canonical, x.ContentType = page.Language, page.CanonicalURL, page.ContentType
}

// readPacked reads a file, unpacked when its name ends in .gz.
func readPacked(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		zr, err := gzip.NewReader(f)
		if err != nil {
			return nil, errors.New("the file is called .gz and is not")
		}
		r = zr
	}
	body, err := io.ReadAll(io.LimitReader(r, maxFileBytes+1))
	if err != nil {
		return nil, fmt.Errorf("the file could not be read: %w", err)
	}
	if len(body) > maxFileBytes {
		return nil, fmt.Errorf("the file has more than %d MiB", maxFileBytes>>20)
	}
	return body, nil
}
