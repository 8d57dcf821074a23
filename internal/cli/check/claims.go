package check

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/docid"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Limits of files of claims and texts (chosen).
const (
	maxRowsBytes = 512 << 20
	maxRowBytes  = 64 << 20 // of a line: a text of 20 MB, escaped
	maxRows      = 100_000
	rowsAtATime  = 50 // whose texts are prepared at a time
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

// checkRows checks each row {id, claim, source_ids, quote} of a file against the rows {id, text, title, url, source_type} of another, and
// writes a row for each, in order. A source id may name lines: "S1:120-128". n counts the claims, bad those that cite nothing or
// something without a text. An invalid line is an error of usage.
func checkRows(ctx context.Context, claims, texts io.Reader, claimsName, textsName string, w io.Writer) (n, bad int, err error) {
	library, stored := verify.Library{InLoop: true}, map[string]string{}
	_, err = readRows(texts, textsName, func(row textIn) string {
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
		return 0, 0, err
	}
	rows, err := readRows(claims, claimsName, claimIn.problem)
	if err != nil {
		return 0, 0, err
	}
	library = library.Indexed()
	origins := loopstate.OriginsOf(library.Sources)
	out := bufio.NewWriter(w)
	for part := range slices.Chunk(rows, rowsAtATime) {
		list, sources := make([]verify.Claim, len(part)), map[string]verify.Source{}
		for i, row := range part {
			list[i] = row.cited(stored)
		}
		library.Follow(list)
		for _, c := range list {
			for _, id := range c.SourceIDs() {
				if src, _ := library.ByID(id); sources[id].Text == nil {
					sources[id] = verify.Source{Source: src, Origin: origins[id], Text: verify.NewText(stored[id])}
				}
			}
		}
		if err := verify.Check(ctx, list, sources); err != nil {
			return len(rows), bad, err
		}
		for i, c := range list {
			shown := rowOf(part[i].ID, c)
			if len(shown.Unknown) > 0 || len(c.Citations) == 0 {
				bad++
			}
			if err := outcome.JSON(out, false).Encode(shown); err != nil {
				return len(rows), bad, err
			}
		}
	}
	return len(rows), bad, out.Flush()
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

func rowOf(id json.RawMessage, c verify.Claim) claimOut {
	out := claimOut{ID: id, finding: findingOf(c), Passages: orEmpty(c.Passages)}
	for _, cite := range c.Citations {
		if cite.Problem != "" {
			out.Unknown = append(out.Unknown, cite.Written()+": "+cite.Problem)
		}
	}
	return out
}

// readRows reads a file with one JSON object a line. Blank lines are skipped. problem says what is wrong with a row, or "".
func readRows[T any](r io.Reader, file string, problem func(T) string) (rows []T, err error) {
	scan := bufio.NewScanner(io.LimitReader(r, maxRowsBytes))
	scan.Buffer(nil, maxRowBytes)
	line := 0
	for scan.Scan() {
		if line++; line > maxRows {
			return nil, console.Usagef("%s:%d: more than %d rows: divide the file", file, line, maxRows)
		}
		body := bytes.TrimSpace(bytes.TrimPrefix(scan.Bytes(), []byte("\uFEFF")))
		if len(body) == 0 {
			continue
		}
		var row T
		if err := json.Unmarshal(body, &row); err != nil {
			return nil, console.Usagef("%s:%d: not an object with these keys: %w", file, line, err)
		}
		if what := problem(row); what != "" {
			return nil, console.Usagef("%s:%d: %s", file, line, what)
		}
		rows = append(rows, row)
	}
	if scan.Err() != nil {
		return nil, console.Usagef("%s:%d: %w", file, line+1, scan.Err())
	}
	return rows, nil
}
