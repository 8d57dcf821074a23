package textcheck

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/loopstate"
)

const bridgeDraft = `Corrosion from salt made it necessary to renew the cables [1]. The fishing fleet has welcomed the crossing from the
very beginning [1]. The cables were replaced in 2006 because salt had weakened the steel [1].

[1]: https://arden.example/bridge`

func bridge(t *testing.T, by *Review) (*Result, error) {
	t.Helper()
	w := island()
	text, err := os.ReadFile("../grounding/review/testdata/bridge.txt")
	if err != nil {
		t.Fatal(err)
	}
	w.pages["https://arden.example/bridge"] = read("The bridge", string(text))
	cfg := config(w)
	cfg.Review = by
	return Drafts(t.Context(), []Draft{{"a.md", bridgeDraft}}, cfg)
}

// honestly answers like a careful reader who knows the text.
func honestly(b ReviewBatch) func(ReviewItem) loopstate.ReviewAnswer {
	return func(it ReviewItem) loopstate.ReviewAnswer {
		quote := strings.Join(strings.Fields(it.Passages[0].Text)[:4], " ")
		a := loopstate.ReviewAnswer{Item: it.Item, Answer: loopstate.AnswerSupported, Quote: quote}
		if b.roles[it.Item] == loopstate.ReviewPlanted || strings.HasPrefix(it.Claim, "The fishing fleet") {
			a.Answer = loopstate.AnswerContradicted
		}
		return a
	}
}

// always answers all batches alike.
func always(answer func(ReviewItem) loopstate.ReviewAnswer) func(ReviewBatch) func(ReviewItem) loopstate.ReviewAnswer {
	return func(ReviewBatch) func(ReviewItem) loopstate.ReviewAnswer { return answer }
}

func answering(reader func(ReviewBatch) func(ReviewItem) loopstate.ReviewAnswer, batches *[]ReviewBatch) *Review {
	return &Review{Attempts: 2, Read: func(_ context.Context, b ReviewBatch) (ReviewAnswers, error) {
		*batches = append(*batches, b)
		out := ReviewAnswers{Batch: b.Batch, Reader: "reader-x"}
		answer := reader(b)
		for _, it := range b.Items {
			a := answer(it)
			a.Item = it.Item
			out.Answers = append(out.Answers, a)
		}
		return out, nil
	}}
}

func TestReviewGroundsSupportedSentences(t *testing.T) {
	var batches []ReviewBatch
	r, err := bridge(t, answering(honestly, &batches))
	if err != nil {
		t.Fatal(err)
	}
	if len(batches) != 1 || r.Review.Counted != 3 || r.Review.Void+r.Review.Left != 0 || r.Review.Planted.N < 4 || r.Review.Reader != "reader-x" {
		t.Fatalf("%d batches, %s", len(batches), r.Review)
	}
	if c := r.Claims[0]; c.Status != grounding.Grounded || c.Basis != loopstate.BasisReview || c.Reading == nil {
		t.Errorf("%s by %q", c.Status, c.Basis)
	}
	if f := r.Files[0]; f.ByReview != 1 || f.Contradicted != 1 || f.Inferred != 0 || r.Verdict != Fail {
		t.Errorf("%+v", f)
	}
	for _, format := range []string{Text, GitHub, SARIF, HTML} {
		var b bytes.Buffer
		if err := Write(&b, format, r); err != nil || !strings.Contains(b.String(), "review: 3 sentences read by a second reader (reader-x), who caught") {
			t.Errorf("%s: %v\n%s", format, err, b.String())
		}
	}
}

