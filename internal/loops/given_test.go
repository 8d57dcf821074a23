package loops_test

import (
	"testing"

	"github.com/citeloop/citeloop/internal/grounding"
	"github.com/citeloop/citeloop/internal/grounding/citing"
	"github.com/citeloop/citeloop/internal/loops"
)

// The check knows the publisher and the authors of a page, who make its claims, and the names in the question.
func TestQuestionAndPublisherReachTheCheck(t *testing.T) {
	h := newHarness(t)
	loop := h.start("What do adults in Norway need to know about flu shots?")
	h.web.put("https://www.cdc.gov/flu", "Flu season", "Adults over 65 should get a flu shot before the end of October. The shot takes two weeks to work.")
	page := h.web.pages["https://www.cdc.gov/flu"]
	page.Publisher, page.Authors = "CDC", []string{"Ines Halvard"}
	h.web.pages["https://www.cdc.gov/flu"] = page
	h.read(loop, "https://www.cdc.gov/flu")
	v, err := h.Verify(t.Context(), loops.VerifyInput{Loop: loop, Claims: []citing.Claim{
		citing.New("According to the CDC, adults over 65 should get a flu shot before the end of October.", "S1"),
		citing.New("In Norway, adults over 65 should get a flu shot before the end of October.", "S1"),
		citing.New("According to the WHO, adults over 65 should get a flu shot before the end of October.", "S1"),
		citing.New("In Sweden, adults over 65 should get a flu shot before the end of October.", "S1"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	for i, grounded := range []bool{true, true, false, false} {
		if c := v.Claims[i]; (c.Status == grounding.Grounded) != grounded {
			t.Errorf("%s: %s, want grounded %v: %s", c.Text, c.Status, grounded, c.Because)
		}
	}
}
