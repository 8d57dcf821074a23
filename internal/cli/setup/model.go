package setup

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/citeloop/citeloop/internal/cli/console"
)

// modelVars are the environment variables that name one model.
type modelVars struct{ Url, Model, key, defaultURL string }

var (
	researchVars = modelVars{"CITELOOP_RESEARCH_URL", "CITELOOP_RESEARCH_MODEL", "CITELOOP_RESEARCH_KEY", ""}
	openAIVars   = modelVars{"OPENAI_BASE_URL", "OPENAI_MODEL", "OPENAI_API_KEY", "https://api.openai.com/v1"}
	readerVars   = modelVars{"CITELOOP_READER_URL", "CITELOOP_READER_MODEL", "CITELOOP_READER_KEY", ""}
)

// Model is a model from the environment.
type Model struct {
	Vars      modelVars
	Url, Name string
	Key       string
}

// readModel returns the first group of variables in which an address or a key is set. Groups are never mixed: a key is
// meant for one address.
func readModel(p console.Process, groups ...modelVars) Model {
	for _, vars := range groups {
		m := Model{Vars: vars, Url: p.Env(vars.Url), Name: p.Env(vars.Model), Key: p.Env(vars.key)}
		if m.Url == "" && m.Key != "" {
			m.Url = vars.defaultURL
		}
		if m.Url != "" || m.Key != "" {
			return m
		}
	}
	return Model{Vars: groups[0], Name: p.Env(groups[0].Model)}
}

const modelExample = `For a model server on this machine:
  CITELOOP_RESEARCH_URL=http://127.0.0.1:11434/v1 CITELOOP_RESEARCH_MODEL=NAME citeloop research …
For a hosted model:
  CITELOOP_RESEARCH_URL=https://api.openai.com/v1 CITELOOP_RESEARCH_MODEL=NAME CITELOOP_RESEARCH_KEY=… citeloop research …`

// ResearchModel returns the model that research asks, or an error that names the missing setting. The flag is --model.
func ResearchModel(p console.Process, flag string) (Model, error) {
	m := readModel(p, researchVars, openAIVars, readerVars)
	// The name of a model is not a secret and may come from another group.
	m.Name = cmp.Or(flag, p.Env(researchVars.Model), m.Name)
	switch {
	case m.Url == "" && m.Key == "":
		return m, errors.New("no model configured: set CITELOOP_RESEARCH_URL and CITELOOP_RESEARCH_MODEL.\n" + modelExample)
	case m.Url == "":
		return m, fmt.Errorf("missing %s: %s is set; set the base address that the key is for.\n%s", m.Vars.Url, m.Vars.key, modelExample)
	case m.Name == "":
		return m, fmt.Errorf("missing model: set %s or --model to a name that the endpoint in %s serves", m.Vars.Model, m.Vars.Url)
	}
	return m, nil
}

// Fault adds the variables of the model to a configuration error.
func (m Model) Fault(err error) error {
	return console.Usage(fmt.Errorf("%s, %s, %s: %w", m.Vars.Url, m.Vars.Model, m.Vars.key, err))
}
