package textcheck

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/internal/text/passage"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// Review configures who reads claims beside their sources.
type Review struct {
	Kind     string // "endpoint", "person"; may be empty
	Read     func(ctx context.Context, batch ReviewBatch) (ReviewAnswers, error)
	Kept     func(batch string) (ReviewBatch, bool) // of an earlier text, to which Read may give answers as well; may be nil
	Attempts int                                    // maximum batches with other planted errors while they are void; 0 = 1
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
		out += fmt.Sprintf(" by a reader (%s), who caught %d of %d planted errors and passed %d of %d controls", s.Reader, s.Planted.Good, s.Planted.N, s.Controls.Good, s.Controls.N)
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

// reviewing is the review of texts.
type reviewing struct {
	by     *Review // nil: nobody reads, but earlier readings count
	texts  [][]*verify.Claim
	all    bool    // read all claims, not a sample of a long text
	lock   []*Lock // of each text; may be nil
	loop   *Loop   // whose readings count; may be nil
	source func(id string) (verify.Source, error)
	read   []string // ids of sources that a second look may search beside the cited ones

	summary ReviewSummary
	at      map[string][]*verify.Claim     // by the key of the reading
	looks   map[string]loopstate.FirstLook // by the same; their passages are those of the second look
	sources map[string]verify.Source       // that were needed so far
	index   *passage.Index                 // of all that are in read
	earlier []string                       // what readers have seen
	made    int                            // batches
	before  int                            // claims read by the answers to batches of earlier texts
}

// planOf plans the reading of one text.
func planOf(claims []*verify.Claim, all bool) reader.Plan {
	var items []reader.PlanItem
	answers := map[string]string{}
	for _, c := range claims {
		if c.Key == "" {
			continue
		}
		items = append(items, reader.PlanItem{Key: c.Key, Front: c.Candidate().Front})
		if c.Reading != nil {
			answers[c.Key] = c.Reading.Answer
		}
	}
	return reader.NewPlan("citeloop verify", items, answers, all)
}

// run applies earlier readings, has the reader read what the plan of each text wants, and applies the answers of an accepted
// reader. All batches of one round go to the reader at once; the first one tests it in full. Claims that it does not find
// supported come once more, with other passages.
func (v *reviewing) run(ctx context.Context) error {
	v.at, v.looks, v.sources = map[string][]*verify.Claim{}, map[string]loopstate.FirstLook{}, map[string]verify.Source{}
	for t, claims := range v.texts {
		for _, c := range claims {
			if !c.Pending() {
				continue
			}
			v.at[c.Key] = append(v.at[c.Key], c)
			if err := v.recall(c, t); err != nil {
				return err
			}
		}
	}
	voids := 0
	for v.by != nil {
		pending := v.pending()
		if v.summary.Left = len(pending); v.summary.Left == 0 {
			break
		}
		seen, number := v.earlier, v.made
		made, err := v.prepareAll(pending)
		if err != nil {
			return err
		}
		if len(made) == 0 {
			break
		}
		asked := readerBatch(made)
		got, err := v.by.Read(ctx, asked)
		if err != nil {
			return err
		}
		v.summary.Reader = cmp.Or(got.Reader, v.summary.Reader)
		v.summary.Problem = cmp.Or(got.Problem, v.summary.Problem)
		earlier := got.Batch != asked.Batch
		if earlier { // nobody has seen this batch
			v.earlier, v.made = seen, number
			if made, err = v.earlierBatch(got, asked.Batch, pending); err != nil {
				return err
			}
		}
		counted := v.summary.Counted
		void, open, err := v.judge(made, got)
		if err != nil {
			return err
		}
		if earlier {
			open = false
			v.before += v.summary.Counted - counted
		}
		if v.summary.Void = len(void); len(void) > 0 {
			voids++
		}
		if v.summary.Left = len(v.pending()) - len(void); open || voids >= max(v.by.Attempts, 1) {
			break
		}
	}
	if v.summary.Counted > 0 {
		v.summary.Accuracy = sixDigits(reader.Accuracy(v.summary.Planted.Good+v.summary.Controls.Good, v.summary.Planted.N+v.summary.Controls.N))
	}
	for _, claims := range v.at {
		for _, c := range claims {
			if c.Read() && c.Confidence == 0 {
				c.Confidence = v.summary.Accuracy
			}
		}
	}
	return nil
}

// recall applies what a reader found about a claim before.
func (v *reviewing) recall(c *verify.Claim, text int) error {
	if v.loop != nil {
		if reading, ok := v.loop.state.Readings[c.Key]; ok && reading.Corrected == nil {
			c.Apply(reading, nil)
			return nil
		}
	}
	if v.lock == nil || v.lock[text] == nil {
		return nil
	}
	sources, err := v.sourcesOf(c)
	if err != nil {
		return err
	}
	reading, accuracy, first, ok := v.lock[text].reading(c.Key, sources)
	if !ok {
		return nil
	}
	if more := v.elsewhere(c, sources); first && len(more) > 0 {
		v.looks[c.Key] = loopstate.FirstLook{Reading: reading, Passages: verify.Windows(more)}
		return nil
	}
	c.Apply(reading, sources)
	c.Confidence = accuracy
	v.summary.Known++
	return nil
}

// sourcesOf returns the sources in which a second look at a claim may search.
func (v *reviewing) sourcesOf(c *verify.Claim) (map[string]verify.Source, error) {
	for _, id := range slices.Concat(c.SourceIDs(), v.read) {
		if _, known := v.sources[id]; known {
			continue
		}
		src, err := v.source(id)
		if err != nil {
			return nil, err
		}
		v.sources[id] = src
	}
	return v.sources, nil
}

// lookChars is the size of the passages of a second look, in code points: a paragraph (chosen).
const lookChars = 600

// elsewhere returns what may say a claim that its passages do not say.
func (v *reviewing) elsewhere(c *verify.Claim, sources map[string]verify.Source) []verify.Passage {
	ix := v.index
	if ix == nil {
		ix = passage.NewIndex()
		for _, id := range slices.Concat(c.SourceIDs(), v.read) {
			if src := sources[id]; src.Text != nil {
				ix.Add(id, passage.Split(src.Text.String(), lookChars))
			}
		}
	}
	if len(v.read) > 0 { // all sources, for every claim
		v.index = ix
	}
	return verify.SecondLook(ix, c.Text, c.Passages, sources)
}

// pending returns what is to be read now, what comes first in front.
func (v *reviewing) pending() []reader.Candidate {
	var out []reader.Candidate
	seen := map[string]bool{}
	for _, claims := range v.texts {
		wanted := map[string]bool{}
		for _, key := range planOf(claims, v.all).Next {
			wanted[key] = true
		}
		for _, c := range claims {
			if !c.Pending() || !wanted[c.Key] || seen[c.Key] {
				continue
			}
			seen[c.Key] = true
			as := c.Candidate()
			next := reader.Candidate{Key: c.Key, Claim: c.Text, Passages: c.Passages, Fixed: as.Quoted, Front: as.Front}
			if look, again := v.looks[c.Key]; again {
				next.Passages = nil
				for _, w := range look.Passages {
					next.Passages = append(next.Passages, v.sources[w.SourceID].Window(w))
				}
			}
			out = append(out, next)
		}
	}
	rest := slices.DeleteFunc(slices.Clone(out), func(c reader.Candidate) bool { return c.Front })
	return append(slices.DeleteFunc(out, func(c reader.Candidate) bool { return !c.Front }), rest...)
}

// prepareAll makes the batches of one attempt.
func (v *reviewing) prepareAll(pending []reader.Candidate) ([]batch, error) {
	var made []batch
	for len(pending) > 0 {
		part := pending[:min(len(pending), reader.MaxItems)]
		b, err := v.prepare(part, len(made) > 0 || v.summary.Counted > v.before)
		switch {
		case errors.Is(err, reader.ErrTooLittleText):
			v.summary.Problem = "the cited texts are too short to test a reader with; the test needs about ten whole sentences in them: cite a longer text too, or compare these sentences yourself"
			pending = pending[len(part):]
			continue
		case err != nil:
			return nil, err
		}
		made = append(made, b)
		asked := map[string]bool{}
		for _, it := range b.shown {
			asked[it.Key] = true
			v.earlier = append(v.earlier, it.Claim, it.Base)
		}
		pending = slices.DeleteFunc(slices.Clone(pending), func(c reader.Candidate) bool { return asked[c.Key] })
	}
	return made, nil
}

// prepare makes a batch. Its seed is derived from the texts and claims.
func (v *reviewing) prepare(candidates []reader.Candidate, known bool) (batch, error) {
	v.made++
	name := fmt.Sprintf("R%d", v.made)
	seed := sha256.New()
	fmt.Fprintln(seed, name)
	for _, c := range candidates {
		fmt.Fprintln(seed, c.Key)
	}
	var failed error
	items, err := reader.Prepare(reader.Request{Seed: hex.EncodeToString(seed.Sum(nil)), Candidates: candidates, Earlier: v.earlier, Known: known,
		Blocks: func(id string) []reader.Passage {
			src, err := v.source(id)
			if err != nil {
				failed = err
			}
			return src.Blocks()
		}})
	if failed != nil {
		return batch{}, failed
	}
	return newBatch(name, items), err
}

// judge applies the answers to the batches whose reader passed the test, and returns the keys of the claims of void ones, and
// whether answers are missing. The later batches have few planted errors: they count only if the first one does.
func (v *reviewing) judge(made []batch, got ReviewAnswers) (void map[string]bool, open bool, err error) {
	void = map[string]bool{}
	first := ""
	for _, b := range made {
		answers := map[string]loopstate.ReviewAnswer{}
		for _, a := range got.Answers {
			if i := slices.IndexFunc(b.logged, func(it loopstate.ReviewItem) bool { return it.Item == a.Item }); i >= 0 {
				a.Found = reader.QuoteFound(a.Quote, b.shown[i].Passages)
				answers[a.Item] = a
			}
		}
		planted, controls, status := loopstate.Referee(b.logged, answers)
		if first = cmp.Or(first, status); first != loopstate.BatchCounted {
			status = first
		}
		if status == loopstate.BatchCounted {
			v.summary.Planted.N, v.summary.Planted.Good = v.summary.Planted.N+planted.N, v.summary.Planted.Good+planted.Good
			v.summary.Controls.N, v.summary.Controls.Good = v.summary.Controls.N+controls.N, v.summary.Controls.Good+controls.Good
		}
		for i, it := range b.logged {
			switch {
			case it.Role != reader.RolePending || it.Key == "":
			case status == loopstate.BatchCounted:
				a := answers[it.Item]
				reading := loopstate.Reading{Batch: b.name, Item: it.Item, Answer: a.Counts(), Quote: a.Quote, Reader: loopstate.Reader{Kind: v.by.Kind, Name: got.Reader}}
				if err := v.take(it.Key, reading, b.shown[i].Passages); err != nil {
					return nil, false, err
				}
			case status == loopstate.BatchVoid:
				void[it.Key] = true
			default:
				open = true
			}
		}
	}
	return void, open, nil
}

// take applies a reading to its claims. One that does not support them waits for a second look.
func (v *reviewing) take(key string, reading loopstate.Reading, shown []verify.Passage) error {
	claims := v.at[key]
	sources, err := v.sourcesOf(claims[0])
	if err != nil {
		return err
	}
	if look, again := v.looks[key]; again {
		reading = look.Then(reading, verify.Place(reading.Quote, shown, claims[0].Passages, sources))
	} else if reading.Answer == loopstate.AnswerPartly || reading.Answer == loopstate.AnswerNotStated {
		if more := v.elsewhere(claims[0], sources); len(more) > 0 {
			v.looks[key] = loopstate.FirstLook{Reading: reading, Passages: verify.Windows(more)}
			return nil
		}
	}
	for _, c := range claims {
		c.Apply(reading, sources)
	}
	v.summary.Counted++
	return nil
}

// earlierBatch returns the batch of an earlier text that the answers are to. It is judged as a whole, by the errors that were
// planted in it: an edit helps nobody through the test. Only its items that wait as they were shown keep their keys, so that
// nothing else is decided.
func (v *reviewing) earlierBatch(got ReviewAnswers, want string, pending []reader.Candidate) (made []batch, err error) {
	known := false
	var asked ReviewBatch
	if v.by.Kept != nil {
		asked, known = v.by.Kept(got.Batch)
	}
	if !known {
		return nil, &OtherBatchError{got.Batch, want}
	}
	if err := got.Check(asked); err != nil {
		return nil, err
	}
	made = asked.made
	for _, b := range made {
		for i, it := range b.shown {
			v.earlier = append(v.earlier, it.Claim, it.Base)
			at := slices.IndexFunc(pending, func(c reader.Candidate) bool {
				return c.Key == it.Key && c.Claim == it.Claim && slices.EqualFunc(c.Passages, it.Passages, sameWords)
			})
			if at < 0 {
				b.logged[i].Key = ""
				continue
			}
			b.shown[i].Passages = pending[at].Passages // the same words may be in other lines
		}
	}
	return made, nil
}

func sameWords(a, b verify.Passage) bool { return a.Heading == b.Heading && a.Text == b.Text }
