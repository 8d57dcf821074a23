package cli

import (
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/channels/local"
)

// meter shows the progress of indexing as a bar on a terminal. Elsewhere it is silent.
type meter struct {
	out      io.Writer
	terminal bool
	drawn    bool
}

func newMeter(out io.Writer) *meter { return &meter{out: out, terminal: terminal(out)} }

const barChars = 30

// show shows a step. Calls must not overlap.
func (m *meter) show(p local.Progress) {
	if !m.terminal || p.Total == 0 {
		return
	}
	full := barChars * p.Done / p.Total
	fmt.Fprintf(m.out, "\r[%s%s] %d of %d files", strings.Repeat("#", full), strings.Repeat(" ", barChars-full), p.Done, p.Total)
	m.drawn = true
}

// channel shows a step of a channel. Only the local one has any.
func (m *meter) channel(_ string, done, total int) { m.show(local.Progress{Done: done, Total: total}) }

// end ends the line of the bar.
func (m *meter) end() {
	if m.drawn {
		fmt.Fprintln(m.out)
	}
}
