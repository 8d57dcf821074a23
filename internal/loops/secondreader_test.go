package loops_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/citeloop/citeloop/internal/llm"
	llmreader "github.com/citeloop/citeloop/internal/llm/reader"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

var fenced = regexp.MustCompile(`(?ms)^----- (R\d+-\d+) (claim|passage \d) begins ([0-9a-f]+) -----\n(.*?)\n----- R\d+-\d+ ` +
	`(?:claim|passage \d) ends`)

var reference = regexp.MustCompile(`(?m)^(R\d+-\d+) passage \d is (R\d+-\d+ passage \d)$`)

// endpoint is a model that sees only the prompt. It responds with the result of answer, or with a status.
type endpoint struct {
	answer   func(verify.ReviewItem) loopstate.ReviewAnswer
	status   int
	cut      bool // the JSON ends within the answers
	requests atomic.Int32
}

func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.requests.Add(1)
	if e.status != 0 {
		w.WriteHeader(e.status)
		return
	}
	var body struct{ Messages []struct{ Content string } }
	if json.NewDecoder(r.Body).Decode(&body) != nil || len(body.Messages) != 2 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var items []verify.ReviewItem
	full := map[string]string{}
	for _, m := range fenced.FindAllStringSubmatch(body.Messages[1].Content, -1) {
		if m[2] == "claim" {
			items = append(items, verify.ReviewItem{Item: m[1], Claim: m[4]})
			continue
		}
		last := &items[len(items)-1]
		last.Passages = append(last.Passages, reader.Passage{Text: m[4]})
		full[m[1]+" "+m[2]] = m[4]
	}
	for _, m := range reference.FindAllStringSubmatch(body.Messages[1].Content, -1) {
		for i := range items {
			if items[i].Item == m[1] {
				items[i].Passages = append(items[i].Passages, reader.Passage{Text: full[m[2]]})
			}
		}
	}
	var answers []map[string]string
	for _, it := range items {
		a := e.answer(it)
		answers = append(answers, map[string]string{"item": it.Item, "quote": a.Quote, "answer": a.Answer})
	}
	text, _ := json.Marshal(map[string]any{"answers": answers})
	if e.cut {
		text = text[:len(text)/2]
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"content": string(text)},
		"finish_reason": "stop"}},
		"usage": map[string]int{"prompt_tokens": 900, "completion_tokens": 100}})
}

// serveReader sets an endpoint as the reader of the service.
func serveReader(t *testing.T, h *harness, e *endpoint) {
	t.Helper()
	server := httptest.NewServer(e)
	t.Cleanup(server.Close)
	h.Service.ClaimReader = &llmreader.Reader{Client: must(llm.New(llm.Config{URL: server.URL, Model: "model-x"}))(t)}
}

// readByModel verifies a claim again with a model as reader.
func readByModel(t *testing.T, h *harness, loop, judge string) verify.Result {
	t.Helper()
	v, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Judge: judge, Claims: []verify.Claim{
		verify.New("Corrosion from salt made it necessary to renew the cables.", "S1"),
		verify.New("The fishing fleet has welcomed the crossing from the very beginning.", "S1")}})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func flagged(v verify.Result, part string) bool {
	for _, f := range v.Flags {
		if strings.HasPrefix(f, loops.FlagNotReviewed) && strings.Contains(f, part) {
			return true
		}
	}
	return false
}

func TestModelReviewsPendingClaims(t *testing.T) {
	t.Parallel()
	for _, judge := range []string{"", loops.JudgeModel} {
		t.Run("judge="+judge, func(t *testing.T) {
			h, loop, before := withReview(t)
			e := &endpoint{answer: honest(t, h, loop)}
			serveReader(t, h, e)
			if v := readByModel(t, h, loop, loops.JudgeNone); e.requests.Load() != 0 || v.Review.Pending != before.Review.Pending {
				t.Fatalf("%d requests with judge none, %d pending", e.requests.Load(), v.Review.Pending)
			}
			v := readByModel(t, h, loop, judge)
			if c := v.Claims[0]; c.Status != loopstate.Grounded || c.Basis() != loopstate.BasisReview || c.Reading == nil ||
				v.Review.Pending != 0 {
				t.Errorf("%s by %q, %d pending, flags %q", c.Status, c.Basis(), v.Review.Pending, v.Flags)
			}
			if c := v.Claims[1]; c.Status == loopstate.Grounded || !c.Contradicted() {
				t.Errorf("a contradicted claim is %s", c.Status)
			}
			r := h.stateOf(loop).Reviews[0]
			if r.Status != loopstate.BatchCounted || len(r.Readers) != 1 ||
				r.Readers[0] != (loopstate.Reader{Kind: loops.ReaderEndpoint, Name: "model-x"}) {
				t.Errorf("batch %s was read by %v", r.Status, r.Readers)
			}
			state, err := h.State(t.Context(), loops.ViewInput{Loop: loop})
			if requests := int(e.requests.Load()); err != nil || state.Remaining.Tokens != loopstate.DefaultTokens-1000*requests {
				t.Errorf("%d tokens are left after %d requests, %v", state.Remaining.Tokens, requests, err)
			}
			asked := e.requests.Load()
			if readByModel(t, h, loop, judge); e.requests.Load() != asked {
				t.Error("what was read is asked again")
			}
		})
	}
}

