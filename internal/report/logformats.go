package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/prisma"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// What a loop must have recorded for some formats, by the arguments of the update.
const (
	NeedsFields    = "claims.field"
	NeedsScreening = "screening"
)

// Needs returns what a format shows of the log, so that no text is checked for it: the table of a comparison, or the flow of a
// systematic review; "" for all other formats.
func Needs(format string) string {
	switch format {
	case Table, CSV, XLSX:
		return NeedsFields
	case Prisma, PrismaSVG:
		return NeedsScreening
	}
	return ""
}

// Lacks returns what a format needs and the document does not have, or "".
func (d Document) Lacks(format string) string {
	need := Needs(format)
	if need == NeedsFields && d.Table == nil || need == NeedsScreening && d.Review == nil {
		return need
	}
	return ""
}

func renderCSV(d Document) ([]byte, error) {
	return d.Table.CSV()
}

func renderXLSX(d Document) ([]byte, error) {
	return d.Table.XLSX()
}

func renderPrismaSVG(d Document) ([]byte, error) {
	return []byte(d.Review.Flow().SVG() + "\n"), nil
}

func renderPrisma(d Document) ([]byte, error) {
	r := d.Review
	var b strings.Builder
	fmt.Fprintf(&b, "# PRISMA 2020 flow\n\n%s\n\n", mdEscape(heading(d)))
	if pending := r.Pending(); pending != "" {
		fmt.Fprintf(&b, "**Not finished:** %s.\n\n", pending)
	}
	b.WriteString("| Step | Searches | Other methods |\n| :--- | ---: | ---: |\n")
	row := func(step string, databases, other int) {
		fmt.Fprintf(&b, "| %s | %d | %d |\n", step, databases, other)
	}
	one, two := r.Databases, r.Other
	row("Records identified", prisma.Sum(r.Identified), two.Records)
	row("Duplicates removed", r.Duplicates, 0)
	row("Removed for other reasons before screening", r.Unfit, 0)
	row("Records screened", one.Screened, two.Screened)
	row("Records excluded", prisma.Sum(one.Excluded), prisma.Sum(two.Excluded))
	row("Reports sought for retrieval", one.Sought, two.Sought)
	row("Reports not retrieved", one.NotRetrieved, two.NotRetrieved)
	row("Reports assessed for eligibility", one.Assessed, two.Assessed)
	row("Reports excluded", prisma.Sum(one.Rejected), prisma.Sum(two.Rejected))
	row("Studies included", one.Included, two.Included)
	list := func(title string, counts ...[]prisma.Count) {
		fmt.Fprintf(&b, "\n## %s\n\n", title)
		for _, c := range slices.Concat(counts...) {
			fmt.Fprintf(&b, "- %s: %d\n", mdEscape(cmp.Or(c.Name, "unnamed")), c.N)
		}
	}
	list("Identified, by channel", r.Identified)
	list("Excluded by title and abstract", one.Excluded, two.Excluded)
	list("Excluded in full text", one.Rejected, two.Rejected)
	b.WriteString("\n## Decisions\n\n| Record | Stage | Decision | Reason | By | When |\n| :--- | :--- | :--- | :--- | :--- | :--- |\n")
	for _, x := range r.Decisions {
		fmt.Fprintf(&b, "| %s %s %s | %s | %s | %s | %s | %s |\n", x.Record, mdEscape(sanitize.Short(x.Title, titleChars)), mdAddress(x.URL), strings.ReplaceAll(x.Stage, "_", " "), x.Decision,
			mdEscape(x.Reason), mdEscape(cmp.Or(x.By, "the assistant")), x.At.UTC().Format(time.DateOnly))
	}
	fmt.Fprintf(&b, "\nRecords on which people disagreed at one stage: %d. The last decision counts.\n", r.Disagreements)
	b.WriteString("\n## Search strings\n\n| When | Channel | Search string | Limits | Found | Outcome |\n| :--- | :--- | :--- | :--- | ---: | :--- |\n")
	for _, s := range r.Searches {
		for _, o := range s.Channels {
			var limits []string
			for _, limit := range [][2]string{{"from ", s.Since}, {"until ", s.Until}, {"language ", s.Language}} {
				if limit[1] != "" {
					limits = append(limits, limit[0]+limit[1])
				}
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s | %d | %s |\n", drawing.FormatTime(s.At), mdEscape(cmp.Or(o.Channel, "unnamed")), mdEscape(cmp.Or(s.Sent, s.Query)), mdEscape(strings.Join(limits, ", ")), o.Count, mdEscape(o.Status))
		}
	}
	return []byte(b.String()), nil
}
