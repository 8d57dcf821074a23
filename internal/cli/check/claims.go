package check

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/safefile"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Limits of files of claims and texts (chosen).
const (
	maxRowsBytes = 512 << 20
	maxRowBytes  = 64 << 20 // of a line: a text of 20 MB, escaped
	textsAtATime = 50       // that are kept prepared
)

type claimIn struct {
	ID        json.RawMessage `json:"id"`
	Claim     string          `json:"claim"`
	SourceIDs references      `json:"source_ids"`
	Quote     string          `json:"quote"`
}

// references are citations, as a list or as one text.
type references []string

func (r *references) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*r = references{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(r))
}

type textIn struct {
	ID    string `json:"id"`
	Text  string `json:"text"`
	Title string `json:"title"`
	URL   string `json:"url"`
	Type  string `json:"source_type"`
}

type claimOut struct {
	ID json.RawMessage `json:"id"` // as in the claim
	finding
	Unknown  []string         `json:"unknown,omitempty"` // ids or lines without a text
	Passages []verify.Passage `json:"passages"`
}

// checkClaims checks each row {id, claim, source_ids, quote} of a file against the rows {id, text, title, url, source_type} of another, and
// writes a row for each, in order. A source id may name lines: "S1:120-128".
func (run *verifyRun) checkClaims(ctx context.Context) error {
	rows, err := readRows(run.claims, run.p.Stdin, claimIn.problem)
	if err != nil {
		return err
	}
	library, stored := verify.Library{InLoop: true}, map[string]string{}
	_, err = readRows(run.sources, run.p.Stdin, func(row textIn) string {
		if _, seen := stored[row.ID]; row.ID == "" || seen {
			return fmt.Sprintf("id %q is missing or occurs twice", row.ID)
		}
		stored[row.ID] = row.Text
		library.Sources = append(library.Sources, loopstate.Source{ID: row.ID, Key: docid.CanonicalKey(row.URL, ""), URL: row.URL,
			FinalURL: row.URL, Title: row.Title, SourceType: row.Type, Chars: len(row.Text),
			SHA256: loopstate.HashText([]byte(row.Text)).String()})
		return ""
	})
	if err != nil {
		return err
	}
	library, bad, sources := library.Indexed(), false, map[string]verify.Source{}
	err = run.write(output{format: console.JSON}, func(w io.Writer) error {
		b := bufio.NewWriter(w)
		out := outcome.JSON(b, false)
		for _, row := range rows {
			list := []verify.Claim{row.cited(stored)}
			library.Follow(list)
			if len(sources) > textsAtATime {
				clear(sources)
			}
			for _, id := range list[0].SourceIDs() {
				if src, _ := library.ByID(id); sources[id].Text == nil {
					sources[id] = verify.Source{Source: src, Text: verify.NewText(stored[id])}
				}
			}
			if err := verify.Check(ctx, list, sources); err != nil {
				return err
			}
			found := claimOut{ID: row.ID, finding: findingOf(list[0]), Passages: orEmpty(list[0].Passages)}
			for _, cite := range list[0].Citations {
				if cite.Problem != "" {
					found.Unknown = append(found.Unknown, cite.Written()+": "+cite.Problem)
				}
			}
			bad = bad || len(found.Unknown) > 0 || len(list[0].Citations) == 0
			if err := out.Encode(found); err != nil {
				return err
			}
		}
		return b.Flush()
	})
	switch {
	case err != nil:
		return err
	case bad: // a claim cites nothing, or something without a text
		return console.End{Code: console.ExitFailed}
	case len(rows) > 0 && !run.allow: // nobody has read them
		return console.End{Code: console.ExitUndecided}
	}
	return nil
}

func (row claimIn) problem() string {
	if len(row.ID) == 0 || strings.TrimSpace(row.Claim) == "" || len(row.Claim) > 4*loopstate.MaxTextChars {
		return fmt.Sprintf("id or claim is missing, or the claim has more than %d characters", loopstate.MaxTextChars)
	}
	return ""
}

// cited returns the claim. A source id is taken as it stands, or else as a text cites it: with lines, brackets, or several joined.
func (row claimIn) cited(stored map[string]string) verify.Claim {
	c := verify.Claim{Text: row.Claim}
	for _, id := range row.SourceIDs {
		if _, known := stored[id]; known {
			cite := verify.Citation{SourceID: id}
			cite.Raw = id
			c.Citations = append(c.Citations, cite)
		} else {
			c.Citations = append(c.Citations, verify.New("", id).Citations...)
		}
	}
	if row.Quote != "" {
		c.Quotes = []string{row.Quote}
	}
	return c
}

// readRows reads a file with one JSON object a line. Blank lines are skipped. problem says what is wrong with a row, or "".
func readRows[T any](name string, stdin io.Reader, problem func(T) string) (rows []T, err error) {
	file, err := safefile.OpenInput(name, stdin)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	scan := bufio.NewScanner(io.LimitReader(file, maxRowsBytes))
	scan.Buffer(nil, maxRowBytes)
	line := 1
	for ; scan.Scan(); line++ {
		var row T
		body := bytes.TrimSpace(bytes.TrimPrefix(scan.Bytes(), []byte("\uFEFF")))
		if len(body) == 0 {
			continue
		}
		if err := json.Unmarshal(body, &row); err != nil {
			return nil, console.Usagef("%s:%d: not an object with these keys: %w", name, line, err)
		}
		if what := problem(row); what != "" {
			return nil, console.Usagef("%s:%d: %s", name, line, what)
		}
		rows = append(rows, row)
	}
	if scan.Err() != nil {
		return nil, console.Usagef("%s:%d: %w", name, line, scan.Err())
	}
	return rows, nil
}
