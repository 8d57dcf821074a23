package research

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// point is a point of the critic who reads the draft, and as the loop records it.
type point struct {
	What   words `json:"what" about:"the error or lack, what the sources say, what the text should say"`
	Where  words `json:"where,omitempty" about:"line 12"`
	Lines  words `json:"lines,omitempty" about:"S1:120; S3:7"`
	Cut    words `json:"cut,omitempty" about:"what can go instead"`
	ID     words `json:"point_id,omitempty" about:"-"`
	Answer words `json:"answer,omitempty" about:"-"`
}

// UnmarshalJSON accepts a plain string, too.
func (p *point) UnmarshalJSON(data []byte) error {
	type plain point
	return objectOrText(data, (*plain)(p), &p.What)
}

// objectOrText decodes an object, or a string into one of its fields.
func objectOrText(data []byte, object any, text *words) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, text)
	}
	return json.Unmarshal(data, object)
}

// criticisms are what the critic of a draft hands over.
type criticisms struct {
	Points list[point] `json:"points"`
}

// revision is the author's answer to the points: what becomes of each, and the lines that change.
type revision struct {
	Answers list[pointAnswer] `json:"answers"`
	Lines   list[lineEdit]    `json:"lines"`
}

type pointAnswer struct {
	Point  words `json:"point" about:"P1"`
	Answer words `json:"answer" about:"taken, partly or refused"`
	Why    words `json:"why,omitempty" about:"for partly and refused"`
}

// lineEdit replaces the lines First to Last of the draft, from 1, by a text, which may be empty.
type lineEdit struct {
	First number `json:"first"`
	Last  number `json:"last"`
	Text  words  `json:"text" about:"instead of these lines; empty: cut them"`
}

const (
	maxPoints     = 25
	maxPointChars = 2_000 // as the server takes them

	// criticReadsDraft is the rule of a loop that waits for the critic of its draft.
	criticReadsDraft = "critic_reads_draft"
)

// criticised has a critic in its own conversation read the draft that was just checked, lets the author answer the points, and returns the
// draft as it then is. A critic or author who cannot be used costs the text nothing: the report says that no critic read it.
func (r *run) criticised(ctx context.Context, m *meter, draft string) (string, error) {
	if r.decision.Rule != criticReadsDraft || r.ledger.spentBudget() != "" {
		return draft, nil
	}
	if !r.done("draft-critic") || r.changed != "" { // after changes, the server asks only where most of the text is new
		heard, err := r.hearCritic(ctx, m)
		if err != nil || !heard {
			return draft, err
		}
	}
	points, err := r.openPoints(ctx)
	if err != nil || len(points) == 0 {
		return draft, err
	}
	return r.revised(ctx, m, draft, points)
}

// hearCritic runs the critic and records its points.
func (r *run) hearCritic(ctx context.Context, m *meter) (heard bool, err error) {
	var got criticisms
	if _, why, err := answered(ctx, r, m, "draft critic", "critic", draftCriticWords, &got); err != nil || why != "" {
		return false, err
	}
	points := []point{}
	for _, p := range firstOf(got.Points, maxPoints) {
		if fits(p.What, maxPointChars) {
			where, lines, cut := orNone(p.Where, maxPointChars), orNone(p.Lines, maxPointChars), orNone(p.Cut, maxPointChars)
			points = append(points, point{What: p.What, Where: where, Lines: lines, Cut: cut})
		}
	}
	const step = "draft-critic"
	record := func() error {
		_, err := r.reflect(ctx, step, args{"critic": "read", "points": points})
		return err
	}
	// The server rejects lines that do not exist; the points are still worth an answer.
	err = r.orElse("draft critic", step, record(), func() error {
		for i := range points {
			points[i].Lines = ""
		}
		return record()
	})
	if err != nil {
		return false, err
	}
	r.say(Step, "draft critic", "%s", counted(len(points), "point"))
	return true, nil
}

// openPoints returns the points of the loop that have no answer.
func (r *run) openPoints(ctx context.Context) ([]point, error) {
	var at struct {
		Loop struct {
			Progress struct {
				Points []point `json:"points"`
			} `json:"progress"`
		} `json:"loop"`
	}
	if err := r.Server.callTwice(ctx, "loop_get_state", args{"state_id": r.id, "view": "full"}, &at); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(at.Loop.Progress.Points, func(p point) bool { return p.Answer != "" }), nil
}

