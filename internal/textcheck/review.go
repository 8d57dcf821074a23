package textcheck

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// Review configures who reads claims beside their sources.
type Review struct {
	Reader  loopstate.Reader // whom Ask asks, if that is known
	Answers []ReviewAnswers  // to earlier batches, which Kept returns
	Kept    func(batch string) (ReviewBatch, bool)
	// Ask asks for answers to a batch; without any, the review ends. nil: nobody is asked.
	Ask      func(ctx context.Context, batch ReviewBatch) (ReviewAnswers, error)
	Attempts int // maximum void batches, each with other planted errors; 0 = 1
}

// ReviewSummary is the result of a review.
type ReviewSummary struct {
	Reader   string          `json:"reader"`
	Planted  loopstate.Tally `json:"planted"`            // good: caught; of the batches that count
	Controls loopstate.Tally `json:"controls"`           // good: passed
	Accuracy float64         `json:"accuracy,omitempty"` // of the reader at least, with 95 % confidence
	Counted  int             `json:"counted"`            // claims read by accepted readers
	Known    int             `json:"known,omitempty"`    // claims read before, from a lock
	Void     int             `json:"void"`               // claims read by rejected readers
	Left     int             `json:"left"`               // claims without an answer
	Problem  string          `json:"problem,omitempty"`

	Unused []string `json:"-"` // names of answers for which nothing waited
}

// String returns the summary in words.
func (s *ReviewSummary) String() string {
	sentences := func(n int) string {
		return fmt.Sprintf("%d %s read", n, map[bool]string{true: "sentence", false: "sentences"}[n == 1])
	}
	out := sentences(s.Counted)
	if s.Known > 0 {
		out = fmt.Sprintf("%s before (%s)", sentences(s.Known), LockName)
		if s.Counted > 0 {
			out += fmt.Sprintf(", %d now", s.Counted)
		}
	}
	if s.Counted > 0 {
		out += fmt.Sprintf(" by a reader (%s), who caught %d of %d planted errors and passed %d of %d controls",
			s.Reader, s.Planted.Good, s.Planted.N, s.Controls.Good, s.Controls.N)
	}
	if s.Void > 0 {
		out += fmt.Sprintf("; %d answered by %s do not count: it missed planted errors or refused true sentences", s.Void, s.Reader)
	}
	if s.Left > 0 {
		out += fmt.Sprintf("; %d not read yet", s.Left)
	}
	if s.Problem != "" {
		out += ": " + s.Problem
	}
	return out
}

// sixDigits rounds x, so that all machines write the same digits.
func sixDigits(x float64) float64 { return math.Round(x*1e6) / 1e6 }

// newLoop returns the state of a loop in memory, without an id.
func newLoop() *loopstate.State {
	st, _ := appended(nil, loopstate.Started{}) // an event without content can be encoded
	return st
}

// appended returns a state with one more event.
func appended(st *loopstate.State, p loopstate.Payload) (*loopstate.State, error) {
	loop, seq := "", int64(1)
	if st != nil {
		loop, seq = st.Loop, st.Seq+1
	}
	e, err := loopstate.NewEvent(loop, seq, time.Time{}, "", p)
	if err != nil {
		return st, err
	}
	return loopstate.Apply(st, e)
}

// reviewing has a reader judge the claims of texts. Its batches and readings are in a loop in memory: a copy of the loop whose
// texts are used, or an empty one.
type reviewing struct {
	by      *Review // nil: nobody reads, but earlier readings count
	loop    *loopstate.State
	texts   [][]loopstate.ReviewCandidate // those of each text
	sources map[string]verify.Source

	summary ReviewSummary
	void    map[string]bool // keys of claims whose last answer does not count
}

// begin takes from the loop what the texts at hand cannot show, and gives it the claims.
func (v *reviewing) begin() {
	v.loop.Candidates = slices.Concat(v.texts...)
	if v.loop.Readings == nil {
		v.loop.Readings = map[string]loopstate.Reading{}
	}
}

// recall takes what a lock says about the claims of a text, and returns the measured accuracy of their readers by key.
func (v *reviewing) recall(lock *Lock, file string, text int) map[string]float64 {
	accuracy := map[string]float64{}
	for _, c := range v.texts[text] {
		if _, read := v.loop.Readings[c.Key]; read {
			continue
		}
		reading, of, ok := lock.reading(file, c, v.passages(c))
		if !ok {
			continue
		}
		v.loop.Readings[c.Key], accuracy[c.Key] = reading, of
	}
	for _, c := range v.texts[text] {
		if _, known := accuracy[c.Key]; known {
			v.summary.Known++
		}
	}
	return accuracy
}

