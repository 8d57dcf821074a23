package loops_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verdict"
	"github.com/citeloop/citeloop/loopstate"
)

// A reader answers about the sentences whose lines have changed beside the text as it is now, and the recheck compares both answers:
// at once if a model is configured, otherwise after somebody has read them.
func TestReadingsThatTurned(t *testing.T) {
	t.Parallel()
	const (
		replaced = "The cables were replaced in 2006."
		toll     = "A toll of 25 crowns was abolished by a vote."
		ferry    = "The ferry needed 40 minutes."
	)
	for _, by := range []string{loops.ReaderEndpoint, loops.ReaderHost} {
		t.Run(by, func(t *testing.T) {
			h := newHarness(t)
			loop, page := h.start("How important is the bridge?"), strings.ReplaceAll(bridgeText, "\n", "\n\n")
			h.web.put("https://example.org/bridge", "The bridge", page)
			h.read(loop, "https://example.org/bridge")
			readThrough(t, h, loops.VerifyInput{Loop: loop, Final: true, Coverage: loopstate.CoverageAll,
				Draft: replaced[:len(replaced)-1] + " [S1:9].\n\n" + toll[:len(toll)-1] + " [S1:23].\n\n" + ferry[:len(ferry)-1] + " [S1:19].\n\n" + replaced[:len(replaced)-1] + " [S1:9].\n"}, nil)
			delivered, good := h.stateOf(loop).Draft.SHA256, honest(t, h, loop)
			answer := func(it verdict.ReviewItem) loopstate.ReviewAnswer {
				a := good(it)
				if it.Claim == replaced {
					a = loopstate.ReviewAnswer{Answer: loopstate.AnswerContradicted, Quote: "The cables were replaced in 2011"}
				}
				return a
			}
			model := &endpoint{answer: answer}
			if by == loops.ReaderEndpoint {
				serveReader(t, h, model)
			}
			h.web.put("https://example.org/bridge", "The bridge", strings.NewReplacer("replaced in 2006", "replaced in 2011", "The toll of 25 crowns was abolished in 2015",
				"In 2015 the toll of 25 crowns was abolished").Replace(page))
			recheck := func() map[string]loops.WaitingSentence { // one sentence is there twice
				t.Helper()
				r, err := h.Recheck(t.Context(), loop, nil)
				if err != nil || r.ExitCode() != 1 || len(r.Flags) > 0 {
					t.Fatalf("code %d, flags %q: %v", r.ExitCode(), r.Flags, err)
				}
				out := map[string]loops.WaitingSentence{}
				for _, w := range r.Sentences {
					if first, ok := out[w.Text]; ok && first != w {
						t.Errorf("the same sentence is answered as %+v and as %+v", first, w)
					}
					out[w.Text] = w
				}
				return out
			}
			if by == loops.ReaderEndpoint { // which is down at first
				model.status = http.StatusInternalServerError
				r, err := h.Recheck(t.Context(), loop, nil)
				if err != nil || len(r.Sentences) != 3 || r.Sentences[0].Now != "" || len(r.Flags) != 1 || !strings.HasPrefix(r.Flags[0], loops.FlagNotReviewed) {
					t.Errorf("without an answer of the reader: %+v, flags %q: %v", r.Sentences, r.Flags, err)
				}
				model.status = 0
			}
			waiting := recheck()
			if len(waiting) != 2 || waiting[ferry].Text != "" {
				t.Errorf("sentences that wait: %+v", waiting)
			}
			if by == loops.ReaderHost {
				for text, w := range waiting {
					if w.Before != loopstate.AnswerSupported || w.Now != "" || w.Turned || !strings.HasPrefix(w.NowLines, "S2:") {
						t.Errorf("before anybody has read %q: %+v", text, w)
					}
				}
				answerAll(t, h, loop, answer)
				waiting = recheck()
			}
			for text, want := range map[string]string{replaced: loopstate.AnswerContradicted, toll: loopstate.AnswerSupported} {
				w := waiting[text]
				if w.Before != loopstate.AnswerSupported || w.Now != want || w.Turned != (want != w.Before) || !strings.HasPrefix(w.NowLines, "S2:") {
					t.Errorf("%q: %+v, want %s", text, w, want)
				}
			}
			if w := waiting[replaced]; w.NowSays != "The cables were replaced in 2011" || !strings.Contains(w.Passage, "2006") {
				t.Errorf("it turned from %q by %q", w.Passage, w.NowSays)
			}
			was, asked := h.view(loops.ViewInput{Loop: loop}).Version, model.requests.Load()
			if recheck(); h.view(loops.ViewInput{Loop: loop}).Version != was || model.requests.Load() != asked {
				t.Error("what was read is asked or recorded again")
			}
			if st := h.stateOf(loop); len(st.Claims) != 0 || st.Draft.SHA256 != delivered {
				t.Errorf("the loop's claims are %v, its text %v", st.Claims, st.Draft)
			}
		})
	}
}

// A file that was named by its path is read again by its address.
func TestRecheckOfAPath(t *testing.T) {
	t.Parallel()
	const path, at = "/notes/bridge.md", "file:///notes/bridge.md"
	h := newHarness(t)
	loop := h.start("How important is the bridge?")
	h.web.put(path, "The bridge", bridgeText)
	h.web.put(at, "The bridge", bridgeText)
	h.web.pages[path] = h.web.pages[at]
	h.read(loop, path)
	r, err := h.Recheck(t.Context(), loop, nil)
	if err != nil || r.Counts[loopstate.RereadSame] != 1 || r.NotRead != 0 {
		t.Errorf("counts %v, %d not read: %v", r.Counts, r.NotRead, err)
	}
}
