package loopstate

import "testing"

func (h *history) draft(text, verdict string) {
	h.t.Helper()
	p, err := h.state.Verify(VerifyInput{Verdict: verdict, Draft: true, Final: true, Text: text, TextHash: HashText([]byte(text)).String()})
	h.must(p, err)
}

// The delivered text is the last verified draft. A draft that failed does not replace a better one of the same round.
func TestDeliveredDraft(t *testing.T) {
	h := begin(t, StartInput{Query: "q"})
	is := func(text, verdict string, round int) {
		t.Helper()
		for _, s := range []*State{h.state, restored(t, h.state)} {
			d := s.Draft
			if d == nil || d.SHA256 != HashText([]byte(text)).String() || d.Verdict != verdict || d.Round != round || d.Chars != len(text) {
				t.Errorf("the delivered draft is %+v, want %q", d, text)
			}
		}
	}
	h.verify(Grounded, ClaimInput{Claim: "a list of claims"})
	if h.state.Draft != nil {
		t.Errorf("claims are no draft: %+v", h.state.Draft)
	}
	h.draft("first", "fail")
	is("first", "fail", 1)
	h.draft("second", "fail")
	is("second", "fail", 1)
	h.draft("third", "pass")
	is("third", "pass", 1)
	h.draft("an experiment", "fail")
	is("third", "pass", 1)
	h.draft("waits", "review")
	is("waits", "review", 1)
	h.close(CloseInput{})
	h.draft("of the next round", "fail")
	is("of the next round", "fail", 2)

	p, err := h.state.Verify(VerifyInput{Verdict: "pass", Draft: true, Final: true}) // as older versions recorded it
	h.must(p, err)
	is("of the next round", "fail", 2)
}
