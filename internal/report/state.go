package report

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// The statuses that only a text has; loopstate defines the others.
const (
	uncited = "uncited" // a claim without a citation
	own     = "own"     // the author's own inference, open question, or statement that the sources lack something
)

// State is what is known of a sentence. States are ordered: what a reader of the report should look at first comes first.
type State int

// The states.
const (
	Contradicted State = iota // a reader found that the source says otherwise
	NotStated                 // the cited lines do not say it, or not the words that it quotes
	Dead                      // its citations lead to nothing that was read
	Uncited                   // it claims something and cites nothing
	Disputed                  // it is supported, and another source says otherwise
	Partly                    // a reader found only a part of it
	Unread                    // nobody has read it
	Unchecked                 // it was not compared with its sources
	OneOrigin                 // it is supported, by one independent origin
	Supported                 // it is supported by several
	Own                       // the author's own statement, which no source was asked about
	states                    // their number
)

// doubtful reports whether sentences of the state are to be looked at first.
func (s State) doubtful() bool { return s < OneOrigin }

// Verdict is the presentation of a state in all views, never by colour alone: a sign, a label, and a class of the style sheet.
type Verdict struct{ Sign, Word, Class string }

// Verdict returns the presentation of a state.
func (s State) Verdict() Verdict {
	return [states]Verdict{
		Contradicted: {"✗", "contradicted", "v-unsupported"},
		NotStated:    {"✗", "not in the source", "v-unsupported"},
		Dead:         {"✗", "cites nothing that was read", "v-unsupported"},
		Uncited:      {"○", "uncited", "v-uncited"},
		Disputed:     {"≠", "disputed", "v-disputed"},
		Partly:       {"≈", "partly", "v-inferred"},
		Unread:       {"?", "not read yet", "v-unread"},
		Unchecked:    {"–", "not checked", "v-unchecked"},
		OneOrigin:    {"✓", "on one origin", "v-lone"},
		Supported:    {"✓", "supported", "v-grounded"},
		Own:          {"°", "the author's own", "v-own"},
	}[s]
}

// State returns the state of a sentence, without regard to other sentences: see [Document.States].
func (s Sentence) State() State {
	read := s.Status == loopstate.Grounded && s.Basis == verify.BasisReview
	switch {
	case read && s.IndependentOrigins == 1:
		return OneOrigin
	case read:
		return Supported
	case s.Status == loopstate.Inferred && s.Reading != nil:
		return Partly
	case s.Status == loopstate.Grounded, s.Status == loopstate.Inferred: // nobody says so
		return Unread
	case s.Status == uncited:
		return Uncited
	case s.Status == own:
		return Own
	case s.Status != loopstate.Unsupported:
		return Unchecked
	case s.Reading != nil && s.Reading.Answer == loopstate.AnswerContradicted:
		return Contradicted
	case slices.ContainsFunc(s.Flags, func(flag string) bool { return flagName(flag) == "unknown_source" }):
		return Dead
	}
	return NotStated
}

// States returns the state of each sentence. A supported sentence is disputed if its lines are on one side of a conflict, or of a
// contradiction without a resolution.
func (d Document) States() []State {
	var sides []Receipt
	for _, c := range slices.Concat(d.Contradictions, d.Conflicts) {
		if c.Resolution == "" {
			sides = append(sides, c.Sides...)
		}
	}
	out := make([]State, len(d.Sentences))
	for i, s := range d.Sentences {
		out[i] = s.State()
		if !out[i].doubtful() && out[i] != Own && slices.ContainsFunc(sides, s.rests) {
			out[i] = Disputed
		}
	}
	return out
}

// rests reports whether what the sentence rests on shares text with a receipt: the lines that it cites of a source, or else the nearest of
// its passages there.
func (s Sentence) rests(on Receipt) bool {
	var of []Receipt
	for _, r := range s.Receipts {
		if r.SourceID == on.SourceID && (r.Cited != "" || len(of) == 0) {
			of = append(of, r)
		}
	}
	return slices.ContainsFunc(of, func(r Receipt) bool { return r.Start < on.End && on.Start < r.End })
}

// StateCount counts the sentences of one state.
type StateCount struct {
	Verdict
	N        int
	Doubtful bool // they are to be looked at first
}

// Tally counts the sentences of a document. All numbers that a report shows of them are from here.
type Tally struct {
	States [states]int
	Of     int // without the author's own
	Read   int
}

// Tally counts the sentences.
func (d Document) Tally() (t Tally) {
	for i, state := range d.States() {
		t.States[state]++
		if state == Own {
			continue
		}
		t.Of++
		if s := d.Sentences[i]; s.Reading != nil || s.State() == Supported || s.State() == OneOrigin {
			t.Read++
		}
	}
	return t
}