func (v *reviewing) text(id string) *verify.Text { return v.sources[id].Text }

func (v *reviewing) passages(c loopstate.ReviewCandidate) (out []verify.Passage) {
	for _, w := range c.Passages {
		out = append(out, v.sources[w.SourceID].Window(w))
	}
	return out
}

// run judges the answers that are there, and has a reader read what is still unread. All batches of one round go to the reader at
// once; the first one tests it in full.
func (v *reviewing) run(ctx context.Context) error {
	if v.by == nil {
		return nil
	}
	before := maps.Clone(v.loop.Readings)
	v.void = map[string]bool{}
	if err := v.takeAnswers(); err != nil {
		return err
	}
	for voids := 0; v.by.Ask != nil && voids < max(v.by.Attempts, 1); {
		pending := v.pending()
		if len(pending) == 0 {
			break
		}
		batch, err := v.prepare(pending)
		if err != nil {
			return err
		}
		if len(batch.Items) == 0 {
			break
		}
		got, err := v.by.Ask(ctx, batch)
		if err != nil {
			return err
		}
		v.summary.Problem = cmp.Or(got.Problem, v.summary.Problem)
		if len(got.Answers) == 0 {
			break
		}
		status, err := v.judge(v.loop, batch, got)
		if err != nil {
			return err
		}
		if status == loopstate.BatchOpen {
			break
		}
		if status == loopstate.BatchVoid {
			voids++
		}
	}
	for key := range v.loop.Readings {
		if _, known := before[key]; !known {
			v.summary.Counted++
		}
	}
	for _, c := range v.pending() {
		if v.void[c.Key] {
			v.summary.Void++
		} else {
			v.summary.Left++
		}
	}
	if v.summary.Counted > 0 {
		planted, controls := v.summary.Planted, v.summary.Controls
		v.summary.Accuracy = sixDigits(reader.Accuracy(planted.Good+controls.Good, planted.N+controls.N))
	}
	return nil
}

// pending returns what is to be read now, what comes first in front.
func (v *reviewing) pending() []loopstate.ReviewCandidate {
	wanted := map[string]bool{}
	for _, candidates := range v.texts {
		for _, c := range candidates {
			wanted[c.Key] = true
		}
	}
	var front, rest []loopstate.ReviewCandidate
	for _, c := range v.loop.PendingReviews() {
		switch {
		case !wanted[c.Key]:
		case c.Front:
			front = append(front, c)
		default:
			rest = append(rest, c)
		}
		delete(wanted, c.Key) // the same sentence may be in two texts
	}
	return append(front, rest...)
}

// prepare opens the batches of one round. The seed of each is derived from its claims.
func (v *reviewing) prepare(pending []loopstate.ReviewCandidate) (ReviewBatch, error) {
	first := len(v.loop.Reviews)
	for len(pending) > 0 {
		part := pending[:min(len(pending), reader.MaxItems)]
		from := verify.NextBatch(v.loop, v.by.Reader, part)
		from.Supported = nil // who can write a lock is no believed reader
		from.Known = from.Known || len(v.loop.Reviews) > first
		seed := sha256.New()
		fmt.Fprintln(seed, v.loop.NextReview())
		for _, c := range part {
			fmt.Fprintln(seed, c.Key)
		}
		secret := hex.EncodeToString(seed.Sum(nil))
		items, err := from.Items(secret, v.sources)
		if err != nil {
			return ReviewBatch{}, err
		}
		opened, err := v.loop.OpenBatch(secret, items)
		if err != nil {
			return ReviewBatch{}, err
		}
		if v.loop, err = appended(v.loop, opened); err != nil {
			return ReviewBatch{}, err
		}
		asked := map[string]bool{}
		for _, it := range items {
			asked[it.Key] = true
		}
		pending = slices.DeleteFunc(slices.Clone(pending), func(c loopstate.ReviewCandidate) bool { return asked[c.Key] })
	}
	var shown []verify.ReviewItem
	for _, r := range v.loop.Reviews[first:] {
		for _, it := range r.Items {
			shown = append(shown, verify.Shown(it, v.text))
		}
	}
	return newBatch(v.loop.Reviews, shown), nil
}

