package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/channels/local"
)

// meter shows how far the indexing is: a bar that is redrawn on a terminal, a line for each tenth elsewhere.
type meter struct {
	out      io.Writer
	terminal bool
	drawn    bool
	tenth    int
}

func newMeter(out io.Writer) *meter {
	return &meter{out: out, terminal: terminal(out), tenth: -1}
}

const barChars = 30

// told takes each step; the calls come one at a time.
func (m *meter) told(p local.Progress) {
	if p.Total == 0 {
		return
	}
	if m.terminal {
		full := barChars * p.Done / p.Total
		fmt.Fprintf(m.out, "\r[%s%s] %d of %d files", strings.Repeat("#", full), strings.Repeat(" ", barChars-full), p.Done, p.Total)
		m.drawn = true
		return
	}
	if tenth := 10 * p.Done / p.Total; tenth > m.tenth {
		m.tenth = tenth
		fmt.Fprintf(m.out, "%d of %d files\n", p.Done, p.Total)
	}
}

// end leaves the line of the bar.
func (m *meter) end() {
	if m.drawn {
		fmt.Fprintln(m.out)
	}
}
