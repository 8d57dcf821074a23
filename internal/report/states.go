package report

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// A sentence is grounded by its wording, or by a second reader who passed the test of planted errors. The report states
// which of the two, or what is missing.

// state combines the verdict on a sentence, its basis and its reading.
type state int

const (
	byWording state = iota
	byReader
	byHost
	waiting // for a reader
	inPart
	contradicted
	notFound
	uncited
	own
	unchecked
)

// state returns the state of a sentence.
func (s Sentence) state() state {
	switch drawing.VerdictOf(s.Status).Status {
	case loopstate.Grounded:
		switch {
		case s.Basis == loopstate.BasisReview && s.ByHost:
			return byHost
		case s.Basis == loopstate.BasisReview:
			return byReader
		}
		return byWording
	case loopstate.Inferred:
		if s.Reading != nil {
			return inPart
		}
		return waiting
	case loopstate.Unsupported:
		if s.Reading == nil && len(s.Differences) > 0 || s.Reading != nil && s.Reading.Answer == loopstate.AnswerContradicted {
			return contradicted
		}
		return notFound
	case drawing.Uncited:
		return uncited
	case drawing.Own:
		return own
	}
	return unchecked
}

// states are the words and the meaning of each state.
var states = [...]struct{ word, meaning string }{
	byWording:    {"grounded by wording", "a passage of a source that was read says it in the same words or in equal ones"},
	byReader:     {"grounded by a second reader", "a reader who saw only the sentence and its passages found it supported"},
	byHost:       {"grounded by a second reader (the host)", "the host read it again, beside its passages alone, and found it supported"},
	waiting:      {"waits for a reader", "wording does not decide it"},
	inPart:       {"supported in part", "a second reader found only a part of it in the passages"},
	contradicted: {"contradicted", "the sources cited for it say otherwise"},
	notFound:     {"not found", "the sources cited for it do not say it"},
	uncited:      {"uncited", "no source is cited for it"},
	own:          {"the author's own", "an inference, an open question or what the sources do not say, in the author's own words; no source was asked about it"},
	unchecked:    {"not checked", "it was not compared with its sources"},
}

// verdict returns the presentation of a sentence: the sign and colour of its status with the words of its state.
func (s Sentence) verdict() drawing.Verdict {
	v, words := drawing.VerdictOf(s.Status), states[s.state()]
	v.Word, v.Meaning = words.word, words.meaning
	return v
}

// VerdictOf returns the presentation of a recorded claim with its last check.
func VerdictOf(c loopstate.Claim) drawing.Verdict {
	var s Sentence
	if check := c.Check; check != nil {
		s.Status, s.Basis = check.Status, check.Basis
		answer := loopstate.AnswerNotStated
		for _, flag := range check.Flags {
			kind, _, _ := strings.Cut(flag, ":")
			if strings.HasSuffix(kind, "_mismatch") {
				answer, s.Differences = loopstate.AnswerContradicted, []citing.Difference{{}}
			}
			if kind == drawing.Uncited {
				s.Status = drawing.Uncited
			}
		}
		if check.Reviewed != "" {
			s.Reading = &loopstate.Reading{Answer: answer}
		}
	}
	return s.verdict()
}

// States returns the words of all states, best first.
func States() []string {
	var out []string
	for _, s := range states {
		out = append(out, s.word)
	}
	return out
}

// Review is one batch for second readers, with its result.
type Review struct {
	Batch    string             `json:"batch"`
	Status   string             `json:"status"` // open, counted or void
	OpenedAt time.Time          `json:"opened_at"`
	ClosedAt time.Time          `json:"closed_at,omitzero"`
	Readers  []loopstate.Reader `json:"readers"`
	Planted  Planted            `json:"planted"`
	Controls Controls           `json:"controls"`
	Items    []Reviewed         `json:"items"` // items and answers; empty while the batch is open
}

// Planted counts the planted errors of a batch.
type Planted struct {
	N      int `json:"n"`
	Caught int `json:"caught"`
}

// Controls counts the true restatements of a batch.
type Controls struct {
	N      int `json:"n"`
	Passed int `json:"passed"`
}