// judge takes the answers to the batches of one round in a loop. The later ones have few planted errors: they count only if the
// first one does, whose status it returns.
func (v *reviewing) judge(loop *loopstate.State, batch ReviewBatch, got ReviewAnswers) (status string, err error) {
	v.summary.Reader = cmp.Or(got.Reader, v.summary.Reader)
	who := loopstate.Reader{Kind: v.by.Reader.Kind, Name: got.Reader}
	for i := range loop.Reviews {
		r := &loop.Reviews[i]
		var answers []loopstate.ReviewAnswer
		shown := map[string]verify.ReviewItem{}
		for _, it := range r.Items {
			if at := batch.index(it.Item); at >= 0 && r.Status == loopstate.BatchOpen {
				shown[it.Item] = batch.shown[at]
				answers = append(answers, got.to(it.Item)...)
			}
		}
		if len(shown) == 0 {
			continue
		}
		if status == loopstate.BatchVoid {
			r.Status = status
		} else if status != loopstate.BatchOpen && len(answers) > 0 {
			answers := verify.FindQuotes(answers, shown)
			for range 2 { // a quote that is nowhere is refused once; nobody is there to correct it
				p, err := loop.AnswerBatch(r.Batch, who, answers)
				if err != nil {
					return "", err
				}
				if _, err := appended(loop, p); err != nil {
					return "", err
				}
			}
		}
		if status = cmp.Or(status, r.Status); r.Status == loopstate.BatchCounted {
			add := func(to *loopstate.Tally, t loopstate.Tally) { to.N, to.Good = to.N+t.N, to.Good+t.Good }
			add(&v.summary.Planted, r.Planted)
			add(&v.summary.Controls, r.Controls)
		}
		for _, it := range r.Items {
			if it.Role == loopstate.ReviewPending && r.Status != loopstate.BatchOpen {
				v.void[it.Key] = r.Status == loopstate.BatchVoid
			}
		}
	}
	return cmp.Or(status, loopstate.BatchOpen), nil
}

// takeAnswers takes the answers to batches that were kept, the earlier batches first.
func (v *reviewing) takeAnswers() error {
	type pair struct {
		got   ReviewAnswers
		batch ReviewBatch
	}
	var all []pair
	for _, got := range v.by.Answers {
		batch, ok := v.by.Kept(got.Batch)
		if !ok && len(v.pending()) > 0 {
			return &AnswersError{got.Name, fmt.Errorf("the answers are to batch %q, which is not kept here: "+
				"give them on the machine that wrote the batch, within 90 days, or write a new one with --review-out", got.Batch)}
		}
		all = append(all, pair{got, batch})
	}
	slices.SortStableFunc(all, func(a, b pair) int { return cmp.Compare(len(a.batch.reviews), len(b.batch.reviews)) })
	for _, x := range all {
		if len(v.pending()) == 0 {
			v.summary.Unused = append(v.summary.Unused, x.got.Name)
		} else if err := v.takeKept(x.got, x.batch); err != nil {
			return &AnswersError{x.got.Name, err}
		}
	}
	return nil
}

// takeKept judges answers to a batch as a whole, by the errors that were planted in it: an edit of the text helps nobody through
// the test. But only claims that wait as they were shown are decided.
func (v *reviewing) takeKept(got ReviewAnswers, batch ReviewBatch) error {
	if err := got.check(batch); err != nil {
		return err
	}
	waiting := map[string]loopstate.ReviewCandidate{}
	for _, c := range v.pending() {
		waiting[c.Key] = c
	}
	then := newLoop()
	then.Reviews, then.Candidates = batch.reviews, v.loop.Candidates
	for i := range then.Reviews {
		for j := range then.Reviews[i].Items {
			it := &then.Reviews[i].Items[j]
			at := batch.index(it.Item)
			if at < 0 || it.Role != loopstate.ReviewPending {
				continue
			}
			if now := v.passages(waiting[it.Key]); slices.EqualFunc(now, batch.shown[at].Passages, sameWords) {
				batch.shown[at].Passages = now // the same words may be in other lines
			} else {
				it.Key = ""
			}
		}
	}
	if _, err := v.judge(then, batch, got); err != nil {
		return err
	}
	for key := range waiting {
		if reading, ok := then.Readings[key]; ok {
			v.loop.Readings[key] = reading
		}
	}
	for _, r := range then.Reviews {
		for i := range r.Items {
			r.Items[i].Passages = nil // places in texts that may have changed
		}
		same := func(known loopstate.Review) bool { return known.Batch == r.Batch && known.Seed == r.Seed }
		if at := slices.IndexFunc(v.loop.Reviews, same); at < 0 {
			v.loop.Reviews = append(v.loop.Reviews, r)
		} else if r.Status != loopstate.BatchOpen {
			v.loop.Reviews[at] = r
		}
	}
	return nil
}

func sameWords(a, b verify.Passage) bool { return a.Heading == b.Heading && a.Text == b.Text }
