package research

import (
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/llm"
)

// Config configures a run. Server, Model, and one of Question and Resume are required.
type Config struct {
	Question string
	Resume   string   // id of the loop to continue; empty: the last unfinished one of the same question, or a new one
	Changes  []Change // at the sources of the loop to continue: they reopen it, even if it has finished
	Fresh    bool     // start a new loop, even if one of the same question is unfinished

	Channels  []string // default "auto": the server chooses for each query
	Searchers int      // parallel conversations; default 4
	Budget    Budget
	Prices    Prices
	Formats   []string // of the report, as loop_report names them; default markdown and html
	OutDir    string   // folder of the report; created if missing

	Server  *Server
	Model   *llm.Client
	OnEvent func(Event)      // receives every step, one call at a time; may be nil
	Now     func() time.Time // default time.Now
	Logger  *slog.Logger     // default: no log
}

// Budget limits a run. Zero means no limit, except for Rounds (the server's default) and Tokens.
type Budget struct {
	Rounds  int
	Tokens  int // default DefaultTokens
	CostUSD float64
	Time    time.Duration
}

// DefaultTokens is the default budget. It is twice the largest cost of a round by the limits below (four searchers of
// 40,000 tokens, synthesis and critic of 30,000 each), because a loop ends after two sign-offs in a row.
const DefaultTokens = 2 * (4*searcherTokens + 2*talkTokens)

// Limits of one conversation (chosen: a searcher makes three or four searches and reads five or six pages in eight turns;
// each turn sends the whole conversation again).
const (
	searcherTurns  = 8
	searcherCalls  = 20
	searcherTokens = 40_000
	talkTurns      = 5 // of the synthesizer and the critic
	talkCalls      = 8
	talkTokens     = 30_000
)

// The part of the budget that is reserved for the text: a seventh, about what writing and correcting cost of the default;
// a third of small budgets, so that the claims can still be written; and an upper limit.
const (
	reserveShare     = 7
	smallShare       = 3
	leastReserved    = 10_000
	mostReserved     = 60_000
	defaultSearchers = 4
	maxSearchers     = 16
)

// reserved returns the tokens for the text, which the loop cannot spend.
func (b Budget) reserved() int {
	return min(max(b.Tokens/reserveShare, min(b.Tokens/smallShare, leastReserved)), mostReserved)
}

// Prices are US dollars per million tokens. Without them costs are unknown.
type Prices struct{ In, Out float64 }

func (p Prices) known() bool { return p.In > 0 || p.Out > 0 }

func (p Prices) of(t llm.Usage) float64 {
	return (p.In*float64(t.Prompt) + p.Out*float64(t.Completion)) / 1e6
}

// Formats are the formats that a report can have.
func Formats() []string {
	return []string{"markdown", "markdown-full", "html", "bibtex", "csl-json", "ris", "json"}
}

// Check validates the configuration. An error contains neither keys nor addresses.
func (c Config) Check() error {
	_, err := c.completed()
	return err
}

// completed returns the validated configuration with defaults.
func (c Config) completed() (Config, error) {
	c.Question, c.Resume = strings.Join(strings.Fields(c.Question), " "), strings.TrimSpace(c.Resume)
	switch {
	case c.Server == nil || c.Model == nil:
		return c, errors.New("a server and a model are required")
	case c.Question == "" && c.Resume == "":
		return c, errors.New("the question is empty: give one, or a loop to continue")
	case c.Resume != "" && c.Fresh:
		return c, errors.New("a loop to resume and a new one exclude each other: give one of the two")
	case c.Searchers < 0 || c.Searchers > maxSearchers:
		return c, fmt.Errorf("searchers: %d is not between 1 and %d; leave it out for %d", c.Searchers, maxSearchers, defaultSearchers)
	case c.Budget.Rounds < 0 || c.Budget.Tokens < 0 || c.Budget.CostUSD < 0 || c.Budget.Time < 0:
		return c, errors.New("rounds, tokens, cost or time: a limit is negative; leave it out for the default")
	case c.Prices.In < 0 || c.Prices.Out < 0:
		return c, errors.New("a price is negative: give US dollars per million tokens")
	case c.Budget.CostUSD > 0 && !c.Prices.known():
		return c, errors.New("a limit of the cost needs prices: give those of a million input and output tokens")
	case c.Budget.Time > 0 && c.Budget.Time < time.Second:
		return c, errors.New("the time is less than a second: give one such as 20m")
	}
	for _, f := range c.Formats {
		if !slices.Contains(Formats(), f) {
			return c, fmt.Errorf("unknown format %.40q: use %s", f, strings.Join(Formats(), ", "))
		}
	}
	if len(c.Formats) == 0 {
		c.Formats = []string{"markdown", "html"}
	}
	if len(c.Channels) == 0 {
		c.Channels = []string{"auto"}
	}
	if c.Searchers == 0 {
		c.Searchers = defaultSearchers
	}
	if c.Budget.Tokens == 0 {
		c.Budget.Tokens = DefaultTokens
	}
	if c.OnEvent == nil {
		c.OnEvent = func(Event) {}
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c, nil
}

// NewModel returns a client with defaults for research: low temperature, and retries for about half a minute.
func NewModel(cfg llm.Config) (*llm.Client, error) {
	if cfg.Temperature == 0 {
		cfg.Temperature = 0.2
	}
	if cfg.MaxRetries == 0 {
		cfg.MaxRetries = 6
	}
	if cfg.MaxConcurrent == 0 {
		cfg.MaxConcurrent = maxSearchers
	}
	return llm.New(cfg)
}
