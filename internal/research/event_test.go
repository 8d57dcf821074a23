package research

import (
	"strings"
	"testing"
	"time"
)

// On a terminal, the last line shows the current activity. It is erased before other lines and never wraps.
func TestPrinterOnATerminal(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	at := time.Unix(0, 0)
	p := NewPrinter(&out, 40, func() time.Time { at = at.Add(time.Second); return at })
	p.Print(Event{Kind: Activity, Who: "byEntity", Text: "writes, 10 characters"})
	p.Print(Event{Kind: Activity, Who: "byTimeWindow", Text: "writes, 20 characters"})
	p.Print(Event{Kind: Step, Who: "byEntity", Text: "done"})
	p.Close()
	want := "\r\x1b[K  … byEntity writes, 10 characters" +
		"\r\x1b[K  … byEntity writes, 10 characters · b…" +
		"\r\x1b[K  byEntity      done\n" +
		"\r\x1b[K  … byTimeWindow writes, 20 characters" +
		"\r\x1b[K"
	if out.String() != want {
		t.Errorf("got  %q\nwant %q", out.String(), want)
	}
}

// Elsewhere, no line is redrawn.
func TestPrinterElsewhere(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	p := NewPrinter(&out, 0, time.Now)
	p.Print(Event{Kind: Activity, Who: "byEntity", Text: "writes"})
	p.Print(Event{Kind: InRound, Round: 2})
	p.Print(Event{Kind: Refused, Who: "verify", Text: "no"})
	p.Close()
	if want := "\nRound 2\n  verify        ✗ no\n"; out.String() != want {
		t.Errorf("%q", out.String())
	}
}
