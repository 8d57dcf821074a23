package loopstate

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Roles of the items of a review batch. They are hidden from the reader.
const (
	ReviewPending = "pending" // a claim that the wording check could not decide
	ReviewSample  = "sample"  // a claim that the wording check grounded
	ReviewPlanted = "planted" // false by construction
	ReviewControl = "control" // true by construction
)

// Answers of a reader: whether the passages support the claim.
const (
	AnswerSupported    = "supported"
	AnswerPartly       = "partly"
	AnswerContradicted = "contradicted"
	AnswerNotStated    = "not_stated"
)

// ReviewAnswers lists all answers.
func ReviewAnswers() []string {
	return []string{AnswerSupported, AnswerPartly, AnswerContradicted, AnswerNotStated}
}

// Statuses of a batch.
const (
	BatchOpen    = "open"    // some items are unanswered
	BatchCounted = "counted" // the referee accepted the answers
	BatchVoid    = "void"    // the referee rejected the answers: nothing changed
)

// refereeShare is the minimum share of planted errors caught, and of controls passed, for a batch to count. With four of
// each, a guessing reader passes once in 256 times.
const refereeShare = 0.8

// MaxReviewItems bounds a batch.
const MaxReviewItems = 40

// ReviewCandidate is a sentence for a second reader, with the result of its last verification: a claim of the loop, or a
// sentence of a draft.
type ReviewCandidate struct {
	Key       string   `json:"key"` // see ReviewKey
	Claim     string   `json:"claim"`
	SourceIDs []string `json:"source_ids"`
	Status    string   `json:"status"` // by the wording check
	Quoted    bool     `json:"quoted,omitempty"`
	Draft     bool     `json:"draft,omitempty"`
	// Passages are what the reader judges the claim by. Front puts the claim before others: it has a remark, or names no lines.
	Passages []ReviewWindow `json:"passages,omitempty"`
	Front    bool           `json:"front,omitempty"`
}

