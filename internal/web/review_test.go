package web

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

const bridge = `The bridge at Port Arden was opened to lorries in 1987 after nine years of work. It carries about 4,200 lorries a day ` +
	`in summer and 1,900 a day in winter.
The town council paid 61 percent of the cost and the province paid the rest. Engineers recommended a yearly inspection of the cables on ` +
	`the eastern side.
The cables were replaced in 2006 because salt had weakened the steel. Most of the lorries carry herring from the harbour to the railway ` +
	`at Holm.
The speed limit on the bridge is 60 kilometres per hour for all vehicles. Cyclists may cross the bridge on the northern lane between ` +
	`May and October.
In 2011 a storm closed the bridge for 12 days and cost the port 3 million crowns. The ferry that the bridge replaced needed 40 minutes ` +
	`for the same crossing.
Maria Holt designed the bridge and Jonas Berg supervised the building of it. The toll of 25 crowns was abolished in 2015 after a vote ` +
	`in the province.
A second bridge is planned for 2031 if the province agrees to pay for it. Fishermen opposed the bridge at first because the channel ` +
	`became narrower.`

// toReview returns a loop with two claims that wait for a reader.
func (h fixture) toReview(t *testing.T) string {
	t.Helper()
	started, err := h.svc.Start(t.Context(), loopstate.StartInput{Query: "How important is the bridge at Port Arden?"})
	if err != nil {
		t.Fatal(err)
	}
	h.paste(t, t.Context(), started.StateID, "The secret title of the source", bridge)
	v, err := h.svc.Verify(t.Context(), loops.VerifyInput{Loop: started.StateID, Claims: []verify.Claim{
		verify.New("Corrosion from salt made it necessary to renew the cables.", "S1"),
		verify.New("Heavy goods traffic more than doubles in the warm season.", "S1"),
	}})
	if err != nil || v.Review.Pending != 2 {
		t.Fatalf("%d pending: %v", v.Review.Pending, err)
	}
	return started.StateID
}

// reviewItems are the items of the batches of a loop, as the log has them.
func (h fixture) reviewItems(t *testing.T, loop string) map[string]loopstate.ReviewItem {
	t.Helper()
	out := map[string]loopstate.ReviewItem{}
	for e, err := range h.svc.Store.Load(t.Context(), loop, 0) {
		if err != nil {
			t.Fatal(err)
		}
		p, err := loopstate.Decode(e)
		if err != nil {
			t.Fatal(err)
		}
		if opened, ok := p.(*loopstate.ReviewOpened); ok {
			for _, it := range opened.Items {
				out[it.Item] = it
			}
		}
	}
	return out
}

// itemsOf returns the items that a page shows, with their batch.
func itemsOf(body string) (batch string, items []string) {
	for _, m := range regexp.MustCompile(`name="batch" value="([^"]*)"><input type="hidden" name="item" `+
		`value="([^"]*)"`).FindAllStringSubmatch(body, -1) {
		batch, items = m[1], append(items, html.UnescapeString(m[2]))
	}
	return batch, items
}

// A person reviews a whole batch with plain forms: each answer is in the log at once, a void batch stays void, and the result names the
// tests that were not told apart.
func TestReviewByForms(t *testing.T) {
	for name, row := range map[string]struct {
		planted string
		want    []string
	}{
		"a good reader": {loopstate.AnswerContradicted, []string{"The last review counts", "Every claim has been read"}},
		"a reader who supports everything": {loopstate.AnswerSupported, []string{"is void: it changed nothing", "Not told apart:",
			"it is false", "2 claims not read yet", ">Begin</button>"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newFixture(t, nil)
			loop := h.toReview(t)
			v, at := h.inside(t), Root+"loops/"+loop+"/review"
			before := h.version(t, loops.LocalOwner, loop)
			if _, body := v.get(at); !strings.Contains(body, ">Begin</button>") || h.version(t, loops.LocalOwner, loop) != before {
				t.Error("viewing the review started it, or it cannot start")
			}
			_, body := v.send(at, url.Values{"act": {"begin"}})
			logged := h.reviewItems(t, loop)
			batch, items := itemsOf(body)
			if len(items) != len(logged) || !strings.Contains(body, `data-n="2"`) || strings.Contains(body, loopstate.ReviewPlanted) {
				t.Fatalf("%d of %d items are shown, or their lines have no numbers, or their roles are shown: %s", len(items), len(logged),
					body)
			}
			for i, item := range items {
				answer := loopstate.AnswerSupported
				if logged[item].Role == loopstate.ReviewPlanted {
					answer = row.planted
				}
				was := h.version(t, loops.LocalOwner, loop)
				_, body = v.send(at, url.Values{"batch": {batch}, "item": {item}, "answer": {answer}})
				if h.version(t, loops.LocalOwner, loop) == was {
					t.Fatalf("answer %d is not in the log", i)
				}
				if _, left := itemsOf(body); len(left) != len(items)-i-1 {
					t.Fatalf("after %d of %d answers %d items are left", i+1, len(items), len(left))
				}
			}
			inOrder(t, body, row.want...)
			was := h.version(t, loops.LocalOwner, loop)
			v.send(at, url.Values{"batch": {batch}, "item": {items[0]}, "answer": {loopstate.AnswerNotStated}})
			if h.version(t, loops.LocalOwner, loop) != was {
				t.Error("a closed batch took another answer")
			}
		})
	}
}

func (h fixture) version(t *testing.T, owner, loop string) int64 {
	t.Helper()
	p, err := h.svc.Revision(loops.WithOwner(t.Context(), owner), loop)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestReviewRefusals(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.toReview(t)
	v, at := h.inside(t), Root+"loops/"+loop+"/review"
	_, body := v.send(at, url.Values{"act": {"begin"}})
	batch, items := itemsOf(body)
	for _, row := range []struct {
		name   string
		form   url.Values
		status int
		want   string
	}{
		{"words that no passage has", url.Values{"batch": {batch}, "item": {items[0]}, "answer": {"supported"},
			"quote": {"<b>no such words</b>"}}, http.StatusUnprocessableEntity, "these words are not in the lines"},
		{"an unknown answer", url.Values{"batch": {batch}, "item": {items[0]}, "answer": {"yes"}}, http.StatusUnprocessableEntity,
			"not_stated"},
		{"an unknown batch", url.Values{"batch": {"R9"}, "item": {items[0]}, "answer": {"supported"}}, http.StatusUnprocessableEntity,
			"review again"},
		{"an unknown item", url.Values{"batch": {batch}, "item": {"R1-99"}, "answer": {"supported"}}, http.StatusOK, "0 of "},
	} {
		status, body := v.send(at, row.form)
		if status != row.status || !strings.Contains(strings.ToLower(body), strings.ToLower(row.want)) ||
			strings.Contains(body, "<b>no such") {
			t.Errorf("%s: %d, want %d and %q in %s", row.name, status, row.status, row.want, body)
		}
	}
}
