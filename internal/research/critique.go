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

// point is a point of the critic who reads the draft.
type point struct {
	What  words `json:"what"`
	Where words `json:"where"`
	Lines words `json:"lines"`
	Cut   words `json:"cut"`
}

// UnmarshalJSON accepts a plain string, too.
func (p *point) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return json.Unmarshal(data, &p.What)
	}
	type plain point
	return json.Unmarshal(data, (*plain)(p))
}

// recordedPoint is a point of the loop.
type recordedPoint struct {
	ID     string `json:"point_id"`
	What   string `json:"what"`
	Where  string `json:"where"`
	Lines  string `json:"lines"`
	Cut    string `json:"cut"`
	Answer string `json:"answer"`
}

// revision is the author's answer to the points: what becomes of each, and the lines that change.
type revision struct {
	Answers list[struct {
		Point  words `json:"point"`
		Answer words `json:"answer"`
		Why    words `json:"why"`
	}] `json:"answers"`
	Lines list[lineEdit] `json:"lines"`
}

// lineEdit replaces the lines First to Last of the draft, from 1, by a text, which may be empty.
type lineEdit struct {
	First number `json:"first"`
	Last  number `json:"last"`
	Text  words  `json:"text"`
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
	if !r.done("draft-critic") {
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
	brief, err := r.Server.prompt(ctx, "critic", map[string]string{"state_id": r.id})
	if err != nil {
		return false, err
	}
	var got struct {
		Points list[point] `json:"points"`
	}
	c := newConversation(handOverWords, brief+"\n\n"+draftCriticWords, r.passagesTool(), handOver(map[string]any{"points": listOf(objectOf("what", map[string]any{
		"what": textType("the error or lack, what the sources say, what the text should say"), "where": textType("line 12"), "lines": textType("S1:120; S3:7"), "cut": textType("what can go instead")}))}))
	ended, err := r.runUntilHandOver(ctx, "draft critic", c, m, &got, "points")
	if ends(err) {
		return false, err
	}
	if err != nil || ended != "" {
		r.failed("draft critic", "%s", firstWords(ended, err))
		return false, nil
	}
	var points []args
	for _, p := range firstOf(got.Points, maxPoints) {
		if !fits(p.What, maxPointChars) {
			continue
		}
		a := args{"what": string(p.What)}
		for key, text := range map[string]words{"where": p.Where, "lines": p.Lines, "cut": p.Cut} {
			if fits(text, maxPointChars) {
				a[key] = string(text)
			}
		}
		points = append(points, a)
	}
	record := func(step string) error {
		return r.critique(ctx, step, args{"critic": "read", "points": append([]args{}, points...)})
	}
	err = record("draft-critic")
	if refused, ok := errors.AsType[*ToolError](err); ok { // lines that do not exist: the points are still worth an answer
		r.failed("draft critic", "the server rejects it: %s", sanitize.Short(refused.Text, 200))
		for _, p := range points {
			delete(p, "lines")
		}
		r.forget("draft-critic")
		err = record("draft-critic")
	}
	if err != nil {
		return false, err
	}
	r.say(Step, "draft critic", "%s", counted(len(points), "point"))
	return true, nil
}

// critique records what was said about the draft; it closes no round.
func (r *run) critique(ctx context.Context, step string, in args) error {
	in["state_id"], in["operation_id"] = r.id, r.operation(step)
	var out struct {
		Decision decision `json:"decision"`
	}
	if err := r.Server.callTwice(ctx, "loop_reflect", in, &out); err != nil {
		return err
	}
	r.mu.Lock()
	r.decision = out.Decision
	r.mu.Unlock()
	return nil
}

// openPoints returns the points of the loop that have no answer.
func (r *run) openPoints(ctx context.Context) ([]recordedPoint, error) {
	var at struct {
		Loop struct {
			Progress struct {
				Points []recordedPoint `json:"points"`
			} `json:"progress"`
		} `json:"loop"`
	}
	if err := r.Server.callTwice(ctx, "loop_get_state", args{"state_id": r.id, "view": "full"}, &at); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(at.Loop.Progress.Points, func(p recordedPoint) bool { return p.Answer != "" }), nil
}

// revised lets the author answer the points, checks the changed text, and records the answers.
func (r *run) revised(ctx context.Context, m *meter, draft string, points []recordedPoint) (string, error) {
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
	answers := []args{}
	taken := 0
	for _, p := range points {
		a := args{"point": p.ID, "answer": "refused", "why": "the author gave no answer to it"}
		for _, said := range got.Answers {
			if !strings.EqualFold(string(said.Point), p.ID) {
				continue
			}
			switch answer := strings.ToLower(string(said.Answer)); {
			case answer == "taken" && better != draft:
				a = args{"point": p.ID, "answer": answer}
				taken++
			case (answer == "partly" || answer == "refused") && fits(said.Why, maxPointChars):
				a = args{"point": p.ID, "answer": answer, "why": string(said.Why)}
			}
		}
		answers = append(answers, a)
	}
	if err := r.critique(ctx, "draft-answers", args{"answers": answers}); err != nil {
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
func (r *run) askAuthor(ctx context.Context, m *meter, draft string, points []recordedPoint) (got revision, err error) {
	var b strings.Builder
	b.WriteString("THE QUESTION\n" + sanitize.Short(r.question, 2_000) + "\n\nTHE TEXT, each line with its number\n")
	for i, line := range strings.Split(strings.TrimRight(draft, "\n"), "\n") {
		fmt.Fprintf(&b, "%d  %s\n", i+1, line)
	}
	b.WriteString("\nTHE POINTS\n")
	for _, p := range points {
		fmt.Fprintf(&b, "%s %s", p.ID, p.What)
		for _, part := range [][2]string{{"where", p.Where}, {"lines", p.Lines}, {"cut", p.Cut}} {
			if part[1] != "" {
				fmt.Fprintf(&b, " | %s: %s", part[0], part[1])
			}
		}
		b.WriteByte('\n')
	}
	whole := map[string]any{"type": "integer"}
	c := newConversation(answerPointsWords, b.String(), r.passagesTool(), handOver(map[string]any{
		"answers": listOf(objectOf("point", map[string]any{"point": textType("P1"), "answer": textType("taken, partly or refused"), "why": textType("for partly and refused")})),
		"lines":   listOf(objectOf("first", map[string]any{"first": whole, "last": whole, "text": textType("instead of these lines; empty: cut them")}))}))
	ended, err := r.runUntilHandOver(ctx, "author", c, m, &got, "answers")
	if ends(err) {
		return got, err
	}
	if err != nil || ended != "" {
		r.failed("author", "%s", firstWords(ended, err))
	}
	return got, nil
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
