package loops

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"golang.org/x/crypto/ssh"

	"github.com/citeloop/citeloop/internal/archive"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/loopstate"
)

// CrateInput is a request for a bundle.
type CrateInput struct {
	Loop    string
	License string // address of the report's license; "" if none is stated
	Texts   bool   // with the stored texts, not their hashes only
}

// ExportCrate writes a bundle that stands alone: the report with its receipts, the log and the searches, described as an
// RO-Crate. A report that does not pass is marked DRAFT.
func (s *Service) ExportCrate(ctx context.Context, in CrateInput, w io.Writer, signer ssh.Signer) error {
	d, err := s.Report(ctx, ReportInput{Loop: in.Loop, AllowUnverified: true})
	if err != nil {
		return err
	}
	from, err := s.archived(ctx, in.Loop)
	if err != nil {
		return err
	}
	from.Sources = nil
	for _, src := range d.Sources { // without the paths of local files
		from.Sources = append(from.Sources, src.Source)
	}
	c := archive.Crate{Description: fmt.Sprintf("Report of a research loop with %d sources, as of %s. Verdict of the check: %s.", len(d.Sources), d.AsOf, d.Verdict),
		Published: d.GeneratedAt, License: in.License, Texts: in.Texts}
	for _, f := range []archive.File{{Name: "report.md", Type: report.FullMarkdown, About: "The report"}, {Name: "report.html", Type: report.HTML, About: "The report as a page"},
		{Name: "report.json", Type: report.JSON, About: "The report as data, with the receipts of each sentence"}} {
		var body bytes.Buffer
		if err := report.Write(&body, f.Type, d); err != nil {
			return err
		}
		f.Type, f.Body = report.ContentType(f.Type), body.Bytes()
		c.Files = append(c.Files, f)
	}
	searches, err := peek(ctx, s, in.Loop, func(st *loopstate.State) []loopstate.Search { return slices.Clone(st.Searches) })
	if err != nil {
		return err
	}
	c.Files = append(c.Files, archive.File{Name: "searches.csv", Type: "text/csv", About: "Every search: channel, query, date and number of hits", Body: archive.SearchTable(searches)})
	return archive.WriteCrate(ctx, w, from, c, signer)
}
