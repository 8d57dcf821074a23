package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
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
	var format, repair string
	var services []string
	cmd := &cobra.Command{
		Use:   "audit FILE...",
		Short: "Look up each entry of reference lists, and compare it with the records",
		Long: `Look up each entry of reference lists at Crossref, OpenAlex, DBLP, DataCite, arXiv, PubMed and others, and compare it
field by field with their records: title, authors, year, venue, DOI. A file is BibTeX (.bib), RIS (.ris), CSL-JSON (.json),
or a text with a list of references: Markdown, plain text, PDF, DOCX, HTML.

Each entry is
  verified         found, and no field differs (initials, accents, capitals, abbreviated venues and preprints are known)
  mismatch         found, but a field differs; both values are shown
  retracted        retracted or withdrawn, or there is an expression of concern; with date and notice
  not_found        the services that were asked do not have it; it may exist all the same
  could_not_look   nothing found, and a service did not answer
  not_a_reference  no title and no identifier

The entries are sent to these services, and nothing else. With --repair, a copy of a BibTeX file is written with the recorded
title, authors, year and DOI of entries that differ. Look at its changes before you use it.

Exit codes
  0  every entry is verified
  1  an entry differs from its records, or was retracted
  2  wrong usage
  3  neither, but an entry was not found or could not be looked up`,
		Example: `  citeloop audit refs.bib
  citeloop audit paper.pdf --format html > references.html
  citeloop audit refs.bib --repair repaired.bib`,
		Args: func(cmd *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return console.Usagef("missing file with references")
			case !slices.Contains(audit.Formats(), format):
				return console.Usagef("unknown format %q: use %s", format, strings.Join(audit.Formats(), ", "))
			case repair != "" && (len(args) > 1 || references.FormatOf(args[0]) != references.BibTeX):
				return console.Usagef("--repair writes one BibTeX file: give one file that ends in .bib")
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
				if err := audit.Write(p.Stdout, format, r); err != nil {
					return err
				}
				if repair != "" {
					if err := writeRepaired(p, r, lists[0], repair); err != nil {
						return err
					}
				}
				if r.ExitCode() == 0 {
					return nil
				}
				return console.End{Code: r.ExitCode()}
			})
		},
	}
	cmd.Flags().StringVar(&format, "format", audit.Text, strings.Join(audit.Formats(), ", "))
	cmd.Flags().StringVar(&repair, "repair", "", "write a repaired copy of a BibTeX file to this new file")
	cmd.Flags().StringArrayVar(&services, "channel", nil, "service to ask instead of the default ones; repeatable")
	return cmd
}

// readLists reads the references of files; what is no list by its name is read as a document.
func readLists(ctx context.Context, reader *fetch.Reader, paths []string) (lists []audit.List, err error) {
	for _, path := range paths {
		body, err := readPacked(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		name := strings.TrimSuffix(path, ".gz")
		l := audit.List{Name: filepath.ToSlash(path), Text: string(body)}
		format := references.FormatOf(name)
		if kind := extract.TypeByName(name); format == references.Text && kind != "" && !strings.HasPrefix(kind, "text/plain") && kind != "text/markdown" {
			page := reader.Examine(ctx, kind, body, nil)
			if page.Text == "" {
				return nil, fmt.Errorf("%s: cannot be read as a document (%s): %s", path, page.Status, page.Reason)
			}
			l.Text = page.Text
		}
		if l.Entries, l.Problems, err = references.Parse(format, l.Text); err != nil {
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

func writeRepaired(p console.Process, r *audit.Result, list audit.List, to string) error {
	text, fields := r.Repaired(list)
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644) // never over a list that somebody keeps
	if err != nil {
		return fmt.Errorf("--repair: %w", err)
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("--repair: %w", err)
	}
	fmt.Fprintf(p.Stderr, "%s: %d fields repaired\n", to, fields)
	return nil
}
