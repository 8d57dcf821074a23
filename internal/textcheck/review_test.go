package textcheck

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/outcome"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

const bridgeDraft = `Corrosion from salt made it necessary to renew the cables [1]. The fishing fleet has welcomed the crossing from the
very beginning [1].

[1]: https://arden.example/bridge`

// bridgeText has sentences of many kinds, so that planted errors can be made.
const bridgeText = `The bridge at Port Arden was opened to lorries in 1987 after nine years of work.
It carries about 4,200 lorries a day in summer and 1,900 a day in winter.

The town council paid 61 percent of the cost and the province paid the rest.
Engineers recommended a yearly inspection of the cables on the eastern side.

The cables were replaced in 2006 because salt had weakened the steel.
Most of the lorries carry herring from the harbour to the railway at Holm.

The speed limit on the bridge is 60 kilometres per hour for all vehicles.
In 2011 a storm closed the bridge for 12 days and cost the port 3 million crowns.

The ferry that the bridge replaced needed 40 minutes for the same crossing.
Maria Holt designed the bridge and Jonas Berg supervised the building of it.

The toll of 25 crowns was abolished in 2015 after a vote in the province.
Fishermen opposed the bridge at first because the channel became narrower.`

func bridge(t *testing.T, text string, by *Review) (*Result, error) {
	t.Helper()
	w := island()
	w.pages["https://arden.example/bridge"] = read("The bridge", bridgeText)
	cfg := config(w)
	cfg.Review = by
	return Drafts(t.Context(), []Draft{{"a.md", text}}, cfg)
}

// rolesOf returns the roles of a batch by item.
func rolesOf(b ReviewBatch) map[string]string {
	out := map[string]string{}
	for _, r := range b.reviews {
		for _, it := range r.Items {
			out[it.Item] = it.Role
		}
	}
	return out
}

func roleOf(b ReviewBatch, item string) string { return rolesOf(b)[item] }

// honestly answers like a careful reader who knows the text.
func honestly(b ReviewBatch, it ReviewItem) loopstate.ReviewAnswer {
	a := loopstate.ReviewAnswer{Item: it.Item, Answer: loopstate.AnswerSupported, Quote: strings.Join(strings.Fields(it.Passages[0].Text)[:4], " ")}
	if roleOf(b, it.Item) == reader.RolePlanted || strings.HasPrefix(it.Claim, "The fishing fleet") {
		a.Answer = loopstate.AnswerContradicted
	}
	return a
}

func answering(answer func(ReviewBatch, ReviewItem) loopstate.ReviewAnswer, batches *[]ReviewBatch) *Review {
	return &Review{Reader: loopstate.Reader{Kind: "endpoint", Name: "reader-x"}, Attempts: 2, Ask: func(_ context.Context, b ReviewBatch) (ReviewAnswers, error) {
		*batches = append(*batches, b)
		out := ReviewAnswers{Batch: b.Batch, Reader: "reader-x"}
		for _, it := range b.Items {
			a := answer(b, it)
			a.Item = it.Item
			out.Answers = append(out.Answers, a)
		}
		return out, nil
	}}
}

func TestReviewDecides(t *testing.T) {
	t.Parallel()
	var batches []ReviewBatch
	r, err := bridge(t, bridgeDraft, answering(honestly, &batches))
	if err != nil {
		t.Fatal(err)
	}
	if len(batches) != 1 || r.Review.Counted != 2 || r.Review.Void+r.Review.Left != 0 || r.Review.Planted.N < 2 || r.Review.Accuracy < 0.5 {
		t.Fatalf("%d batches, %+v", len(batches), r.Review)
	}
	if c := r.Claims[0]; c.Status != loopstate.Grounded || c.Basis != loopstate.BasisReview || !c.Read || c.Confidence != r.Review.Accuracy || c.Reading.Reader.String() != "endpoint reader-x" {
		t.Errorf("%+v", c.Outcome)
	}
	if f := r.Files[0]; f.Supported != 1 || f.Contradicted != 1 || f.Findings[Contradicted] != 1 || r.Verdict != outcome.Fail {
		t.Errorf("%+v", f)
	}
	one, _, _ := strings.Cut(bridgeDraft, " The fishing")
	if r, err := bridge(t, one+"\n\n[1]: https://arden.example/bridge\n", answering(honestly, &batches)); err != nil || r.Verdict != outcome.Pass || r.ExitCode() != 0 {
		t.Errorf("%v: %+v", err, r.Files)
	}
	for _, format := range []string{Text, GitHub, SARIF, HTML} {
		var b bytes.Buffer
		if err := Write(&b, format, r); err != nil || !strings.Contains(b.String(), "review: 2 sentences read by a reader (reader-x), who caught") {
			t.Errorf("%s: %v\n%s", format, err, b.String())
		}
	}
}

