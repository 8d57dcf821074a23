package research

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Event is a step of a run, for display.
type Event struct {
	Kind  Kind
	Round int    // from 1; 0 outside of rounds
	Who   string // the angle, or the step
	Text  string // one line, without control characters
}

// Kind is the kind of an event.
type Kind int

// The kinds.
const (
	Began    Kind = iota // the loop was started or continued
	InRound              // a round begins
	Step                 // something was done
	Refused              // something of the model was rejected or failed
	Decided              // the server's decision
	Writing              // the writing of the text begins
	Activity             // progress of a conversation: shown only where lines can be redrawn
	Ended                // the result
)

// Printer writes events as lines. On a terminal it redraws a last line with the current activity.
type Printer struct {
	out   io.Writer
	width int // of the terminal in columns; 0: not a terminal
	now   func() time.Time

	mu     sync.Mutex
	atWork []string          // in the order in which they began
	doing  map[string]string // by who
	drawn  time.Time
	shown  bool // the last line is drawn
}

// NewPrinter returns a printer. width is that of the terminal, or 0.
func NewPrinter(out io.Writer, width int, now func() time.Time) *Printer {
	return &Printer{out: out, width: width, now: now, doing: map[string]string{}}
}

const (
	redrawEvery = 100 * time.Millisecond
	whoColumn   = 14
)

// Print writes an event. It is safe for concurrent use.
func (p *Printer) Print(e Event) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.Kind == Activity {
		if _, known := p.doing[e.Who]; !known {
			p.atWork = append(p.atWork, e.Who)
		}
		p.doing[e.Who] = e.Text
		if p.width > 0 && p.now().Sub(p.drawn) >= redrawEvery {
			p.draw()
		}
		return
	}
	p.wipe()
	delete(p.doing, e.Who)
	p.atWork = slices.DeleteFunc(p.atWork, func(who string) bool { return who == e.Who })
	if e.Kind == InRound || e.Kind == Writing || e.Kind == Ended {
		p.atWork, p.doing = nil, map[string]string{}
	}
	fmt.Fprint(p.out, line(e))
	if len(p.atWork) > 0 && p.width > 0 {
		p.draw()
	}
}

// Close removes the last line.
func (p *Printer) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.wipe()
}

func line(e Event) string {
	switch e.Kind {
	case Began:
		return fmt.Sprintf("%-*s  %s\n", whoColumn, e.Who, e.Text)
	case InRound:
		if e.Text == "" {
			return fmt.Sprintf("\nRound %d\n", e.Round)
		}
		return fmt.Sprintf("\nRound %d: %s\n", e.Round, e.Text)
	case Writing:
		return fmt.Sprintf("\nThe text\n  %-*s%s\n", whoColumn, "why now", e.Text)
	case Ended:
		return "\n" + e.Text + "\n"
	case Refused:
		return fmt.Sprintf("  %-*s✗ %s\n", whoColumn, e.Who, e.Text)
	}
	return fmt.Sprintf("  %-*s%s\n", whoColumn, e.Who, e.Text)
}

func (p *Printer) wipe() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
		p.shown = false
	}
}

func (p *Printer) draw() {
	var parts []string
	for _, who := range p.atWork {
		parts = append(parts, who+" "+p.doing[who])
	}
	text := "  … " + strings.Join(parts, " · ")
	if utf8.RuneCountInString(text) >= p.width { // a wrapped line could not be erased
		text = string([]rune(text)[:max(p.width-2, 0)]) + "…"
	}
	fmt.Fprint(p.out, "\r\x1b[K"+text)
	p.shown, p.drawn = true, p.now()
}
