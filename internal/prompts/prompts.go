// Package prompts renders the MCP prompts: one template each under templates/, filled with the state of a loop. It is pure:
// the same loop and arguments give the same text.
//
// Text from people, hosts and web pages is data. It is never parsed as a template, and is within a fence that it cannot
// close. The prompts are in English and request answers in the language of the query.
package prompts

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

//go:embed templates/*.txt
var templates embed.FS

// Prompt is one prompt that a client can list and get.
type Prompt struct {
	Name, Title, Description string
	Arguments                []Argument
	Originals                bool // it has passages of the stored texts: Loop.Passages must be set
	Drafts                   bool // it shows the draft that waits for a critic: Loop.Part must be set if there is one

	view func(l Loop, given map[string]string) any
}

// Argument is an argument of a prompt.
type Argument struct {
	Name, Description string
	Required          bool
}

// Names of arguments.
const (
	ArgStateID = "state_id"
	ArgQuery   = "query"
	ArgAngle   = "angle"
	ArgText    = "text"
)

// All returns the prompts in the order of a round.
func All() []Prompt {
	stateID := Argument{Name: ArgStateID, Description: "the id of the loop", Required: true}
	whole := func(l Loop, _ map[string]string) any { return l }
	return []Prompt{
		{Name: "research", Title: "Research a question in rounds",
			Description: "How to run a loop from the next round to its end, with where it stands now. Give a query to begin, or the " +
				"state_id of a loop to continue.",
			Arguments: []Argument{
				{Name: ArgQuery, Description: "the question, for a new loop"},
				{Name: ArgStateID, Description: "the id of the loop to continue"},
			}, view: whole},
		{Name: "searcher", Title: "Search one angle, blind",
			Description: "The brief of one searcher: the question, the round's target and one angle. It shows nothing of what others " +
				"found.",
			Arguments: []Argument{stateID, {Name: ArgAngle, Description: "one of " + strings.Join(AngleNames(), ", "), Required: true}},
			view:      searcherView},
		{Name: "synthesize", Title: "Write claims, and the text, from what was read",
			Description: "Turns the texts that were read into claims that cite them, resolves contradictions, and sets the form of " +
				"the final text. Carries original passages.",
			Arguments: []Argument{stateID}, Originals: true, view: whole},
		{Name: "critic", Title: "Name what is missing",
			Description: "The critic that ends every round: names the gaps, or signs off. Once a draft was checked, a fresh " +
				"conversation reads the draft as it stands.",
			Arguments: []Argument{stateID}, Originals: true, Drafts: true, view: whole},
		{Name: "reviewer", Title: "Read claims beside their passages, blind",
			Description: "The reader: says by the cited lines alone whether they say the claims. For a fresh subagent that has seen " +
				"nothing of the loop.",
			Arguments: []Argument{stateID}, view: reviewerView},
		{Name: "coverage", Title: "Judge how much is covered",
			Description: "Judges, area by area, how much of the question is really answered; what was looked for and not found does " +
				"not count.",
			Arguments: []Argument{stateID}, view: whole},
		{Name: "continue_report", Title: "Continue a text that was cut",
			Description: "Continues an answer that was cut off, from its last 2,000 characters.",
			Arguments:   []Argument{stateID, {Name: ArgText, Description: "the text that was cut, whole or its end", Required: true}},
			view:        continuationView},
	}
}

// reviewerView has only the id of the loop, because a second reader must not know more.
func reviewerView(l Loop, _ map[string]string) any { return struct{ StateID string }{l.StateID()} }

// Render renders the prompt for a loop, with arguments that passed [Prompt.Check].
func (p Prompt) Render(l Loop, given map[string]string) (string, error) {
	t, err := p.parse()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if err := t.ExecuteTemplate(&b, p.Name+".txt", p.view(l, given)); err != nil {
		return "", fmt.Errorf("prompts: rendering %s: %w", p.Name, err)
	}
	return strings.TrimSpace(b.String()) + "\n", nil
}

func (p Prompt) parse() (*template.Template, error) {
	t := template.New(p.Name)
	fenced := func(part string, data any) (string, error) { // a part that lists data
		var b strings.Builder
		err := t.ExecuteTemplate(&b, part, data)
		return fence(strings.TrimRight(b.String(), "\n")), err
	}
	join := func(names []string) string { return strings.Join(names, ", ") }
	_, err := t.Funcs(template.FuncMap{"fence": fence, "fenced": fenced, "line": sanitize.Short, "join": join}).
		Option("missingkey=error").
		ParseFS(templates, "templates/parts.txt", "templates/lists.txt", "templates/critic_draft.txt", "templates/"+p.Name+".txt")
	if err != nil {
		return nil, fmt.Errorf("prompts: the template of %s: %w", p.Name, err)
	}
	return t, nil
}

// Check validates the arguments before a loop is loaded: the error is a [wording.Mistake]. Unknown ones are left alone.
func (p Prompt) Check(given map[string]string) error {
	has := func(name string) bool { return strings.TrimSpace(given[name]) != "" }
	for _, a := range p.Arguments {
		if a.Required && !has(a.Name) {
			return &wording.Mistake{Argument: a.Name, Problem: "missing", Remedy: "give " + a.Description}
		}
	}
	angle, angled := given[ArgAngle]
	switch {
	case angled && !slices.Contains(AngleNames(), angle):
		return &wording.Mistake{Argument: ArgAngle, Problem: fmt.Sprintf("unknown value: %q", sanitize.Short(angle, 60)),
			Remedy: "use one of " + strings.Join(AngleNames(), ", ")}
	case p.Name == "research" && !has(ArgStateID) && !has(ArgQuery):
		return &wording.Mistake{Argument: ArgQuery, Problem: "missing, and so is state_id",
			Remedy: "give the question as query for a new loop, or the state_id of one to continue"}
	case has(ArgStateID) && has(ArgQuery):
		return &wording.Mistake{Argument: ArgQuery, Problem: "given together with state_id",
			Remedy: "give one of the two: a loop has its question already"}
	}
	return nil
}

// AngleNames returns the angles of searchers.
func AngleNames() []string {
	var names []string
	for _, a := range loopstate.Angles() {
		names = append(names, a.Angle)
	}
	return names
}

// searcherView adds the angle. The template shows nothing of the results of others.
func searcherView(l Loop, given map[string]string) any {
	all := loopstate.Angles()
	i := slices.IndexFunc(all, func(a loopstate.Angle) bool { return a.Angle == given[ArgAngle] })
	return struct {
		Loop
		Angle loopstate.Angle
	}{l, all[i]}
}

func continuationView(l Loop, given map[string]string) any {
	text := given[ArgText]
	return struct {
		Loop
		Excerpt string
		Whole   bool
	}{l, Excerpt(text), LooksComplete(text, l.minReportChars())}
}
