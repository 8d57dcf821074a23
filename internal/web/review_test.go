package web

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

const bridge = `The bridge at Port Arden was opened to lorries in 1987 after nine years of work. It carries about 4,200 lorries a day in summer and 1,900 a day in winter.
The town council paid 61 percent of the cost and the province paid the rest. Engineers recommended a yearly inspection of the cables on the eastern side.
The cables were replaced in 2006 because salt had weakened the steel. Most of the lorries carry herring from the harbour to the railway at Holm.
The speed limit on the bridge is 60 kilometres per hour for all vehicles. Cyclists may cross the bridge on the northern lane between May and October.
In 2011 a storm closed the bridge for 12 days and cost the port 3 million crowns. The ferry that the bridge replaced needed 40 minutes for the same crossing.
Maria Holt designed the bridge and Jonas Berg supervised the building of it. The toll of 25 crowns was abolished in 2015 after a vote in the province.
A second bridge is planned for 2031 if the province agrees to pay for it. Fishermen opposed the bridge at first because the channel became narrower.`

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

func hidden(body, name string) string {
	m := regexp.MustCompile(`name="` + name + `" value="([^"]*)"`).FindStringSubmatch(body)
	if m == nil {
		return ""
	}
	return html.UnescapeString(m[1])
}

// A person reviews a whole batch with plain forms, and the page shows what changed.
func TestReviewByForms(t *testing.T) {
	for name, row := range map[string]struct {
		answer func(planted bool) string
		want   []string
	}{
		"a good reader": {func(planted bool) string {
			if planted {
				return loopstate.AnswerContradicted
			}
			return loopstate.AnswerSupported
		}, []string{": counted</h1>", "The answers count.", "What changed", "Corrosion from salt", "→", "No claim is left to read."}},
		"a reader who supports everything": {func(bool) string { return loopstate.AnswerSupported },
			[]string{": void</h1>", "0 of ", "it changed nothing", "2 claims not read yet.</strong>", ">Begin</button>"}},
	} {
		t.Run(name, func(t *testing.T) {
			h := newFixture(t, nil)
			loop := h.toReview(t)
			v, at := h.inside(t), Root+"loops/"+loop
			if _, body := v.get(at); !strings.Contains(body, `2 claims not read yet. <a href="`+at+`/review">`) {
				t.Error("the loop's page does not lead to the review")
			}
			before := h.version(t, loop)
			if _, body := v.get(at + "/review"); !strings.Contains(body, ">Begin</button>") || h.version(t, loop) != before {
				t.Error("viewing the review started it, or it cannot start")
			}
			_, body := v.send(at+"/review", url.Values{"act": {"begin"}})
			logged, items := h.reviewItems(t, loop), 0
			for ; hidden(body, "item") != ""; items++ {
				if items > loopstate.MaxReviewItems {
					t.Fatal("the review does not end")
				}
				item := hidden(body, "item")
				// A claim that names a speaker has the source's title above its first passage; others have not.
				titled := slices.ContainsFunc(logged[item].Passages, func(p loopstate.ReviewWindow) bool { return strings.Contains(p.Heading, "secret title") })
				if strings.Contains(body, "secret title") != titled || strings.Contains(body, ">planted<") || strings.Contains(body, "<mark>") {
					t.Fatalf("an item shows a role, a marked sentence, or the title of an item that has none: %s", body)
				}
				_, body = v.send(at+"/review", url.Values{"batch": {hidden(body, "batch")}, "item": {item}, "answer": {row.answer(logged[item].Role == loopstate.ReviewPlanted)}})
			}
			if items != len(logged) || !strings.Contains(body, "items are answered") {
				t.Fatalf("%d of %d items: %s", items, len(logged), body)
			}
			_, body = v.send(at+"/review", url.Values{"act": {"finish"}})
			for _, want := range row.want {
				if !strings.Contains(body, want) {
					t.Errorf("the result lacks %q: %s", want, body)
				}
			}
		})
	}
}

func (h fixture) version(t *testing.T, loop string) int64 {
	t.Helper()
	p, err := h.svc.Revision(t.Context(), loop)
	if err != nil {
		t.Fatal(err)
	}
	return p.Version
}

// The last answer is held until the next one: it can be undone and is not in the log.
func TestUndoTheLastAnswer(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.toReview(t)
	v, at := h.inside(t), Root+"loops/"+loop+"/review"
	_, body := v.send(at, url.Values{"act": {"begin"}})
	first, batch, before := hidden(body, "item"), hidden(body, "batch"), h.version(t, loop)
	_, body = v.send(at, url.Values{"batch": {batch}, "item": {first}, "answer": {"not_stated"}})
	if second := hidden(body, "item"); second == first || !strings.Contains(body, "2 of ") || !strings.Contains(body, "Undo the last answer") || h.version(t, loop) != before {
		t.Fatalf("after the first answer: item %s, version %d", second, h.version(t, loop)-before)
	}
	if _, body = v.send(at, url.Values{"act": {"undo"}}); hidden(body, "item") != first || strings.Contains(body, "Undo the last answer") || h.version(t, loop) != before {
		t.Errorf("after undo: item %s", hidden(body, "item"))
	}
	_, body = v.send(at, url.Values{"batch": {batch}, "item": {first}, "answer": {"not_stated"}})
	v.send(at, url.Values{"batch": {batch}, "item": {hidden(body, "item")}, "answer": {"not_stated"}})
	if got := h.version(t, loop); got != before+1 {
		t.Errorf("two answers recorded %d events, want 1: the second is held", got-before)
	}
}

func TestReviewRefusals(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.toReview(t)
	v, at := h.inside(t), Root+"loops/"+loop+"/review"
	_, body := v.send(at, url.Values{"act": {"begin"}})
	item, batch := hidden(body, "item"), hidden(body, "batch")
	for _, row := range []struct {
		name   string
		form   url.Values
		status int
		want   string
	}{
		{"words that no passage has", url.Values{"batch": {batch}, "item": {item}, "answer": {"supported"}, "quote": {"<b>no such words</b>"}}, http.StatusUnprocessableEntity, "These words are not in the passages."},
		{"an unknown answer", url.Values{"batch": {batch}, "item": {item}, "answer": {"yes"}}, http.StatusUnprocessableEntity, "not_stated"},
		{"an unknown batch", url.Values{"batch": {"R9"}, "item": {item}, "answer": {"supported"}}, http.StatusUnprocessableEntity, "review again"},
		{"an unknown item", url.Values{"batch": {batch}, "item": {"R1-99"}, "answer": {"supported"}}, http.StatusOK, "1 of "},
	} {
		status, body := v.send(at, row.form)
		if status != row.status || !strings.Contains(strings.ToLower(body), strings.ToLower(row.want)) {
			t.Errorf("%s: %d, want %d and %q in %s", row.name, status, row.status, row.want, body)
		}
		if strings.Contains(body, "<b>no such") {
			t.Errorf("%s: the sent text became markup", row.name)
		}
	}
}
