package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/internal/audit"
	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/setup"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/references"
)

func newAudit(p console.Process, opts *setup.Options) *cobra.Command {
	var format string
	var services []string
	cmd := &cobra.Command{
		Use:   "audit FILE...",
		Short: "Look up each entry of reference lists, and compare it with the records",
		Long: `Look up each entry of reference lists at Crossref, OpenAlex, DBLP, DataCite, arXiv, PubMed and others, and compare it
with their records: title, authors, year, venue, DOI, arXiv id, PMID. A file is BibTeX (.bib), RIS (.ris), CSL-JSON (.json), or a
text with a list of references: Markdown, plain text, PDF, DOCX, HTML. Its entries are those below a heading such as "References", or
numbered and labelled ones. Nothing else of a text is sent; a text without such a list is refused.

Each entry is
  verified         found, and no field differs (initials, accents, capitals, abbreviated venues and preprints are known)
  mismatch         found, but a field differs; both values are shown
  retracted        retracted or withdrawn, or there is an expression of concern; with date and notice
  not_found        the services that were asked do not have it; it may exist all the same
  could_not_look   nothing found, and a service did not answer
  not_a_reference  no title and no identifier

Exit codes
  0  every entry is verified
  1  an entry differs from its records, or was retracted
  2  wrong usage, or no reference list found
  3  neither, but an entry was not found or could not be looked up`,
		Example: `  citeloop audit refs.bib
  citeloop audit paper.pdf --format json`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return console.Usagef("missing file with references")
			}
			if format != "text" && format != "json" {
				return console.Usagef("unknown format %q: use text or json", format)
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := opts.Settings(p)
			if err != nil {
				return err
			}
			files, err := fetch.New(fetch.Config{Logger: s.Logger})
			if err != nil {
				return err
			}
			lists, err := readLists(cmd.Context(), files, args)
			if err = errors.Join(err, files.Close()); err != nil {
				return err
			}
			return setup.WithService(cmd.Context(), p, opts, func(svc *loops.Service) error {
				r, err := auditLists(cmd.Context(), p, svc, services, lists)
				if err != nil {
					return flagError(err)
				}
				write := audit.WriteText
				if format == "json" {
					write = audit.WriteJSON
				}
				if err := write(p.Stdout, r); err != nil || r.ExitCode() == 0 {
					return err
				}
				return console.End{Code: r.ExitCode()}
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "text or json")
	cmd.Flags().StringArrayVar(&services, "channel", nil, "service to ask instead of the default ones; repeatable")
	return cmd
}

// readLists reads the references of files; what is no list by its name is read as a document.
func readLists(ctx context.Context, reader *fetch.Reader, paths []string) (lists []audit.List, err error) {
	for _, path := range paths {
		body, err := readPacked(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, console.Usagef("file not found: %s; give a bibliography, or a text with a reference list", path)
		} else if err != nil {
			return nil, console.Usagef("cannot read %s: %w", path, err)
		}
		name := strings.TrimSuffix(path, ".gz")
		l := audit.List{Name: filepath.ToSlash(path)}
		text, format := string(body), strings.TrimPrefix(strings.ToLower(filepath.Ext(name)), ".")
		if kind := extract.TypeByName(name); kind != "" && !strings.HasPrefix(kind, "text/plain") && kind != "text/markdown" {
			page := reader.Examine(ctx, kind, body, nil)
			if page.Text == "" {
				return nil, console.Usagef("cannot read %s as a document: %s (%s)", path, page.Reason, page.Status)
			}
			text = page.Text
		}
		if l.Entries, l.Problems, err = references.Parse(format, text); err != nil {
			if errors.Is(err, references.ErrNone) {
				return nil, console.Usagef("no reference list found in %s; nothing was sent. Give a heading such as \"References\" to "+
					"the list, or number its entries", path)
			}
			return nil, console.Usagef("%s: %w", path, err)
		}
		lists = append(lists, l)
	}
	return lists, nil
}

// auditLists asks the services that are configured, unless some are named.
func auditLists(ctx context.Context, p console.Process, svc *loops.Service, services []string, lists []audit.List) (*audit.Result, error) {
	if services == nil {
		services = audit.Usable(svc.Channels())
	}
	return audit.Run(ctx, audit.Config{Search: svc.Searcher, Channels: services, Now: time.Now, Generator: svc.Generator,
		Progress: func(done, of int, _ audit.Entry) {
			if done%10 == 0 || done == of {
				fmt.Fprintf(p.Stderr, "%d of %d references looked up\n", done, of)
			}
		},
	}, lists)
}
