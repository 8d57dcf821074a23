package cli

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dustin/go-humanize/english"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/sanitize"
	textlines "github.com/citeloop/citeloop/internal/text/lines"
)

// The formats in which fetch shows texts.
const (
	formatLines = "lines" // numbered, without furniture
	formatText  = "text"  // all of it
	formatJSONL = "jsonl"
)

// extracted is a file or an address with its text.
type extracted struct {
	ID       string `json:"id"`
	Path     string `json:"path,omitempty"`
	URL      string `json:"url,omitempty"`
	FinalURL string `json:"final_url,omitempty"`
	document.Head
	Text          string           `json:"text"`
	Content       string           `json:"content,omitempty"`   // the text without furniture, if there is any
	Furniture     textlines.Ranges `json:"furniture,omitempty"` // lines of the text
	Status        string           `json:"status"`
	Reason        string           `json:"reason,omitempty"`
	HTTPStatus    int              `json:"http_status,omitempty"`
	Via           string           `json:"via,omitempty"`
	CopiedAt      string           `json:"copied_at,omitempty"`
	RobotsIgnored bool             `json:"robots_ignored,omitempty"`
	FetchedAt     *time.Time       `json:"fetched_at,omitempty"`
	MS            float64          `json:"ms"`
}

// name returns the path or the address.
func (x *extracted) name() string { return sanitize.Line(cmp.Or(x.Path, x.URL)) }

// take copies the result of reading.
func (x *extracted) take(page fetch.Page) {
	x.Status, x.Reason = string(page.Status), page.Reason
	x.Head, x.Text, x.Furniture = page.Head, page.Text, page.Furniture
	if len(x.Furniture) > 0 {
		x.Content = page.Content()
	}
	x.Authors = append([]string{}, page.Authors...) // not null
}

// textWriter writes rows in a format, and remarks about them on stderr.
type textWriter struct {
	out    *bufio.Writer
	stderr io.Writer
	format string
	many   bool // each text begins with its name

	count, unread int
}

// write writes a row.
func (w *textWriter) write(x extracted) error {
	first := w.count == 0
	w.count++
	if x.Status != string(fetch.StatusRead) {
		w.unread++
	}
	if w.format == formatLines || w.format == formatText {
		w.remark(x)
		return w.plain(x, first)
	}
	if err := outcome.JSON(w.out, false).Encode(x); err != nil {
		return err
	}
	return w.out.Flush() // programs read rows as they come
}

// remark writes why a text is missing, or that it is a copy.
func (w *textWriter) remark(x extracted) {
	if x.Status != string(fetch.StatusRead) {
		fmt.Fprintf(w.stderr, "citeloop: %s: %s: %s\n", x.name(), x.Status, sanitize.Line(x.Reason))
	}
	if x.Via != "" {
		taken := ""
		if x.CopiedAt != "" {
			taken = ", from " + x.CopiedAt
		}
		fmt.Fprintf(w.stderr, "citeloop: %s: read from %s (%s%s)\n", x.name(), sanitize.Line(x.FinalURL), x.Via, taken)
	}
	if x.RobotsIgnored {
		fmt.Fprintf(w.stderr, "citeloop: %s: read although robots.txt disallows it\n", x.name())
	}
}

func (w *textWriter) plain(x extracted, first bool) error {
	text := x.Text
	if w.format == formatLines {
		text = numbered(text, x.Furniture)
	}
	if w.many {
		if !first {
			text = "\n" + text
		}
		text = "<!-- " + strings.ReplaceAll(x.name(), "--", "- -") + " -->\n\n" + text
	}
	_, err := io.WriteString(w.out, text+"\n")
	return err
}

// numbered returns a text with the number of each line before it, as citations name it. Furniture is only counted.
func numbered(text string, furniture textlines.Ranges) string {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		if len(furniture) > 0 && n > furniture[0].Last {
			furniture = furniture[1:]
		}
		switch {
		case len(furniture) == 0 || n < furniture[0].First:
			fmt.Fprintf(&b, "%6d  %s", n, line)
		case n == furniture[0].First:
			fmt.Fprintf(&b, "     …  (%s of navigation and other furniture)\n", english.Plural(furniture[0].Last-n+1, "line", ""))
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// inOrder reads items, several in parallel, and writes the rows in their order.
func inOrder(ctx context.Context, names []string, read func(context.Context, string) extracted, w *textWriter) error {
	for chunk := range slices.Chunk(names, fetchAtOnce) {
		rows := make([]extracted, len(chunk))
		var all sync.WaitGroup
		for i, name := range chunk {
			all.Go(func() { rows[i] = read(ctx, name) })
		}
		all.Wait()
		for _, row := range rows {
			if err := w.write(row); err != nil {
				return fmt.Errorf("writing the texts: %w", err)
			}
		}
		if ctx.Err() != nil {
			return errors.New("interrupted before all was read")
		}
	}
	return w.out.Flush()
}
