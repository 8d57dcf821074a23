package report

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// The statuses that only a text has; loopstate defines the others.
const (
	uncited = "uncited" // a claim without a citation
	own     = "own"     // the author's own inference, open question, or statement that the sources lack something
)

// Verdict is the presentation of a sentence in all views: never by colour alone.
type Verdict struct {
	Status  string
	Sign    string
	Word    string
	Class   string // in the style sheet
	Meaning string
}

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

// Verdict returns the presentation of a state: the label, a sign, a class of the style sheet, and the meaning.
func (s State) Verdict() Verdict {
	return [states]Verdict{
		Contradicted: {Sign: "✗", Word: "contradicted", Class: "v-unsupported", Meaning: "a reader found that the source says otherwise"},
		NotStated:    {Sign: "✗", Word: "not in the source", Class: "v-unsupported", Meaning: "the cited lines do not say it"},
		Dead: {Sign: "✗", Word: "cites nothing that was read", Class: "v-unsupported",
			Meaning: "none of its citations leads to a text that was read"},
		Uncited: {Sign: "○", Word: "uncited", Class: "v-uncited", Meaning: "no source is cited for it"},
		Disputed: {Sign: "≠", Word: "disputed", Class: "v-disputed",
			Meaning: "the cited lines say it, and another source says otherwise"},
		Partly:    {Sign: "≈", Word: "partly", Class: "v-inferred", Meaning: "a reader found only a part of it in the cited lines"},
		Unread:    {Sign: "?", Word: "not read yet", Class: "v-unread", Meaning: "nobody has compared it with the cited lines yet"},
		Unchecked: {Sign: "–", Word: "not checked", Class: "v-unchecked", Meaning: "it was not compared with its sources"},
		OneOrigin: {Sign: "✓", Word: "on one origin", Class: "v-lone",
			Meaning: "the cited lines say it; they are of one independent origin"},
		Supported: {Sign: "✓", Word: "supported", Class: "v-grounded",
			Meaning: "a reader who saw only the sentence and the cited lines found that they say so"},
		Own: {Sign: "°", Word: "the author's own", Class: "v-own",
			Meaning: "the author's own statement, which no source was asked about"},
	}[s]
}

// State returns the state of a sentence, without regard to other sentences: see [Document.States].
func (s Sentence) State() State {
	switch s.Status {
	case loopstate.Grounded:
		switch {
		case s.Basis != loopstate.BasisReview: // nobody says so
			return Unread
		case s.IndependentOrigins == 1:
			return OneOrigin
		}
		return Supported
	case loopstate.Inferred:
		if s.Reading != nil {
			return Partly
		}
		return Unread
	case loopstate.Unsupported:
		switch {
		case s.Reading != nil && s.Reading.Answer == loopstate.AnswerContradicted:
			return Contradicted
		case slices.ContainsFunc(s.Flags, func(flag string) bool { return flagName(flag) == "unknown_source" }):
			return Dead
		}
		return NotStated
	case uncited:
		return Uncited
	case own:
		return Own
	}
	return Unchecked
}

// Verdict returns the presentation of a sentence.
func (s Sentence) Verdict() Verdict { return s.verdict(s.State()) }

func (s Sentence) verdict(state State) Verdict {
	v := state.Verdict()
	v.Status = s.Status
	return v
}

// VerdictOf returns the presentation of a recorded claim with its last check.
func VerdictOf(c loopstate.Claim) Verdict {
	var s Sentence
	if check := c.Check; check != nil {
		s.Status, s.Basis, s.Flags = check.Status, check.Basis, check.Flags
		if slices.Contains(s.Flags, uncited) {
			s.Status = uncited
		}
		if check.Reviewed != "" {
			s.Reading = &loopstate.Reading{Answer: loopstate.AnswerNotStated}
		}
	}
	return s.Verdict()
}

// States returns the state of each sentence. A supported sentence is disputed if its lines are on one side of a conflict.
func (d Document) States() []State {
	out := make([]State, len(d.Sentences))
	for i, s := range d.Sentences {
		if out[i] = s.State(); out[i] < OneOrigin || out[i] == Own {
			continue
		}
		for _, c := range d.Conflicts {
			if s.rests(c.A) || s.rests(c.B) {
				out[i] = Disputed
			}
		}
	}
	return out
}

// rests reports whether a passage of the sentence shares text with a receipt.
func (s Sentence) rests(on Receipt) bool {
	return slices.ContainsFunc(s.Receipts, func(r Receipt) bool {
		return r.SourceID == on.SourceID && r.Start < on.End && on.Start < r.End
	})
}

// worded reports whether the text says the state of a sentence in words. One origin needs none where the sentence names one source;
// where it names several, they are copies of each other, which nobody sees.
func (v *view) worded(sentence int) bool {
	switch v.at[sentence] {
	case Supported:
		return false
	case OneOrigin:
		named := map[string]bool{}
		for _, r := range v.Sentences[sentence].Receipts {
			named[r.SourceID] = true
		}
		return len(named) > 1
	}
	return true
}

// read reports whether a reader has judged the sentence.
func (s Sentence) read() bool {
	return s.Reading != nil || s.State() == Supported || s.State() == OneOrigin
}