// A careless model has two void batches, changes nothing, and is not asked again unless demanded.
func TestModelThatDoesNotReadIsVoid(t *testing.T) {
	t.Parallel()
	h, loop, before := withReview(t)
	e := &endpoint{answer: func(it verify.ReviewItem) loopstate.ReviewAnswer {
		return loopstate.ReviewAnswer{Answer: loopstate.AnswerSupported, Quote: strings.Join(strings.Fields(it.Passages[0].Text)[:5], " ")}
	}}
	serveReader(t, h, e)
	v := readByModel(t, h, loop, "")
	if !flagged(v, "batch R1 is void") || !flagged(v, "batch R2 is void") || v.Review.Pending != before.Review.Pending ||
		v.Claims[0].Status != before.Claims[0].Status {
		t.Errorf("%s, %d pending, flags %q", v.Claims[0].Status, v.Review.Pending, v.Flags)
	}
	if n := len(h.stateOf(loop).Reviews); n != 2 {
		t.Errorf("%d batches, want 2", n)
	}
	asked := e.requests.Load()
	if v := readByModel(t, h, loop, ""); e.requests.Load() != asked || !flagged(v, "two void batches") {
		t.Errorf("asked again after two void batches, flags %q", v.Flags)
	}
	if readByModel(t, h, loop, loops.JudgeModel); e.requests.Load() == asked {
		t.Error("not asked although the caller wants it")
	}
}

// After an endpoint fails, its claims stay open, and a later call continues.
func TestModelThatFailsLeavesItemsOpen(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		status int
		cut    bool
	}{"429": {status: http.StatusTooManyRequests}, "500": {status: http.StatusInternalServerError}, "cut JSON": {cut: true}} {
		t.Run(name, func(t *testing.T) {
			h, loop, before := withReview(t)
			e := &endpoint{answer: honest(t, h, loop), status: row.status, cut: row.cut}
			serveReader(t, h, e)
			v := readByModel(t, h, loop, loops.JudgeModel)
			if !flagged(v, "of batch R1 have no answer yet") || v.Review.Batch != "R1" || v.Review.Pending != before.Review.Pending {
				t.Errorf("batch %q, %d pending, flags %q", v.Review.Batch, v.Review.Pending, v.Flags)
			}
			e.status, e.cut = 0, false
			if v := readByModel(t, h, loop, loops.JudgeModel); v.Review.Pending != 0 || len(h.stateOf(loop).Reviews) != 1 {
				t.Errorf("%d pending after the endpoint recovered, flags %q", v.Review.Pending, v.Flags)
			}
		})
	}
}

func TestModelIsNotAskedWithoutTokens(t *testing.T) {
	t.Parallel()
	h, loop, _ := withReview(t)
	e := &endpoint{answer: honest(t, h, loop)}
	serveReader(t, h, e)
	h.update(loop, loopstate.UpdateInput{Usage: loopstate.Usage{Tokens: loopstate.DefaultTokens}})
	if v := readByModel(t, h, loop, loops.JudgeModel); e.requests.Load() != 0 || !flagged(v, "0 tokens left") {
		t.Errorf("%d requests, flags %q", e.requests.Load(), v.Flags)
	}
}

func TestNoModelIsConfigured(t *testing.T) {
	t.Parallel()
	h := newHarness(t)
	loop := h.start("lamps")
	_, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Draft: "A.", Judge: loops.JudgeModel})
	refusal(t, err, "judge", loopstate.CodeNoJudge)
}
