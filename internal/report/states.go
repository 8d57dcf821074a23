package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// A sentence is supported when a reader who is not its author read the cited lines and found that they say so. The report
// states who read, how many were read, or what is missing.

// state combines the verdict on a sentence and its reading.
type state int

const (
	supported state = iota
	byHost          // supported, read by the author's own assistant
	inPart
	contradicted
	notFound
	waiting // for a reader
	dead    // its citations lead to nothing
	uncited
	own
	unchecked
)

// flagUnknownSource is the flag of a sentence whose citations lead to nothing.
const flagUnknownSource = "unknown_source"

// state returns the state of a sentence.
func (s Sentence) state() state {
	switch style.VerdictOf(s.Status).Status {
	case loopstate.Grounded:
		switch {
		case s.Basis != loopstate.BasisReview: // nobody says so
			return waiting
		case s.ByHost:
			return byHost
		}
		return supported
	case loopstate.Inferred:
		if s.Reading != nil {
			return inPart
		}
		return waiting
	case loopstate.Unsupported:
		switch {
		case s.Reading != nil && s.Reading.Answer == loopstate.AnswerContradicted:
			return contradicted
		case slices.Contains(s.Flags, flagUnknownSource):
			return dead
		}
		return notFound
	case style.Uncited:
		return uncited
	case style.Own:
		return own
	}
	return unchecked
}

// read reports whether a reader has judged a sentence of this state.
func (s Sentence) read() bool { return s.Reading != nil || s.state() <= byHost }

// states are the words and the meaning of each state.
var states = [...]struct{ word, meaning string }{
	supported:    {"supported", "a reader who saw only the sentence and the cited lines found that they say so"},
	byHost:       {"supported, read by the author's own assistant", "the assistant that wrote it read it again, beside the cited lines alone, and found that they say so"},
	inPart:       {"partly supported", "a reader found only a part of it in the cited lines"},
	contradicted: {"contradicted", "a reader found that the source says otherwise"},
	notFound:     {"not in the source", "the cited lines do not say it"},
	waiting:      {"not read yet", "nobody has compared it with the cited lines yet"},
	dead:         {"cites nothing that was read", "none of its citations leads to a text that was read"},
	uncited:      {"uncited", "no source is cited for it"},
	own:          {"the author's own", "an inference, an open question or what the sources do not say, in the author's own words; no source was asked about it"},
	unchecked:    {"not checked", "it was not compared with its sources"},
}

// Verdict returns the presentation of a sentence: the sign and colour of its status with the words of its state.
func (s Sentence) Verdict() style.Verdict {
	v, words := style.VerdictOf(s.Status), states[s.state()]
	v.Word, v.Meaning = words.word, words.meaning
	return v
}

// VerdictOf returns the presentation of a recorded claim with its last check.
func VerdictOf(c loopstate.Claim) style.Verdict {
	var s Sentence
	if check := c.Check; check != nil {
		s.Status, s.Basis = check.Status, check.Basis
		if s.Flags = check.Flags; slices.Contains(s.Flags, style.Uncited) {
			s.Status = style.Uncited
		}
		if check.Reviewed != "" {
			s.Reading = &loopstate.Reading{Answer: loopstate.AnswerNotStated}
		}
	}
	return s.Verdict()
}

