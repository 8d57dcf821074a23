package textcheck

import (
	"bufio"
	"fmt"
	"io"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// WriteReceipts writes the check in one of [RowFormats].
func WriteReceipts(w io.Writer, format string, c *ReceiptCheck) error {
	switch format {
	case JSON:
		return writeJSON(w, c)
	case JSONL:
		e := rowWriter(w)
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
		fmt.Fprintf(b, "%s: %s, characters %d to %d: %s\n", r.Result, sanitize.Short(r.URL, textAddressChars), r.Start, r.End, sanitize.Short(r.Reason, textSentenceChars))
		fmt.Fprintf(b, "    for: %s\n    was: %q\n", sanitize.Short(r.Claim, textSentenceChars), sanitize.Short(r.Passage, textSentenceChars))
	}
	fmt.Fprintln(b, c.Summary())
	return b.Flush()
}

// Summary returns the verdict on one line.
func (c *ReceiptCheck) Summary() string {
	return fmt.Sprintf("%s: %d receipts against the %s: %d same, %d changed, %d gone, %d unreachable, %d damaged",
		verdictWord(c.Verdict), len(c.Receipts), c.Against, c.Counts[Same], c.Counts[Changed], c.Counts[Gone], c.Counts[Unreachable], c.Counts[Damaged])
}