// Supported returns how many sentences are supported: disputed ones and those on one origin are among them.
func (t Tally) Supported() int { return t.States[Supported] + t.States[OneOrigin] + t.States[Disputed] }

// Counts lists the states that occur, the first to look at first.
func (t Tally) Counts() (out []StateCount) {
	for s, n := range t.States {
		if n > 0 {
			out = append(out, StateCount{State(s).Verdict(), n, State(s).doubtful()})
		}
	}
	return out
}

// numbers returns the verdict in numbers, without a full stop.
func (w labels) numbers(d Document) string {
	if t := d.Tally(); t.Of > 0 {
		return w.f("%d of %d sentences supported", t.Supported(), t.Of)
	}
	if d.Text == "" {
		return "no text was checked: this is what was read and what is open"
	}
	return "no sentence makes a claim, so nothing was checked"
}

// Summary returns the result of the check in English.
func Summary(d Document) string { return labels{}.summary(d) }

// summary returns the result of the check in a sentence: "5 of 8 sentences supported: 1 not in the source, 1 not read yet; read by …".
func (w labels) summary(d Document) string {
	says, sep := w.numbers(d), ": "
	for _, c := range d.Tally().Counts() {
		if c.Verdict != Supported.Verdict() {
			says += sep + strconv.Itoa(c.N) + " " + w.T(c.Word)
			sep = ", "
		}
	}
	if by := w.readers(d); by != "" {
		says += "; " + by
	}
	if d.Import != nil {
		says += "; imported on " + Minute(d.Import.At) + " from an archive"
	}
	return AsSentence(says)
}

// readBy is [verify.ReadBy] in the language of the report.
func (w labels) readBy(r loopstate.Reader) string {
	phrase := verify.ReadBy(r)
	if name, _ := strings.CutPrefix(phrase, "read by "); r.Kind == "person" && r.Name != "" {
		return w.f("read by %s", name)
	}
	return w.T(phrase)
}

// readers names who read the sentences of a document, each once, with the test items that they caught.
func (w labels) readers(d Document) string {
	caught := map[string]loopstate.Tally{}
	add := func(r loopstate.Reader, t loopstate.Tally) {
		before := caught[w.readBy(r)]
		caught[w.readBy(r)] = loopstate.Tally{N: before.N + t.N, Good: before.Good + t.Good}
	}
	for _, r := range d.Reviews {
		if r.Status == loopstate.BatchCounted && len(r.Readers) > 0 {
			add(r.Readers[0], r.Planted)
		}
	}
	for _, s := range d.Sentences {
		if s.Reading != nil {
			add(s.Reading.Reader, loopstate.Tally{})
		}
	}
	who := slices.Sorted(maps.Keys(caught))
	for i, name := range who {
		if t := caught[name]; t.N > 0 {
			who[i] += " " + w.f("(caught %d of %d planted errors)", t.Good, t.N)
		}
	}
	return strings.Join(who, ", ")
}

// because returns in a sentence why a sentence has its state: who read it and the words that decided, or what is missing.
func (w labels) because(s Sentence) string {
	r := s.Reading
	if r == nil {
		return AsSentence(s.Because)
	}
	says := w.readBy(r.Reader)
	if r.Answer != loopstate.AnswerNotStated {
		says += after(": ", quoted(sanitize.Short(r.Quote, 200)))
	}
	return AsSentence(says)
}

func flagName(flag string) string {
	name, _, _ := strings.Cut(flag, ":")
	return strings.TrimSpace(name)
}

// flagWords are the words of flags whose names do not say it.
var flagWords = map[string]string{
	"quote_absent":        "the quotation is not in the source",
	"quote_fuzzy":         "the quotation differs a little from the source",
	"secondary_only":      "only press or practitioner sources",
	"retracted_source":    "rests on retracted or doubtful sources alone",
	"addresses_the_model": "contains text that addresses a model",
	"imported_review":     "imported, not checked here",
	"gone":                "gone since it was read",
}

// flagText returns a flag in words: "retracted: 2021-03-04".
func flagText(flag string) string {
	flag = short(flag)
	name := flagName(flag)
	return cmp.Or(flagWords[name], strings.ReplaceAll(name, "_", " ")) + strings.TrimPrefix(flag, name)
}

// notes returns the flags and remarks of a sentence in words, without those that its state says.
func (s Sentence) notes() (out []string) {
	for _, flag := range s.Flags {
		if !slices.Contains([]string{"", uncited, "single_source", "unknown_source"}, flagName(flag)) {
			out = append(out, flagText(flag))
		}
	}
	for _, r := range s.Remarks {
		out = append(out, short(r.String()))
	}
	return out
}