// revised lets the author answer the points, checks the changed text, and records the answers.
func (r *run) revised(ctx context.Context, m *meter, draft string, points []point) (string, error) {
	got, err := r.askAuthor(ctx, m, draft, points)
	if err != nil {
		return draft, err
	}
	better := withLines(draft, got.Lines)
	if better != draft {
		if better, err = r.passed(ctx, m, tidied(withoutUnknown(better, r.known))); err != nil {
			if _, unsupported := errors.AsType[*UnsupportedError](err); !unsupported {
				return draft, err
			}
			r.failed("author", "the changed text does not pass: %v", err)
			if better, err = r.passed(ctx, m, draft); err != nil { // so that the text as it stands is the one that was checked last
				return draft, err
			}
		}
	}
	answers := []pointAnswer{}
	taken := 0
	for _, p := range points {
		a := pointAnswer{Point: p.ID, Answer: "refused", Why: "the author gave no answer to it"}
		for _, said := range got.Answers {
			if !strings.EqualFold(string(said.Point), string(p.ID)) {
				continue
			}
			switch answer := words(strings.ToLower(string(said.Answer))); {
			case answer == "taken" && better != draft:
				a = pointAnswer{Point: p.ID, Answer: answer}
				taken++
			case (answer == "partly" || answer == "refused") && fits(said.Why, maxPointChars):
				a = pointAnswer{Point: p.ID, Answer: answer, Why: said.Why}
			}
		}
		answers = append(answers, a)
	}
	if _, err := r.reflect(ctx, "draft-answers", args{"answers": answers}); err != nil {
		return draft, err
	}
	r.say(Step, "author", "%d of %s taken", taken, counted(len(points), "point"))
	r.decided()
	if r.decision.NextAction == finalize {
		r.result.StopReason = r.decision.StopReason
	}
	return better, nil
}

// askAuthor asks for answers and changed lines. An author who cannot be used answers nothing.
func (r *run) askAuthor(ctx context.Context, m *meter, draft string, points []point) (got revision, err error) {
	var b strings.Builder
	b.WriteString("THE QUESTION\n" + sanitize.Short(r.question, 2_000) + "\n\nTHE TEXT, each line with its number\n")
	for i, line := range strings.Split(strings.TrimRight(draft, "\n"), "\n") {
		fmt.Fprintf(&b, "%d  %s\n", i+1, line)
	}
	b.WriteString("\nTHE POINTS\n")
	for _, p := range points {
		fmt.Fprintf(&b, "%s %s", p.ID, p.What)
		for _, part := range [][2]words{{"where", p.Where}, {"lines", p.Lines}, {"cut", p.Cut}} {
			if part[1] != "" {
				fmt.Fprintf(&b, " | %s: %s", part[0], part[1])
			}
		}
		b.WriteByte('\n')
	}
	c := errand[revision](r, answerPointsWords, b.String())
	_, err = r.handedOver(ctx, "author", c, m, &got)
	return got, err
}

// withLines replaces lines of a draft. Of edits that overlap, the first one counts.
func withLines(draft string, edits []lineEdit) string {
	lines := strings.Split(draft, "\n")
	type span struct {
		first, last int
		text        string
	}
	var spans []span
	for _, e := range edits {
		s := span{int(e.First.value), int(e.Last.value), string(e.Text)}
		if s.last == 0 {
			s.last = s.first
		}
		overlaps := slices.ContainsFunc(spans, func(o span) bool { return s.first <= o.last && o.first <= s.last })
		if s.first < 1 || s.last < s.first || s.last > len(lines) || overlaps || len(s.text) > maxDraftChars {
			continue
		}
		spans = append(spans, s)
	}
	slices.SortFunc(spans, func(a, b span) int { return b.first - a.first }) // from the end, so that numbers hold
	for _, s := range spans {
		lines = slices.Replace(lines, s.first-1, s.last, strings.Split(s.text, "\n")...)
	}
	return strings.Join(lines, "\n")
}