// Reviewed is one item of a closed batch with its answer.
type Reviewed struct {
	loopstate.ReviewItem
	Answer string `json:"answer"`
	Quote  string `json:"quote,omitempty"`
	Found  bool   `json:"quote_found"` // the quote is in the passages
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

// summary returns the result of the check on one line, without a full stop.
func (f facts) summary() string {
	w := f.words
	if len(f.Sentences) == 0 {
		return w.T("no sentence makes a claim, so nothing was checked")
	}
	var n [unchecked + 1]int
	for _, s := range f.Sentences {
		n[s.state()]++
	}
	var parts []string
	if n[byWording] > 0 {
		parts = append(parts, w.T("%d by wording", n[byWording]))
	}
	if n[byReader] > 0 {
		parts = append(parts, w.T("%d by %s", n[byReader], f.readers(false)))
	}
	if n[byHost] > 0 {
		parts = append(parts, w.T("%d by %s", n[byHost], f.readers(true)))
	}
	if open := len(f.Sentences) - n[byWording] - n[byReader] - n[byHost] - n[own]; open > 0 {
		var why []string
		for i := waiting; i <= unchecked; i++ {
			words := states[i].word
			if i == waiting && n[i] > 1 {
				words = "wait for a reader"
			}
			if n[i] > 0 && i != own {
				why = append(why, strconv.Itoa(n[i])+" "+w.T(words))
			}
		}
		parts = append(parts, w.T("%d open (%s)", open, strings.Join(why, w.T(", "))))
	}
	if n[own] > 0 {
		parts = append(parts, w.T("%d of the author's own, not checked", n[own]))
	}
	return f.count(len(f.Sentences), "1 sentence", "%s sentences") + w.T(": ") + strings.Join(parts, w.T(", "))
}

// count formats a count of something in the language of the report.
func (f facts) count(n int, one, many string) string {
	return f.words.Count(n, strconv.Itoa(n), one, many)
}

// readers describes the host as a second reader, or the other readers, by the planted errors that they caught in counted batches.
func (f facts) readers(host bool) string {
	var caught, planted int
	who := map[loopstate.Reader]bool{}
	for _, r := range f.Reviews {
		if r.Status == loopstate.BatchCounted && r.byHost() == host {
			caught, planted = caught+r.Planted.Caught, planted+r.Planted.N
			for _, reader := range r.Readers {
				who[reader] = true
			}
		}
	}
	says := "a second reader"
	switch {
	case host:
		says = "a second reader (the host)"
	case len(who) > 1:
		says = "second readers"
	}
	says = f.words.T(says)
	if planted > 0 {
		says += f.words.T(" who caught %d of %d planted errors", caught, planted)
	}
	return says
}

// byHost reports whether the host itself was the only reader of a batch.
func (r Review) byHost() bool {
	return len(r.Readers) > 0 && !slices.ContainsFunc(r.Readers, func(who loopstate.Reader) bool { return who.Kind != "host" })
}

// nameReader records who read a sentence, and names the host where the reasons name a second reader.
func (d Document) nameReader(s *Sentence) {
	if s.Reading == nil || s.Reading.Loop != "" {
		return
	}
	for _, r := range d.Reviews {
		if r.Batch != s.Reading.Batch || !r.byHost() {
			continue
		}
		s.ByHost = true
		if rest, ok := strings.CutPrefix(s.Because, "A second reader "); ok {
			s.Because = "A second reader (the host) " + rest
		}
		s.Flags = slices.Clone(s.Flags)
		for i, flag := range s.Flags {
			if kind, reason, ok := strings.Cut(flag, ": "); ok && (kind == loopstate.FlagOverruled || kind == loopstate.FlagDisputed) {
				s.Flags[i] = kind + ": " + strings.Replace(reason, "a second reader", "a second reader (the host)", 1)
			}
		}
		return
	}
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

// imported says that the loop was read from an archive and who signed it, or returns "". An archive may contain forged
// rounds and reviews.
func (f facts) imported() string {
	if f.Import == nil {
		return ""
	}
	signer := f.words.T("Not signed: its author is unknown.")
	switch who, key := sanitize.Short(f.Import.Known, titleChars), sanitize.Short(f.Import.Signer, titleChars); {
	case who != "":
		signer = f.words.T("Signed by %s with the key %s.", who, key)
	case key != "":
		signer = f.words.T("Signed with a key that the import did not know: %s.", key)
	}
	return f.words.T("Imported on %s from an archive.", minute(f.Import.At)) + " " + signer
}

// cautions returns the sentences that limit the result of the check: void batches and an import.
func (f facts) cautions() string {
	return strings.TrimSpace(f.void() + " " + f.imported())
}

// checked returns the summary and what limits it as sentences.
func (f facts) checked() string {
	return strings.TrimSpace(capital(f.summary()) + f.words.T(".") + " " + f.cautions())
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
	kind, ok := map[string]string{"host": "the host", "endpoint": "a model at an endpoint", "person": "a person"}[r.Kind]
	if kind = m.T(kind); !ok {
		kind = sanitize.Short(r.Kind, titleChars)
	}
	if name := sanitize.Short(r.Name, titleChars); name != "" {
		kind += " (" + name + ")"
	}
	return kind
}