// StateCount counts the sentences of one state.
type StateCount struct {
	Verdict
	N     int
	state State
}

// Doubtful reports whether sentences of the state are to be looked at first.
func (c StateCount) Doubtful() bool { return c.state < OneOrigin }

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
		if state != Own {
			t.Of++
			if d.Sentences[i].read() {
				t.Read++
			}
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
			out = append(out, StateCount{State(s).Verdict(), n, State(s)})
		}
	}
	return out
}

// Shares counts the sentences that were read and are supported, and the author's own: "62 of 174 sentences were read, 60
// supported; 12 are the author's own".
func Shares(d Document) string {
	t, words := d.Tally(), labels{}
	says := words.f("%d of %d sentences were read", t.Read, t.Of)
	if t.Read > 0 {
		says += words.f(", %d supported", t.Supported())
	}
	if n := t.States[Own]; n > 0 {
		says += words.f("; %d are the author's own", n)
	}
	return says
}

// readBy names a reader in one phrase: "read by a second assistant", "read by the author's own assistant", "read by NAME".
func (w labels) readBy(r loopstate.Reader) string {
	name := sanitize.Short(r.Name, 60)
	switch {
	case r.Kind == "host":
		return w.t("read by the author's own assistant")
	case r.Kind == "person" && name != "":
		return w.f("read by %s", name)
	case r.Kind == "person":
		return w.t("read by a person")
	}
	return w.t("read by a second assistant")
}

// readers names who read the sentences of a document, each once, with the test items that they caught.
func (w labels) readers(d Document) string {
	var who []string
	caught := map[string]Planted{}
	add := func(r loopstate.Reader, p Planted) {
		name := w.readBy(r)
		if _, ok := caught[name]; !ok {
			who = append(who, name)
		}
		caught[name] = Planted{caught[name].N + p.N, caught[name].Caught + p.Caught}
	}
	for _, r := range d.Reviews {
		if r.Status == loopstate.BatchCounted && len(r.Readers) > 0 {
			add(r.Readers[0], r.Planted)
		}
	}
	for _, s := range d.Sentences {
		if s.Reading != nil {
			add(s.Reading.Reader, Planted{})
		}
	}
	for i, name := range who {
		if p := caught[name]; p.N > 0 {
			who[i] += " " + w.f("(caught %d of %d planted errors)", p.Caught, p.N)
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
	if quote := sanitize.Short(r.Quote, 200); quote != "" && r.Answer != loopstate.AnswerNotStated {
		says += ": “" + quote + "”"
	}
	return AsSentence(says)
}

// ReviewsOf returns the batches of a loop for a document. What is planted in an open batch is not told.
func ReviewsOf(batches []loopstate.Review) []Review {
	out := []Review{}
	for _, b := range batches {
		r := Review{Batch: b.Batch, Status: b.Status, OpenedAt: b.OpenedAt, ClosedAt: b.ClosedAt,
			Readers: append([]loopstate.Reader{}, b.Readers...), Items: []Reviewed{}}
		if b.Status != loopstate.BatchOpen {
			r.Planted, r.Controls = Planted{b.Planted.N, b.Planted.Good}, Controls{b.Controls.N, b.Controls.Good}
			for _, it := range b.Items {
				a := b.Answers[it.Item]
				r.Items = append(r.Items, Reviewed{ReviewItem: it, Answer: a.Answer, Quote: a.Quote, Found: a.Found})
			}
		}
		out = append(out, r)
	}
	return out
}

// flagWords are the words of flags whose names do not say it.
var flagWords = map[string]string{
	"unknown_source": "cites a source that was not read", "quote_absent": "the quotation is not in the source",
	"quote_fuzzy": "the quotation differs a little from the source", "quote_elsewhere": "the quotation is in another place",
	"quote_misattributed": "the quotation is of another text", "secondary_only": "only press or practitioner sources",
	"cited_by_paragraph": "cited at the end of its paragraph", "retracted_source": "rests on retracted or doubtful sources alone",
	"changed_since": "changed since it was read", "addresses_the_model": "contains text that addresses a model",
	"imported_review": "imported, not checked here", "expression_of_concern": "expression of concern",
	"removed": "removed by its publisher",
	"gone":    "gone since it was read", "reader_not_tested": "its reader was not tested",
}

func flagName(flag string) string {
	name, _, _ := strings.Cut(flag, ":")
	return strings.TrimSpace(name)
}

// flagText returns a flag in words.
func flagText(flag string) string {
	flag = sanitize.Short(flag, titleChars)
	name, more, found := strings.Cut(flag, ":")
	words, ok := flagWords[strings.TrimSpace(name)]
	if !ok {
		words = strings.ReplaceAll(name, "_", " ")
	}
	if found {
		words += ":" + more
	}
	return words
}

// notes returns the flags and remarks of a sentence in words, without those that its state says.
func (s Sentence) notes() (out []string) {
	for _, flag := range s.Flags {
		if name := flagName(flag); name != "" && name != uncited && name != "single_source" && name != "unknown_source" {
			out = append(out, flagText(flag))
		}
	}
	for _, n := range s.Noted {
		out = append(out, sanitize.Short(n.Remark, titleChars))
	}
	return out
}
