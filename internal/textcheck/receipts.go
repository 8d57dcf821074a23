package textcheck

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/lines"
	"github.com/citeloop/citeloop/internal/text/quote"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// The results of checking a receipt.
const (
	Same        = "same"        // the text is unchanged
	Changed     = "changed"     // the text at the address has changed
	Gone        = "gone"        // the page does not exist any more
	Unreachable = "unreachable" // the address could not be read
	Damaged     = "damaged"     // the receipt does not match its text
)

// Limits of one file of receipts (chosen).
const (
	maxReportBytes = 256 << 20
	maxReceipts    = 100_000
)

// Receipt is a receipt of a report with the result of checking it again.
type Receipt struct {
	Claim string `json:"claim"` // the first sentence that rests on it
	report.Receipt
	Result string `json:"result"` // same, changed, gone, unreachable or damaged
	Reason string `json:"reason,omitempty"`
	// PassageStands reports whether a changed page still contains the passage.
	PassageStands *bool      `json:"passage_stands,omitempty"`
	NowSHA256     string     `json:"sha256_now,omitempty"` // of the current text, if it was read
	NowAt         *time.Time `json:"fetched_now,omitempty"`
}

// lost reports whether the passage is lost.
func (r Receipt) lost() bool {
	switch r.Result {
	case Gone, Damaged:
		return true
	case Changed:
		return r.PassageStands == nil || !*r.PassageStands
	}
	return false
}

// ReceiptCheck is the result of checking the receipts of a report.
type ReceiptCheck struct {
	Verdict     string         `json:"verdict"` // fail if a passage is lost; undecided if a text could not be read
	StateID     string         `json:"state_id"`
	Counts      map[string]int `json:"counts"`
	Receipts    []Receipt      `json:"receipts"`
	GeneratedAt time.Time      `json:"generated_at"`
	Generator   string         `json:"generator"`
}

// ExitCode returns 0 for pass, 1 for fail and 3 for undecided.
func (c *ReceiptCheck) ExitCode() int { return outcome.ExitCode(c.Verdict) }

// ReportError reports a file that is not a valid report with receipts.
type ReportError struct{ Problem string }

func (e *ReportError) Error() string { return e.Problem }

// ReadReceipts reads the receipts of a report that loop_report wrote with format json, each passage once. An invalid report
// is a *ReportError.
func ReadReceipts(r io.Reader) (stateID string, receipts []Receipt, err error) {
	var doc struct {
		StateID  string `json:"state_id"`
		Findings []struct {
			Claim    string           `json:"claim"`
			Receipts []report.Receipt `json:"receipts"`
		} `json:"findings"`
		Conflicts []struct {
			Topic string         `json:"topic"`
			A     report.Receipt `json:"a"`
			B     report.Receipt `json:"b"`
		} `json:"conflicts"`
	}
	body, err := io.ReadAll(io.LimitReader(r, maxReportBytes+1))
	if err != nil {
		return "", nil, err
	}
	if len(body) > maxReportBytes {
		return "", nil, &ReportError{fmt.Sprintf("the file is larger than %d MiB", maxReportBytes>>20)}
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return "", nil, &ReportError{"not a JSON report of loop_report: " + jsonProblem(err)}
	}
	if doc.Findings == nil {
		return "", nil, &ReportError{"not a JSON report of loop_report: it has no findings"}
	}
	seen := map[report.Receipt]bool{}
	add := func(claim string, in report.Receipt) {
		key := in
		key.FetchedAt, key.Cited, key.Heading = time.Time{}, "", ""
		if in == (report.Receipt{}) || seen[key] {
			return
		}
		seen[key] = true
		receipts = append(receipts, Receipt{Claim: claim, Receipt: in})
	}
	for _, f := range doc.Findings {
		for _, in := range f.Receipts {
			add(f.Claim, in)
		}
	}
	for _, x := range doc.Conflicts {
		add(x.Topic, x.A)
		add(x.Topic, x.B)
	}
	if len(receipts) > maxReceipts {
		return "", nil, &ReportError{fmt.Sprintf("too many receipts: %d, at most %d", len(receipts), maxReceipts)}
	}
	return doc.StateID, receipts, nil
}