// Readers who do not read change no verdict, also with other planted errors.
func TestReviewVoidsBadReaders(t *testing.T) {
	t.Parallel()
	plain, err := bridge(t, bridgeDraft, nil)
	if err != nil || plain.Verdict != outcome.Undecided {
		t.Fatal(plain.Verdict, err)
	}
	for name, answer := range map[string]func(ReviewBatch, ReviewItem) loopstate.ReviewAnswer{
		"stamps": func(_ ReviewBatch, it ReviewItem) loopstate.ReviewAnswer {
			return loopstate.ReviewAnswer{Answer: loopstate.AnswerSupported, Quote: strings.Join(strings.Fields(it.Passages[0].Text)[:4], " ")}
		},
		"invents quotes": func(_ ReviewBatch, it ReviewItem) loopstate.ReviewAnswer {
			return loopstate.ReviewAnswer{Answer: loopstate.AnswerSupported, Quote: "indeed " + it.Claim}
		},
	} {
		t.Run(name, func(t *testing.T) {
			var batches []ReviewBatch
			r, err := bridge(t, bridgeDraft, answering(answer, &batches))
			if err != nil {
				t.Fatal(err)
			}
			if len(batches) != 2 || batches[0].Batch == batches[1].Batch || r.Review.Void != 2 || r.Review.Counted != 0 || r.Verdict != outcome.Undecided {
				t.Errorf("%d batches, %s", len(batches), r.Review)
			}
			if diff := cmp.Diff(plain.Files[0].Counts, r.Files[0].Counts); diff != "" {
				t.Errorf("a void review changed the counts:\n%s", diff)
			}
		})
	}
}

// The first batch tests the reader in full; the later ones of the same reader are short of planted errors, and count only with it.
func TestReviewOfALongText(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 60 {
		fmt.Fprintf(&b, "The harbour wall of Port Arden has a lamp of the number %d [1].\n\n", i)
	}
	text := b.String() + "[1]: https://arden.example/bridge\n"
	var batches []ReviewBatch
	r, err := bridge(t, text, answering(honestly, &batches))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for item, role := range rolesOf(batches[0]) {
		name, _, _ := strings.Cut(item, "-")
		count[name+" "+role]++
	}
	if r.Review.Counted != 60 || len(batches) != 1 || count["R2 "+reader.RolePlanted] == 0 {
		t.Errorf("%s %v", r.Review, count)
	}
	r, err = bridge(t, text, answering(func(b ReviewBatch, it ReviewItem) loopstate.ReviewAnswer {
		if strings.HasPrefix(it.Item, "R1-") || strings.HasPrefix(it.Item, "R3-") || strings.HasPrefix(it.Item, "R4-") {
			return loopstate.ReviewAnswer{Answer: loopstate.AnswerNotStated}
		}
		return honestly(b, it)
	}, &batches))
	if err != nil || r.Review.Counted != 0 {
		t.Errorf("the later batches count without the first: %v, %s", err, r.Review)
	}
}

// A batch file does not reveal roles, and has each passage in full once. Its answers are judged by the batch that was kept.
func TestReviewOnFile(t *testing.T) {
	t.Parallel()
	var written, kept []byte
	answers := ReviewAnswers{Reader: "a colleague", Name: "answers.json"}
	out := &Review{Ask: func(_ context.Context, b ReviewBatch) (ReviewAnswers, error) {
		for _, it := range b.Items {
			answers.Answers = append(answers.Answers, honestly(b, it))
		}
		var err error
		answers.Batch, kept = b.Batch, b.Kept()
		written, err = json.Marshal(b.Shared())
		return ReviewAnswers{}, err
	}}
	if r, err := bridge(t, bridgeDraft, out); err != nil || r.Review.Left != 2 {
		t.Fatalf("%v, %+v", err, r.Review)
	}
	for _, word := range []string{`"planted`, `"control`, `"pending`, `"role`} {
		if bytes.Contains(written, []byte(word)) {
			t.Errorf("the file says %s", word)
		}
	}
	if n := bytes.Count(written, []byte("after nine years of work")); n > 3 || !bytes.Contains(written, []byte("as in R1-")) { // once as a passage, and in claims
		t.Errorf("a passage is written %d times", n)
	}
	good := answers
	in := func(answers ReviewAnswers) *Review {
		return &Review{Answers: []ReviewAnswers{answers}, Kept: func(name string) (ReviewBatch, bool) { return ReadKept(kept, name) }}
	}
	if r, err := bridge(t, bridgeDraft, in(good)); err != nil || r.Files[0].Supported != 1 || r.Review.Counted != 2 {
		t.Errorf("%v, %+v", err, r)
	}
	one := good.Answers[0]
	for name, change := range map[string]func(*ReviewAnswers){
		"unknown item":   func(a *ReviewAnswers) { a.Answers = []loopstate.ReviewAnswer{{Item: "R9-1", Answer: "partly"}} },
		"unknown answer": func(a *ReviewAnswers) { a.Answers = []loopstate.ReviewAnswer{{Item: "R1-1", Answer: "yes"}} },
		"twice":          func(a *ReviewAnswers) { a.Answers = []loopstate.ReviewAnswer{one, one} },
		"another batch":  func(a *ReviewAnswers) { a.Batch = "0123456789abcdef" },
	} {
		bad := good
		change(&bad)
		_, err := bridge(t, bridgeDraft, in(bad))
		if x, is := errors.AsType[*AnswersError](err); !is || x.Name != "answers.json" {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for name, body := range map[string][]byte{
		"other claims": bytes.ReplaceAll(kept, []byte("Corrosion"), []byte("Erosion")),
		"no JSON":      kept[1:],
		"nothing":      nil,
	} {
		if _, ok := ReadKept(body, good.Batch); ok {
			t.Errorf("%s: it is taken for the batch", name)
		}
	}
}