// ReviewKey identifies a reader's task: the sentence, and the texts and quotes that it cites. One reading holds for all
// verifications with the same key.
func ReviewKey(claim string, textHashes, quotes []string) string {
	h := sha256.New()
	fmt.Fprint(h, foldClaim(claim))
	for _, list := range [][]string{textHashes, quotes} {
		for _, s := range slices.Compact(slices.Sorted(slices.Values(list))) {
			fmt.Fprintf(h, "%s\x01", s)
		}
		fmt.Fprint(h, "\x00")
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// ReviewItem is one item of a batch.
type ReviewItem struct {
	Item     string         `json:"item"` // R1-1, R1-2, …
	Role     string         `json:"role"`
	Key      string         `json:"key,omitempty"`  // of the candidate
	Kind     string         `json:"kind,omitempty"` // of a planted error: what was changed
	Claim    string         `json:"claim"`
	Base     string         `json:"base,omitempty"` // the true sentence behind a planted error or control
	Passages []ReviewWindow `json:"passages"`
}

// ReviewWindow is the part [Start, End) of a stored text, in code points, that a reader sees, with the heading above it.
type ReviewWindow struct {
	SourceID string `json:"source_id"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Heading  string `json:"heading,omitempty"`
	Lines    string `json:"lines,omitempty"` // "120-128"
}

// Reference names the window as a citation does: "S1:120-128".
func (w ReviewWindow) Reference() string {
	if w.Lines == "" {
		return w.SourceID
	}
	return w.SourceID + ":" + w.Lines
}

// ReviewAnswer is a reader's unchanged answer to one item. Found tells whether the quote is in the item's passages; without
// a found quote, any answer counts as not_stated.
type ReviewAnswer struct {
	Item   string `json:"item"`
	Answer string `json:"answer"`
	Quote  string `json:"quote,omitempty"`
	Found  bool   `json:"quote_found,omitempty"`
	// Place is the block that has the quote. Elsewhere are parts of what was read that may say what the item's passages do not.
	Place     *ReviewWindow  `json:"place,omitempty"`
	Elsewhere []ReviewWindow `json:"elsewhere,omitempty"`
}

// misquotes reports whether the answer quotes words that the reader was not shown.
func (a ReviewAnswer) misquotes() bool {
	return a.Answer != AnswerNotStated && a.Quote != "" && !a.Found
}

// Counts returns the answer that the referee counts.
func (a ReviewAnswer) Counts() string {
	if a.Answer != AnswerNotStated && !a.Found {
		return AnswerNotStated
	}
	return a.Answer
}

// Reader identifies a reader.
type Reader struct {
	Kind string `json:"kind"` // host, subagent, endpoint or person
	Name string `json:"name,omitempty"`
}

// String names the reader: "endpoint gpt-x", "host"; empty for an unknown one.
func (r Reader) String() string { return strings.TrimSpace(r.Kind + " " + r.Name) }

// ReviewOpened opens a batch.
type ReviewOpened struct {
	Batch string       `json:"batch"` // R1, R2, …
	Seed  string       `json:"seed"`
	Items []ReviewItem `json:"items"`
}

// ReviewAnswered holds a reader's answers to some or all items of a batch.
type ReviewAnswered struct {
	Batch   string         `json:"batch"`
	Reader  Reader         `json:"reader"`
	Answers []ReviewAnswer `json:"answers"`
	Refused []string       `json:"refused,omitempty"` // items whose quote is not in what was shown, for the first time
	Usage   Usage          `json:"usage,omitzero"`
}

// Tally counts planted errors caught, or controls passed.
type Tally struct {
	N    int `json:"n"`
	Good int `json:"good"`
}

// Enough reports whether the share is at least 80 %.
func (t Tally) Enough() bool { return t.N > 0 && float64(t.Good) >= refereeShare*float64(t.N)-1e-9 }

// Review is one batch.
type Review struct {
	Batch    string                  `json:"batch"`
	Seed     string                  `json:"seed"`
	Status   string                  `json:"status"`
	OpenedAt time.Time               `json:"opened_at"`
	ClosedAt time.Time               `json:"closed_at,omitzero"`
	Items    []ReviewItem            `json:"items"`
	Answers  map[string]ReviewAnswer `json:"answers,omitempty"` // item -> its first answer
	Refused  map[string]bool         `json:"refused,omitempty"` // items whose first quote was refused
	Readers  []Reader                `json:"readers,omitempty"` // in the order of their first answer
	Planted  Tally                   `json:"planted"`
	Controls Tally                   `json:"controls"`
}

// Left returns the unanswered items.
func (r *Review) Left() []ReviewItem {
	var out []ReviewItem
	for _, it := range r.Items {
		if _, ok := r.Answers[it.Item]; !ok {
			out = append(out, it)
		}
	}
	return out
}

// Reading is an accepted answer about a sentence. Loop is the loop of the batch, if it is another loop with the same text.
type Reading struct {
	Loop   string `json:"state_id,omitempty"`
	Batch  string `json:"batch"`
	Item   string `json:"item"`
	Answer string `json:"answer"` // as counted
	Quote  string `json:"quote,omitempty"`

	// Corrected is where the reader found it on a second look, because the cited lines do not say it.
	Corrected *ReviewWindow `json:"corrected,omitempty"`

	Reader   Reader `json:"reader,omitzero"`    // who read
	Imported bool   `json:"imported,omitempty"` // from the log of an archive; see FlagImported
}

// FirstLook is the reading of a claim that its passages do not support, or in part, and what a reader is shown next. Only the
// reading after that counts.
type FirstLook struct {
	Reading
	Passages []ReviewWindow `json:"passages"`
}

// Then returns the reading of both looks. The second one decides where it says more; where it found less, the first stands.
func (f FirstLook) Then(second Reading, place *ReviewWindow) Reading {
	switch {
	case second.Answer == AnswerNotStated, second.Answer == AnswerPartly && f.Answer == AnswerPartly:
		return f.Reading
	}
	second.Corrected = place
	return second
}

// Referee counts the planted errors that answers catch and the controls that they pass, and returns the status of the
// batch. Any answer but supported catches a planted error; only supported passes a control.
func Referee(items []ReviewItem, answers map[string]ReviewAnswer) (planted, controls Tally, status string) {
	for _, it := range items {
		a, ok := answers[it.Item]
		if !ok {
			status = BatchOpen
		}
		switch it.Role {
		case ReviewPlanted:
			planted.N++
			if ok && a.Counts() != AnswerSupported {
				planted.Good++
			}
		case ReviewControl:
			controls.N++
			if ok && a.Counts() == AnswerSupported {
				controls.Good++
			}
		}
	}
	switch {
	case status == BatchOpen:
	case planted.Enough() && controls.Enough():
		status = BatchCounted
	default:
		status = BatchVoid
	}
	return planted, controls, status
}

// BasisReview is the basis of a grounded claim.
const BasisReview = "review"

// FlagOverruled is the flag of a claim that was unsupported before a reader found it supported.
const FlagOverruled = "overruled"

// AfterReading returns a claim's status after a reading, its basis if it is grounded, and a flag if the reader overrules the
// earlier status.
func AfterReading(before, answer string) (status, basis, flag string) {
	switch {
	case answer == AnswerSupported && before == Unsupported:
		return Grounded, BasisReview, FlagOverruled
	case answer == AnswerSupported:
		return Grounded, BasisReview, ""
	case answer == AnswerPartly:
		return Inferred, "", ""
	}
	return Unsupported, "", ""
}

// PendingReviews returns the candidates for a second reader: not grounded by wording and not read yet. Inferred ones come
// first, then unsupported ones, whose status may be wrong.
//
// A claim that waits for a second look has the passages for that.
func (s *State) PendingReviews() []ReviewCandidate {
	var inferred, unsupported []ReviewCandidate
	for _, c := range s.AllCandidates() {
		if _, read := s.Readings[c.Key]; read {
			continue
		}
		if look, ok := s.FirstLooks[c.Key]; ok {
			c.Passages = look.Passages
		}
		switch c.Status {
		case Inferred:
			inferred = append(inferred, c)
		case Unsupported:
			unsupported = append(unsupported, c)
		}
	}
	return append(inferred, unsupported...)
}

// AllCandidates returns the candidates of the loop and of the draft that was checked last, each once.
func (s *State) AllCandidates() []ReviewCandidate {
	if s.Scratch == nil {
		return s.Candidates
	}
	known := make(map[string]bool, len(s.Candidates))
	for _, c := range s.Candidates {
		known[c.Key] = true
	}
	out := slices.Clone(s.Candidates)
	for _, c := range s.Scratch.Candidates {
		if !known[c.Key] {
			known[c.Key] = true
			out = append(out, c)
		}
	}
	return out
}

// OpenReview returns the open batch, or nil.
func (s *State) OpenReview() *Review {
	for i := range s.Reviews {
		if s.Reviews[i].Status == BatchOpen {
			return &s.Reviews[i]
		}
	}
	return nil
}

// ReviewByID returns the batch with an id.
func (s *State) ReviewByID(batch string) (*Review, bool) {
	for i := range s.Reviews {
		if s.Reviews[i].Batch == batch {
			return &s.Reviews[i], true
		}
	}
	return nil, false
}

// NextReview returns the id of the next batch.
func (s *State) NextReview() string { return fmt.Sprintf("R%d", len(s.Reviews)+1) }

// OpenBatch is the step that opens a batch. The seed decides what the batch is made of; it is random, and secret until the
// batch is closed, so that nobody can work out which items are planted.
func (s *State) OpenBatch(seed string, items []ReviewItem) (ReviewOpened, error) {
	batch := s.NextReview()
	p := ReviewOpened{Batch: batch, Seed: seed, Items: slices.Clone(items)}
	if err := CheckCount("items", len(items), MaxReviewItems); err != nil {
		return p, err
	}
	for i := range p.Items {
		p.Items[i].Item = fmt.Sprintf("%s-%d", batch, i+1)
	}
	return p, nil
}

// AnswerBatch is the step that records a reader's answers. The first answer to an item counts; later ones are ignored. A quote
// that is not in what was shown is refused once.
func (s *State) AnswerBatch(batch string, reader Reader, answers []ReviewAnswer) (ReviewAnswered, error) {
	p := ReviewAnswered{Batch: batch, Reader: reader}
	r, ok := s.ReviewByID(batch)
	if !ok {
		return p, &Error{Code: CodeUnknownBatch, Subject: "batch", Value: clip(batch, 40)}
	}
	if err := CheckCount("answers", len(answers), MaxItems); err != nil {
		return p, err
	}
	var ids []string
	for _, it := range r.Items {
		ids = append(ids, it.Item)
	}
	seen := map[string]bool{}
	for i, a := range answers {
		at := fmt.Sprintf("answers[%d]", i)
		a.Item = strings.TrimSpace(a.Item)
		switch {
		case !slices.Contains(ids, a.Item):
			return p, &Error{Code: CodeUnknownValue, Subject: at + ".item", Value: clip(a.Item, 40), Valid: ids}
		case seen[a.Item]:
			return p, &Error{Code: CodeRepeated, Subject: at + ".item", Value: a.Item}
		case a.Answer == "":
			return p, &Error{Code: CodeMissing, Subject: at + ".answer", Valid: ReviewAnswers()}
		}
		if err := CheckOneOf(at+".answer", a.Answer, ReviewAnswers()); err != nil {
			return p, err
		}
		var err error
		if a.Quote, err = optionalText(at+".quote", a.Quote, MaxTextChars); err != nil {
			return p, err
		}
		seen[a.Item] = true
		_, answered := r.Answers[a.Item]
		switch {
		case answered || r.Status != BatchOpen:
		case a.misquotes() && !r.Refused[a.Item]: // the reader can correct it once
			p.Refused = append(p.Refused, a.Item)
		default:
			p.Answers = append(p.Answers, a)
		}
	}
	return p, nil
}

func (s *State) openReview(at time.Time, p ReviewOpened) {
	s.Reviews = append(s.Reviews, Review{Batch: p.Batch, Seed: p.Seed, Status: BatchOpen, OpenedAt: at, Items: p.Items})
}

// answerReview records answers. After the last one, the referee decides; claims change only then.
func (s *State) answerReview(at time.Time, p ReviewAnswered) {
	s.spend(p.Usage)
	r, ok := s.ReviewByID(p.Batch)
	if !ok || r.Status != BatchOpen {
		return
	}
	if r.Answers == nil {
		r.Answers = map[string]ReviewAnswer{}
	}
	for _, a := range p.Answers {
		if _, ok := r.Answers[a.Item]; !ok {
			r.Answers[a.Item] = a
		}
	}
	for _, item := range p.Refused {
		if r.Refused == nil {
			r.Refused = map[string]bool{}
		}
		r.Refused[item] = true
	}
	if len(p.Answers) == 0 {
		return
	}
	if !slices.Contains(r.Readers, p.Reader) {
		r.Readers = append(r.Readers, p.Reader)
	}
	if r.Planted, r.Controls, r.Status = Referee(r.Items, r.Answers); r.Status == BatchOpen {
		return
	}
	r.ClosedAt = at
	if r.Status == BatchVoid {
		return
	}
	if s.Readings == nil {
		s.Readings = map[string]Reading{}
	}
	for _, it := range r.Items {
		if it.Role == ReviewPending || it.Role == ReviewSample {
			a := r.Answers[it.Item]
			s.take(it.Key, Reading{Batch: r.Batch, Item: it.Item, Answer: a.Counts(), Quote: a.Quote, Reader: r.Readers[0]}, a)
		}
	}
	for i := range s.Claims {
		s.Claims[i].applyReading(s.Readings)
	}
}

// take records a reading. One that does not support its claim waits for a second look, if the texts have something to look at.
func (s *State) take(key string, reading Reading, a ReviewAnswer) {
	first, again := s.FirstLooks[key]
	switch {
	case again:
		s.Readings[key] = first.Then(reading, a.Place)
	case len(a.Elsewhere) > 0 && (reading.Answer == AnswerPartly || reading.Answer == AnswerNotStated):
		if s.FirstLooks == nil {
			s.FirstLooks = map[string]FirstLook{}
		}
		s.FirstLooks[key] = FirstLook{reading, a.Elsewhere}
	default:
		s.Readings[key] = reading
	}
}

// addReadings adds readings of other loops. Readings of this loop take precedence.
func (s *State) addReadings(readings map[string]Reading) {
	if len(readings) > 0 && s.Readings == nil {
		s.Readings = map[string]Reading{}
	}
	for key, reading := range readings {
		if _, ok := s.Readings[key]; !ok {
			s.Readings[key] = reading
		}
	}
}

// applyReading updates the last check of a claim by its reading.
func (c *Claim) applyReading(readings map[string]Reading) {
	if c.Check == nil || c.Check.Key == "" {
		return
	}
	reading, ok := readings[c.Check.Key]
	if !ok || c.Check.Reviewed == reading.Item {
		return
	}
	check := *c.Check
	check.ByWording = cmp.Or(check.ByWording, check.Status)
	var flag string
	check.Status, check.Basis, flag = AfterReading(check.ByWording, reading.Answer)
	check.Reviewed = reading.Item
	check.Flags = slices.Clone(check.Flags)
	if flag != "" {
		check.Flags = append(check.Flags, flag)
	}
	if reading.Imported {
		check.Flags = append(check.Flags, FlagImported)
	}
	if w := reading.Corrected; w != nil {
		check.SourceID, check.Start, check.End, check.Lines = w.SourceID, w.Start, w.End, w.Reference()
	}
	c.Check = &check
	if check.Status != Unsupported {
		c.Gap = false
	}
}

// addCandidates records the candidates of a verification. Those of a draft replace those of the previous draft, and the
// recorded claims that nobody has read: the report is written from the draft. A later check of the claims adds them again.
func (s *State) addCandidates(candidates []ReviewCandidate, draft bool) {
	if draft {
		s.Candidates = slices.DeleteFunc(s.Candidates, func(c ReviewCandidate) bool {
			_, read := s.Readings[c.Key]
			return c.Draft || !read && c.Status != Grounded
		})
	}
	at := make(map[string]int, len(s.Candidates))
	for i, c := range s.Candidates {
		at[c.Key] = i
	}
	for _, c := range candidates {
		c.Draft = draft
		if i, ok := at[c.Key]; ok {
			s.Candidates[i] = c
			continue
		}
		at[c.Key] = len(s.Candidates)
		s.Candidates = append(s.Candidates, c)
	}
}
