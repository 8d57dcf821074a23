package report

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

// The appendix lists the points of the critic by their answers, the refused ones first and with the author's reason.
func TestCriticism(t *testing.T) {
	d := english(t)
	d.Critic = &Criticism{Readings: []loopstate.CriticReading{{Draft: "ab", Points: 4, Round: 2}}, Points: []loopstate.Point{
		{ID: "P1", What: "The limit is 64.", Where: "line 3", Lines: "S1:120", Critic: 1, Answer: loopstate.PointTaken},
		{ID: "P2", What: "Name the <b>cost</b> *here*.", Critic: 1, Answer: loopstate.PointRefused, Why: "not asked & [long](http://x.example)"},
		{ID: "P3", What: "Drop line 9.", Critic: 1},
		{ID: "P4", What: "Two values.", Lines: "S1:2; S2:7", Critic: 1, Answer: loopstate.PointPartly, Why: "one of them is out of date"}}}
	page, markdown := string(render(t, "html", d)), string(render(t, "markdown", d))
	inOrder(t, markdown, "## What a critic found", "The author answers each point.", "### Refused", `**P2** Name the \<b\>cost\</b\> \*here\*. The author: not asked \& \[long\]`, "### Without an answer", "**P3** Drop line 9.",
		"### Taken in part", "**P4** Two values. (S1:2; S2:7) The author: one of them is out of date", "### Taken\n", "**P1** The limit is 64. (line 3; S1:120)", "## How this was researched")
	inOrder(t, page, `id="critic"`, "<h3>Refused</h3>", "<strong>P2</strong> Name the &lt;b&gt;cost&lt;/b&gt; *here*.", "The author: not asked &amp; [long]", "<h3>Taken</h3>", "<strong>P1</strong>", `id="loop"`)
	var out struct{ Critic Criticism }
	if err := json.Unmarshal(render(t, "json", d), &out); err != nil || len(out.Critic.Points) != 4 || out.Critic.Points[1].Why != d.Critic.Points[1].Why || len(out.Critic.Readings) != 1 {
		t.Errorf("JSON: %+v, %v", out.Critic, err)
	}
	for _, tt := range []struct {
		critic *Criticism
		want   string
	}{
		{&Criticism{Declined: "no time for it"}, "The user wanted no critic: no time for it."},
		{&Criticism{Missing: true}, "No critic has read this text."},
		{&Criticism{Readings: []loopstate.CriticReading{{}}}, "and found nothing to change."},
	} {
		d.Critic = tt.critic
		for _, format := range []string{"markdown", "html"} {
			if got := string(render(t, format, d)); !strings.Contains(got, tt.want) {
				t.Errorf("%s lacks %q", format, tt.want)
			}
		}
	}
	d.Critic = nil
	if got := string(render(t, "markdown", d)) + string(render(t, "html", d)); strings.Contains(got, "critic") {
		t.Error("a loop without a critic has a section on one")
	}
}

func TestCriticismOf(t *testing.T) {
	if got := CriticismOf(&loopstate.State{Complexity: "moderate"}); got != nil {
		t.Errorf("of a loop that read nothing: %+v", got)
	}
	missing := &loopstate.State{Complexity: "moderate", Sources: []loopstate.Source{{ID: "S1"}}}
	if got := CriticismOf(missing); got == nil || !got.Missing || got.Points == nil {
		t.Errorf("of a loop that nobody criticised: %+v", got)
	}
	missing.CriticDeclined = "no time"
	if got := CriticismOf(missing); got == nil || got.Missing || got.Declined != "no time" {
		t.Errorf("of a loop whose user said no: %+v", got)
	}
}

// inOrder checks that a text has parts in this order.
func inOrder(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		i := strings.Index(text, part)
		if i < 0 {
			t.Errorf("%q is missing, or not after the parts before it", part)
			continue
		}
		text = text[i+len(part):]
	}
}