// Readers who do not read change no verdict, also with other planted errors.
func TestReviewVoidsBadReaders(t *testing.T) {
	plain, err := bridge(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, answer := range map[string]func(ReviewItem) loopstate.ReviewAnswer{
		"stamps": func(it ReviewItem) loopstate.ReviewAnswer {
			return loopstate.ReviewAnswer{Answer: loopstate.AnswerSupported, Quote: strings.Join(strings.Fields(it.Passages[0].Text)[:4], " ")}
		},
		"denies": func(ReviewItem) loopstate.ReviewAnswer {
			return loopstate.ReviewAnswer{Answer: loopstate.AnswerNotStated}
		},
		"invents quotes": func(it ReviewItem) loopstate.ReviewAnswer {
			return loopstate.ReviewAnswer{Answer: loopstate.AnswerSupported, Quote: "indeed " + it.Claim}
		},
	} {
		t.Run(name, func(t *testing.T) {
			var batches []ReviewBatch
			r, err := bridge(t, answering(always(answer), &batches))
			if err != nil {
				t.Fatal(err)
			}
			if len(batches) != 2 || batches[0].Batch == batches[1].Batch || r.Review.Void != 2 || r.Review.Counted != 0 {
				t.Errorf("%d batches, %s", len(batches), r.Review)
			}
			if diff := cmp.Diff(plain.Files, r.Files); diff != "" {
				t.Errorf("a void review changed the counts:\n%s", diff)
			}
		})
	}
}

// A batch file does not reveal roles. Its answers are valid for the batch when it is computed again, and for no other
// batch.
func TestReviewOnFile(t *testing.T) {
	var written []byte
	var honest func(ReviewItem) loopstate.ReviewAnswer
	out := &Review{Read: func(_ context.Context, b ReviewBatch) (ReviewAnswers, error) {
		var err error
		written, err = json.Marshal(b)
		honest = honestly(b)
		return ReviewAnswers{Batch: b.Batch}, err
	}}
	if r, err := bridge(t, out); err != nil || r.Review.Left != 2 {
		t.Fatalf("%v, %+v", err, r.Review)
	}
	for _, word := range []string{"planted", "control", "pending", "sample", "role"} {
		if bytes.Contains(written, []byte(`"`+word)) {
			t.Errorf("the file says %s", word)
		}
	}
	var batch ReviewBatch
	if err := json.Unmarshal(written, &batch); err != nil {
		t.Fatal(err)
	}
	answers := ReviewAnswers{Batch: batch.Batch, Reader: "a colleague"}
	for _, it := range batch.Items {
		answers.Answers = append(answers.Answers, honest(it))
	}
	in := &Review{Read: func(_ context.Context, b ReviewBatch) (ReviewAnswers, error) { return answers, answers.Check(b) }}
	if r, err := bridge(t, in); err != nil || r.Files[0].ByReview != 1 {
		t.Errorf("%v, %+v", err, r)
	}
	whole := answers
	for name, change := range map[string]func(){
		"unknown item": func() {
			answers.Answers = append(answers.Answers[:0:0], loopstate.ReviewAnswer{Item: "R9-1", Answer: "partly"})
		},
		"unknown answer": func() {
			answers.Answers = append(answers.Answers[:0:0], loopstate.ReviewAnswer{Item: "R1-1", Answer: "yes"})
		},
		"twice":         func() { answers.Answers = append(answers.Answers[:1:1], answers.Answers[0]) },
		"another batch": func() { answers.Batch = "0123456789abcdef" },
	} {
		answers = whole
		change()
		if _, err := bridge(t, in); err == nil || name == "another batch" != isOther(err) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func isOther(err error) bool {
	var other *OtherBatchError
	return errors.As(err, &other)
}

// A file has the text of a passage once, beside its first item. The batch that was shared keeps all texts: its answers are
// judged by them.
func TestReviewBatchShared(t *testing.T) {
	deep, open := ReviewPassage{Source: "a.md", Text: "The harbour is deep."}, ReviewPassage{Source: "a.md", Text: "It opens at dawn."}
	elsewhere := ReviewPassage{Source: "b.md", Text: deep.Text}
	items := func() []ReviewItem {
		return []ReviewItem{
			{Item: "R1-1", Claim: "A", Passages: []ReviewPassage{deep, open}},
			{Item: "R1-2", Claim: "B", Passages: []ReviewPassage{open, elsewhere}},
			{Item: "R1-3", Claim: "C", Passages: []ReviewPassage{open, deep}},
		}
	}
	b := ReviewBatch{Batch: "R1", Items: items()}
	named := func(p ReviewPassage, id string) ReviewPassage { p.ID = id; return p }
	want := []ReviewItem{
		{Item: "R1-1", Claim: "A", Passages: []ReviewPassage{named(deep, "P1"), named(open, "P2")}},
		{Item: "R1-2", Claim: "B", Passages: []ReviewPassage{{ID: "P2", Text: "as in R1-1"}, named(elsewhere, "P3")}},
		{Item: "R1-3", Claim: "C", Passages: []ReviewPassage{{ID: "P2", Text: "as in R1-1"}, {ID: "P1", Text: "as in R1-1"}}},
	}
	got := b.Shared()
	if diff := cmp.Diff(want, got.Items); diff != "" || got.Batch != b.Batch {
		t.Errorf("batch %s, items (-want +got):\n%s", got.Batch, diff)
	}
	if diff := cmp.Diff(items(), b.Items); diff != "" {
		t.Errorf("the shared batch changed (-want +got):\n%s", diff)
	}
}