// Online checks receipts against the current texts of their addresses, each read once.
func Online(ctx context.Context, receipts []Receipt, reader Reader, progress func(done, of int, s Source, took time.Duration)) (*ReceiptCheck, error) {
	var urls []string
	asked := map[string]bool{}
	for i := range receipts {
		r := &receipts[i]
		switch {
		case r.broken():
		case !Readable(r.URL):
			r.Result, r.Reason = Unreachable, "no address to read again: the text was pasted"
		case !asked[r.URL]:
			asked[r.URL] = true
			urls = append(urls, r.URL)
		}
	}
	if len(urls) > maxAddresses {
		return nil, &TooManyError{len(urls), maxAddresses}
	}
	done := 0
	pages := reader.ReadAll(ctx, urls, func(j int, p fetch.Page) {
		done++
		if progress != nil {
			progress(done, len(urls), Source{URL: urls[j], Status: string(p.Status), Reason: p.Reason, Chars: p.Chars}, p.Took)
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	at := map[string]fetch.Page{}
	for j, p := range pages {
		at[urls[j]] = p
	}
	for i := range receipts {
		r := &receipts[i]
		if p, ok := at[r.URL]; ok && r.Result == "" {
			r.CompareTo(p)
		}
	}
	return receiptCheck(receipts), nil
}

// Readable reports whether an address can be read again: a file or a page.
func Readable(address string) bool {
	return isFile(address) || strings.HasPrefix(strings.ToLower(address), "http://") || strings.HasPrefix(strings.ToLower(address), "https://")
}

// broken reports whether a receipt is inconsistent.
func (r *Receipt) broken() bool {
	switch _, err := loopstate.ParseHash(r.SHA256); {
	case err != nil:
		r.Reason = "invalid sha256"
	case r.Start < 0 || r.End <= r.Start || r.End-r.Start != len([]rune(r.Passage)):
		r.Reason = fmt.Sprintf("its passage has %d characters, but its offsets are %d to %d", len([]rune(r.Passage)), r.Start, r.End)
	default:
		return false
	}
	r.Result = Damaged
	return true
}

// compare checks the receipt against the text with its hash.
func (r *Receipt) compare(text string) {
	in := verify.NewText(text)
	if in.Slice(r.Start, r.End) != r.Passage {
		r.Result, r.Reason = Damaged, fmt.Sprintf("the text with this hash has another passage at %d to %d", r.Start, r.End)
		return
	}
	r.Result = Same
	if at := (lines.Ranges{in.Lines().Lines(r.Start, r.End)}).String(); r.Lines != "" && r.Lines != at { // receipts of conflicts have none
		r.Result, r.Reason = Damaged, fmt.Sprintf("its passage is in lines %s of the text, not in %s", at, sanitize.Short(r.Lines, 60))
	}
}

// CompareTo checks the receipt against the current page.
func (r *Receipt) CompareTo(p fetch.Page) {
	switch p.Status {
	case fetch.StatusRead:
	case fetch.StatusNotFound:
		r.Result, r.Reason = Gone, p.Reason
		return
	default:
		r.Result, r.Reason = Unreachable, string(p.Status)+": "+p.Reason
		return
	}
	now := p.FetchedAt.UTC()
	r.NowAt, r.NowSHA256 = &now, loopstate.HashText([]byte(p.Text)).String()
	if r.NowSHA256 == r.SHA256 {
		r.compare(p.Text)
		return
	}
	text := quote.New(p.Text)
	stands := true
	for line := range strings.Lines(r.Passage) { // each paragraph: another may stand between them now
		grade, _ := text.Find(line)
		stands = stands && (strings.TrimSpace(line) == "" || grade == quote.Exact || grade == quote.Normalised)
	}
	r.Result, r.PassageStands = Changed, &stands
	if stands {
		r.Reason = "the text has changed, but it still contains the passage"
	} else {
		r.Reason = "the text has changed and no longer contains the passage"
	}
}

func receiptCheck(receipts []Receipt) *ReceiptCheck {
	c := &ReceiptCheck{Verdict: outcome.Pass, Receipts: orEmpty(receipts), Counts: map[string]int{Same: 0, Changed: 0, Gone: 0, Unreachable: 0, Damaged: 0}}
	for _, r := range receipts {
		c.Counts[r.Result]++
		switch {
		case r.lost():
			c.Verdict = outcome.Worse(c.Verdict, outcome.Fail)
		case r.Result == Unreachable:
			c.Verdict = outcome.Worse(c.Verdict, outcome.Undecided)
		}
	}
	return c
}

// WriteReceipts writes the check in one of [RowFormats].
func WriteReceipts(w io.Writer, format string, c *ReceiptCheck) error {
	switch format {
	case JSON:
		return outcome.JSON(w, true).Encode(c)
	case JSONL:
		e := outcome.JSON(w, false)
		for _, r := range c.Receipts {
			if err := e.Encode(r); err != nil {
				return err
			}
		}
		return nil
	case Text:
	default:
		return CheckFormat(format, RowFormats())
	}
	b := bufio.NewWriter(w)
	for _, r := range c.Receipts {
		if r.Result == Same {
			continue
		}
		at := ":" + sanitize.Short(r.Lines, 60)
		if r.Lines == "" {
			at = fmt.Sprintf(", characters %d to %d", r.Start, r.End)
		}
		fmt.Fprintf(b, "%s: %s%s: %s\n", r.Result, sanitize.Short(r.URL, textAddressChars), at, sanitize.Short(r.Reason, textSentenceChars))
		fmt.Fprintf(b, "    for: %s\n    was: %q\n", sanitize.Short(r.Claim, textSentenceChars), sanitize.Short(r.Passage, textSentenceChars))
	}
	fmt.Fprintln(b, c.Summary())
	return b.Flush()
}

// Summary returns the verdict on one line.
func (c *ReceiptCheck) Summary() string {
	return fmt.Sprintf("%s: %d receipts: %d same, %d changed, %d gone, %d unreachable, %d damaged",
		c.Verdict, len(c.Receipts), c.Counts[Same], c.Counts[Changed], c.Counts[Gone], c.Counts[Unreachable], c.Counts[Damaged])
}
