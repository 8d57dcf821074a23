package setup

import (
	"fmt"
	"io"
	"strings"

	"github.com/citeloop/citeloop/channels/local"
	"github.com/citeloop/citeloop/internal/cli/console"
)

// meter shows the progress of indexing as a bar on a terminal. Elsewhere it is silent.
type meter struct {
	out      io.Writer
	terminal bool
	drawn    bool
}

func NewMeter(out io.Writer) *meter { return &meter{out: out, terminal: console.Terminal(out)} }

const barChars = 30

// Show shows a step. Calls must not overlap.
func (m *meter) Show(p local.Progress) {
	if !m.terminal || p.Total == 0 {
		return
	}
	full := barChars * p.Done / p.Total
	fmt.Fprintf(m.out, "\r[%s%s] %d of %d files", strings.Repeat("#", full), strings.Repeat(" ", barChars-full), p.Done, p.Total)
	m.drawn = true
}

// Channel shows a step of a channel. Only the local one has any.
func (m *meter) Channel(_ string, done, total int) { m.Show(local.Progress{Done: done, Total: total}) }

// End ends the line of the bar.
func (m *meter) End() {
	if m.drawn {
		fmt.Fprintln(m.out)
	}
}
