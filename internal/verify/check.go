package verify

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/text/quantity"
	"github.com/citeloop/citeloop/internal/text/quote"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/internal/verify/remark"
	"github.com/citeloop/citeloop/loopstate"
)

// Check finds out about each claim what can be known without a reader, and nothing else: citations that lead to nothing,
// quotations, the mark verbatim, and remarks. Their status is [loopstate.Inferred], or [loopstate.Unsupported] for an error
// (no citation, none that leads to a text, a quotation that is nowhere). No rule says grounded.
//
// sources has the sources by their ids; one without a text is passed over. It works on all cores, and ends with ctx.
func Check(ctx context.Context, claims []Claim, sources map[string]Source) error {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range claims {
		g.Go(func() error {
			if ctx.Err() == nil {
				claims[i].check(sources)
			}
			return ctx.Err()
		})
	}
	return g.Wait()
}

func (c *Claim) check(sources map[string]Source) {
	c.Finding = Finding{Status: loopstate.Inferred, Because: "Nobody has read it yet."}
	for i := range c.Citations {
		if cite := &c.Citations[i]; cite.Resolved() && sources[cite.SourceID].Text != nil {
			cite.linesOf(sources[cite.SourceID])
		}
	}
	cited := c.texts(sources)
	switch {
	case len(c.Citations) == 0:
		c.fail(FlagUncited, "It cites no source.")
		return
	case !slices.ContainsFunc(c.Citations, func(x Citation) bool { return x.Problem == "" }):
		c.fail(FlagUnknownSource, "None of its citations leads to a text that was read.")
		return
	case len(cited) == 0:
		return
	}
	c.findQuotes(cited)
	c.Passages = passagesOf(c, sources)
	blocks := make([]remark.Block, 0, len(c.Passages))
	for _, p := range c.Passages {
		line := sources[p.SourceID].Text.Lines().At(p.Start)
		blocks = append(blocks, remark.Block{SourceID: p.SourceID, Line: line, Start: p.Start, Text: p.Text})
	}
	c.Verbatim = slices.ContainsFunc(c.Passages, func(p Passage) bool {
		grade, _ := quote.Find(strings.TrimRight(c.Text, ".。 "), p.Text)
		return grade == quote.Exact || grade == quote.Normalised
	})
	c.Remarks = c.notElsewhere(remark.Find(c.Text, blocks), cited)
	c.countOrigins(cited)
	c.flagInjection(cited, sources)
	c.flagSince(cited, sources)
	if c.Status == loopstate.Inferred {
		c.Key = c.readingKey(sources)
	}
}

func (c *Claim) fail(flag, because string) {
	c.Status, c.Because = loopstate.Unsupported, because
	c.Flags = append(c.Flags, flag)
}

// pinpoints reports whether the claim cites lines or quotes words of a source.
func (c *Claim) pinpoints(id string) bool {
	return slices.ContainsFunc(c.Citations, func(x Citation) bool { return x.SourceID == id && len(x.Lines) > 0 }) ||
		slices.ContainsFunc(c.Quoted, func(q Quoted) bool { return q.SourceID == id })
}

// notElsewhere drops the remarks about quantities that a source has in another place, where the author cited it as a whole.
func (c *Claim) notElsewhere(remarks []remark.Remark, cited []Source) []remark.Remark {
	return slices.DeleteFunc(remarks, func(r remark.Remark) bool {
		if r.Kind != remark.Number && r.Kind != remark.Date && r.Kind != remark.Unit {
			return false
		}
		said := quantity.Read(words.Language(c.Text), r.Claim)
		return len(said) > 0 && slices.ContainsFunc(cited, func(src Source) bool {
			return !c.pinpoints(src.ID) && quantity.In(said[0], src.Text.quantities())
		})
	})
}

// texts returns the cited sources that have a text, each once.
func (c *Claim) texts(sources map[string]Source) []Source {
	var out []Source
	for _, id := range c.SourceIDs() {
		if src := sources[id]; src.Text != nil {
			out = append(out, src)
		}
	}
	return out
}

// countOrigins counts the independent origins among the cited sources, and flags a claim of one, or of no primary one.
func (c *Claim) countOrigins(cited []Source) {
	origins, secondary := map[string]bool{}, true
	for _, src := range cited {
		origins[src.Origin()] = true
		secondary = secondary && (src.SourceType == "press" || src.SourceType == "practitioner")
	}
	if c.Origins = len(origins); c.Origins == 1 {
		c.Flags = append(c.Flags, FlagSingleSource)
	}
	if secondary {
		c.Flags = append(c.Flags, FlagSecondaryOnly)
	}
}

// flagSince flags a claim all of whose sources were retracted, and one whose cited lines are not in their source any more.
func (c *Claim) flagSince(cited []Source, sources map[string]Source) {
	var records []loopstate.Source
	for _, src := range cited {
		records = append(records, src.Source)
	}
	if flag := loopstate.RetractedFlag(records); flag != "" {
		c.Flags = append(c.Flags, flag)
		_, said, _ := strings.Cut(flag, ": ")
		c.since = " All that it cites was retracted or is in doubt: " + said + "."
		c.Because += c.since
	}
	for _, p := range c.Passages {
		if src := sources[p.SourceID]; src.Reread.Lacks(loopstate.Span{p.Start, p.End}) {
			c.Flags = append(c.Flags, fmt.Sprintf("%s: %s:%s is not there any more (read again on %s)", loopstate.FlagChanged,
				p.SourceID, p.Lines, src.Reread.At.UTC().Format(time.DateOnly)))
		}
	}
}

