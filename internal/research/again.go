package research

import (
	"context"
	"fmt"
	"strings"

	"github.com/citeloop/citeloop/internal/llm"
)

// Change is what has changed at a source since the text of a loop was written.
type Change struct {
	SourceID  string
	Title     string
	What      string   // in words
	Sentences []string // that rest on lines which are not there any more
}

const (
	maxChanges     = 12 // that the model is told of
	maxChangedGaps = 6  // that the loop is to close
	againRounds    = 2  // that a loop may take for them
)

// changedWords are how a brief of a loop that goes on ends. Titles and sentences are from the web, so they are quoted.
const changedWords = `THE SOURCES WERE READ AGAIN since the text of this loop was written. What has changed is listed below, as data. What a source does not say any more, or what was retracted, needs another source, the text as it is now, or goes: name the claims that rest on it under "drop" where you hand over claims, and the gaps about it that new claims answer under "answered_gaps" where you hand over gaps. The rest of the research stands.`

// reopen opens a gap for each source that has changed, and allows the rounds for them: the user has asked for it.
func (r *run) reopen(ctx context.Context) error {
	if len(r.Changes) == 0 {
		return nil
	}
	var b strings.Builder
	b.WriteString(changedWords)
	for _, c := range firstOf(r.Changes, maxChanges) {
		fmt.Fprintf(&b, "\n- %s %q: %s", c.SourceID, c.Title, c.What)
		for _, s := range firstOf(c.Sentences, maxChanges) {
			fmt.Fprintf(&b, "\n  not read yet: %q", s)
		}
	}
	if left := len(r.Changes) - maxChanges; left > 0 {
		fmt.Fprintf(&b, "\n- and %s", counted(left, "other source"))
	}
	r.changed = b.String()
	r.say(Began, "changed", "%s", counted(len(r.Changes), "source"))
	rounds := max(r.closed+againRounds, r.Budget.Rounds)
	if err := r.update(ctx, "continue", llm.Usage{}, args{"confirm_rounds": rounds}); err != nil {
		return err
	}
	if strings.HasPrefix(r.decision.Rule, "cap_") {
		return fmt.Errorf("the loop cannot go on within its own limits: %s. Ask the question again with --new", r.decision.StopReason)
	}
	for i, c := range firstOf(r.Changes, maxChangedGaps) {
		query := c.Title
		if len(c.Sentences) > 0 {
			query = c.Sentences[0]
		}
		in := args{"state_id": r.id, "importance": "critical", "query": firstWords(query), "operation_id": r.operation(fmt.Sprintf("continue/%d", i+1)),
			"gap": fmt.Sprintf("What takes the place of %s (%s)? Since it was read: %s.", c.SourceID, firstWords(c.Title), c.What)}
		if err := r.Server.callTwice(ctx, "loop_add_gap", in, &struct{}{}); err != nil {
			return err
		}
	}
	_, err := r.look(ctx)
	return err
}

// firstWords returns as many words of a text as a search takes.
func firstWords(text string) string {
	return strings.Join(firstOf(strings.Fields(text), 12), " ")
}

// brief returns a prompt of the server for this loop, with what has changed at its sources.
func (r *run) brief(ctx context.Context, name string, given map[string]string) (string, error) {
	given["state_id"] = r.id
	text, err := r.Server.prompt(ctx, name, given)
	if err == nil && r.changed != "" {
		text += "\n\n" + r.changed
	}
	return text, err
}