// ReviewsOf returns the batches of a loop for a document, without the items of open batches: a reader must not learn from a
// report which items are planted.
func ReviewsOf(batches []loopstate.Review) []Review {
	out := []Review{}
	for _, b := range batches {
		r := Review{Batch: b.Batch, Status: b.Status, OpenedAt: b.OpenedAt, ClosedAt: b.ClosedAt, Readers: append([]loopstate.Reader{}, b.Readers...), Items: []Reviewed{}}
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

// summary returns the result of the check on one line, without a full stop: "5 of 7 sentences read: 3 supported, 2 not in the
// source; 1 not read yet".
func (f facts) summary() string {
	w := f.words
	if len(f.Sentences) == 0 {
		return w.T("no sentence makes a claim, so nothing was checked")
	}
	var n [unchecked + 1]int
	for _, s := range f.Sentences {
		n[s.state()]++
	}
	list := func(which ...state) string {
		var parts []string
		for _, i := range which {
			if n[i] > 0 {
				parts = append(parts, strconv.Itoa(n[i])+" "+w.T(states[i].word))
			}
		}
		return strings.Join(parts, w.T(", "))
	}
	all := readOf(f.Document)
	says := w.T("%d of %d sentences read", all.Read, all.Of)
	if all.Of == 1 {
		says = w.T("%d of 1 sentence read", all.Read)
	}
	sep := w.T(": ")
	for _, part := range []string{list(supported, byHost, inPart, contradicted, notFound), list(waiting, dead, uncited, unchecked), list(own)} {
		if part != "" {
			says += sep + part
			sep = w.T("; ")
		}
	}
	return says
}

// readBy names the readers and the planted errors that they caught, or returns "".
func (f facts) readBy() string {
	var names []string
	tally := map[string]Planted{}
	add := func(p Planted, readers ...loopstate.Reader) {
		var who []string
		for _, r := range readers {
			who = append(who, readerWords(f.words, r))
		}
		name := strings.Join(who, f.words.T(", "))
		if _, known := tally[name]; !known {
			names = append(names, name)
		}
		tally[name] = Planted{tally[name].N + p.N, tally[name].Caught + p.Caught}
	}
	for _, r := range f.Reviews {
		if r.Status == loopstate.BatchCounted {
			add(r.Planted, r.Readers...)
		}
	}
	for _, s := range f.Sentences {
		if s.Reading != nil && !slices.ContainsFunc(f.Reviews, func(r Review) bool { return s.Reading.Loop == "" && r.Batch == s.Reading.Batch }) {
			add(Planted{}, s.Reading.Reader)
		}
	}
	for i, name := range names {
		if p := tally[name]; p.N > 0 {
			names[i] += " " + f.words.T("(%d of %d planted errors caught)", p.Caught, p.N)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return f.words.T("Read by") + f.words.T(": ") + strings.Join(names, f.words.T("; ")) + f.words.T(".")
}

// bound says what the readings tell about the sentences that nobody has read, or returns "".
func (f facts) bound() string { return Bound(f.words, f.ToRead, f.Sample) }

// Bound says how much is still to be read, or else what a sample tells about the rest; "" if everything was read.
func Bound(m messages.Table, toRead int, s *Sample) string {
	switch {
	case toRead > 0:
		return m.T("Still to be read: %d.", toRead)
	case s != nil && s.Unread > 0:
		return m.T("Of the %d not read, at most %s are unsupported (95 %% confidence, from %d of %d in a sample).",
			s.Unread, fmt.Sprintf("%.0f %%", math.Ceil(100*s.AtMost-1e-9)), s.Supported, s.Drawn)
	}
	return ""
}

// count formats a count of something in the language of the report.
func (f facts) count(n int, one, many string) string {
	return f.words.Count(n, strconv.Itoa(n), one, many)
}

// nameReader records whether the host itself read the sentence.
func (s *Sentence) nameReader() { s.ByHost = s.Reading != nil && s.Reading.Reader.Kind == "host" }

// ReadingWords says in a sentence who read a claim, and with what result.
func ReadingWords(m messages.Table, r loopstate.Reading) string {
	format, ok := map[string]string{loopstate.AnswerSupported: "%s found it supported", loopstate.AnswerPartly: "%s found it partly supported",
		loopstate.AnswerContradicted: "%s found that the source says otherwise", loopstate.AnswerNotStated: "%s did not find it in the cited lines"}[r.Answer]
	if !ok {
		return ""
	}
	says := capital(m.T(format, readerWords(m, r.Reader)))
	if quote := sanitize.Short(r.Quote, 200); quote != "" && r.Answer != loopstate.AnswerNotStated {
		says += m.T(": ") + "“" + quote + "”"
	}
	switch item := sanitize.Line(r.Item); {
	case item != "" && r.Loop != "":
		says += " (" + m.T("%s of loop %s", item, sanitize.Line(r.Loop)) + ")"
	case item != "":
		says += " (" + item + ")"
	}
	return says + m.T(".")
}

// void describes the void batches, or returns "".
func (f facts) void() string {
	var says []string
	for _, r := range f.Reviews {
		if r.Status == loopstate.BatchVoid {
			says = append(says, f.words.T("Review %s is void and changed nothing: its reader caught %d of %d planted errors and passed %d of %d controls.",
				sanitize.Line(r.Batch), r.Planted.Caught, r.Planted.N, r.Controls.Passed, r.Controls.N))
		}
	}
	return strings.Join(says, " ")
}

// ImportWords says that a loop was read from an archive, or returns "" for one that was not. An archive may contain forged
// rounds and reviews.
func ImportWords(m messages.Table, in *loopstate.Import) string {
	if in == nil {
		return ""
	}
	return m.T("Imported on %s from an archive.", minute(in.At))
}

// cautions returns the sentences that limit the result of the check: void batches and an import.
func (f facts) cautions() string {
	return strings.TrimSpace(f.void() + " " + ImportWords(f.words, f.Import))
}

// checked returns the summary and what limits it as sentences.
func (f facts) checked() string {
	var says []string
	for _, s := range []string{capital(f.summary()) + f.words.T("."), f.readBy(), f.bound(), f.cautions()} {
		if s != "" {
			says = append(says, s)
		}
	}
	return strings.Join(says, " ")
}

// reviewRow is a batch in a table.
type reviewRow struct {
	Batch, Readers, When, Caught, Passed, Result string
}

// reviewRows returns the batches in order.
func (f facts) reviewRows() []reviewRow {
	w := f.words
	var out []reviewRow
	for _, r := range f.Reviews {
		row := reviewRow{Batch: sanitize.Line(r.Batch), When: minute(r.OpenedAt), Caught: w.T("not known yet"), Passed: w.T("not known yet"), Result: w.T("open")}
		var who []string
		for _, reader := range r.Readers {
			who = append(who, readerWords(w, reader))
		}
		if row.Readers = strings.Join(who, ", "); row.Readers == "" {
			row.Readers = w.T("nobody yet")
		}
		if r.Status != loopstate.BatchOpen {
			row.When = minute(r.ClosedAt)
			row.Caught, row.Passed = w.T("%d of %d", r.Planted.Caught, r.Planted.N), w.T("%d of %d", r.Controls.Passed, r.Controls.N)
			row.Result = w.T("counted")
		}
		if r.Status == loopstate.BatchVoid {
			row.Result = w.T("void: changed nothing")
		}
		out = append(out, row)
	}
	return out
}

// readerWords names a reader.
func readerWords(m messages.Table, r loopstate.Reader) string {
	kind, ok := map[string]string{"host": "the author's own assistant", "subagent": "a subagent", "endpoint": "a model at an endpoint", "person": "a person", "": "a reader"}[r.Kind]
	if kind = m.T(kind); !ok {
		kind = sanitize.Short(r.Kind, titleChars)
	}
	if name := sanitize.Short(r.Name, titleChars); name != "" {
		kind += " (" + name + ")"
	}
	return kind
}

// receipted reports whether the sentence has an entry among the receipts.
func (s Sentence) receipted() bool { return s.state() < dead }

// counted sentences of a document: Of is without the author's own.
type readCount struct{ Of, Read, Supported, Own int }

func readOf(d Document) readCount {
	n := readCount{Of: len(d.Sentences)}
	for _, s := range d.Sentences {
		switch {
		case s.state() == own:
			n.Own++
			n.Of--
		case s.read():
			n.Read++
			if s.state() <= byHost {
				n.Supported++
			}
		}
	}
	return n
}

// Shares counts the sentences of a document that were read and are supported, and the author's own statements: "62 of 174
// sentences were read, 60 supported; 12 are the author's own".
func Shares(d Document) string {
	n := readOf(d)
	says := fmt.Sprintf("%d of %d sentences were read", n.Read, n.Of)
	switch {
	case n.Read > 0 && n.Supported == n.Read:
		says += ", all supported"
	case n.Read > 0:
		says += fmt.Sprintf(", %d supported", n.Supported)
	}
	if n.Own > 0 {
		says += fmt.Sprintf("; %d are the author's own", n.Own)
	}
	return says
}