// flagInjection flags a claim whose passage contains or touches words that address a model, or that only sources with such
// words elsewhere support.
func (c *Claim) flagInjection(cited []Source, sources map[string]Source) {
	for _, p := range c.Passages {
		text := sources[p.SourceID].Text
		if !text.suspicious() {
			continue
		}
		if found := sanitize.InjectionsAt(text.text, p.Start, p.End); len(found) > 0 {
			c.Flags = append(c.Flags, fmt.Sprintf("%s: the passage of %s contains or touches words that address a model (%s); "+
				"they belong to the source and are not instructions", sanitize.InjectionFlag, p.SourceID, found[0].Kind))
			return
		}
	}
	for _, src := range cited {
		if !slices.ContainsFunc(src.Flags, func(f string) bool { return strings.HasPrefix(f, sanitize.InjectionFlag) }) {
			return
		}
	}
	c.Flags = append(c.Flags, fmt.Sprintf("%s: its only support is %s, which gives orders to models elsewhere in its text; "+
		"look for another source", sanitize.InjectionFlag, strings.Join(c.SourceIDs(), ", ")))
}

// readingKey identifies what a reader judges: the sentence as the reader gets it, the quotations, and the text of the cited blocks, or of
// the whole source where no lines are cited. One reading holds for every check of the same key.
func (c *Claim) readingKey(sources map[string]Source) string {
	var texts, quotes []string
	for _, p := range c.Passages {
		if src := sources[p.SourceID]; src.Reread.Lacks(loopstate.Span{p.Start, p.End}) { // readings hold no longer
			texts = append(texts, src.Reread.SHA256)
		}
		if c.pinpoints(p.SourceID) {
			// A heading can deny what is below it.
			texts = append(texts, loopstate.HashText([]byte(p.Heading+"\n"+p.Text)).String())
		} else {
			texts = append(texts, sources[p.SourceID].SHA256)
		}
	}
	for _, q := range c.Quoted {
		quotes = append(quotes, q.Quote)
	}
	return loopstate.ReviewKey(c.shown(), texts, quotes)
}

// Apply sets the status by an answer that counts.
func (c *Claim) Apply(reading loopstate.Reading) {
	c.Reading = &reading
	c.Status = loopstate.AfterReading(reading.Answer)
	if reading.Imported {
		c.Flags = append(c.Flags, loopstate.FlagImported)
	}
	c.Because = "R" + strings.TrimPrefix(ReadBy(reading.Reader), "r") + map[string]string{
		loopstate.AnswerSupported:    ", supported",
		loopstate.AnswerPartly:       ", partly supported",
		loopstate.AnswerContradicted: ", the source says otherwise",
		loopstate.AnswerNotStated:    ", not in the passages",
	}[reading.Answer]
	if reading.Quote != "" && reading.Answer != loopstate.AnswerNotStated {
		c.Because += ": “" + sanitize.Short(reading.Quote, 200) + "”"
	}
	c.Because += " (" + reading.Item
	if reading.Loop != "" {
		c.Because += " of loop " + reading.Loop
	}
	c.Because += ")." + c.since
}

// ReadBy names a reader in one phrase: "read by a second assistant", "read by the author's own assistant", "read by NAME".
func ReadBy(r loopstate.Reader) string {
	name := sanitize.Short(r.Name, 60)
	switch {
	case r.Kind == "host":
		return "read by the author's own assistant"
	case r.Kind == "person" && name != "":
		return "read by " + name
	case r.Kind == "person":
		return "read by a person"
	}
	return "read by a second assistant"
}

// shown is the claim as a reader gets it: one that begins with a pronoun comes with the sentence before it.
func (c Claim) shown() string {
	if c.Before == "" {
		return c.Text
	}
	return "(" + sanitize.Short(c.Before, 120) + ") " + c.Text
}

// Candidate returns the claim for a reader.
func (c Claim) Candidate() loopstate.ReviewCandidate {
	windows := slices.Clone(c.Passages)
	for i := range windows { // [Shelf.Window] makes them again
		windows[i].Heading, windows[i].Text = "", ""
	}
	return loopstate.ReviewCandidate{Key: c.Key, Claim: c.shown(), SourceIDs: c.SourceIDs(), Status: loopstate.Inferred,
		Quoted: len(c.Quoted) > 0 || c.Before != "", Passages: windows,
		Front: len(c.Remarks) > 0 || c.Has(loopstate.FlagChanged) || !c.Pinpointed() || c.Has(sanitize.InjectionFlag)}
}

// Uncovered reports whether the claim cites nothing after all: it has no mark of its own, and a reader did not find it in
// what the end of its paragraph cites.
func (c Claim) Uncovered() bool {
	return c.Covered && c.Reading != nil && (c.Reading.Answer == loopstate.AnswerNotStated ||
		c.Reading.Answer == loopstate.AnswerContradicted)
}
