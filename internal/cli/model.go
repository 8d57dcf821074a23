package cli

import (
	"errors"
	"fmt"

	"github.com/citeloop/citeloop/internal/llm"
)

// modelVars are the environment variables that name one model.
type modelVars struct{ url, model, key, defaultURL string }

var (
	researchVars = modelVars{"CITELOOP_RESEARCH_URL", "CITELOOP_RESEARCH_MODEL", "CITELOOP_RESEARCH_KEY", ""}
	openAIVars   = modelVars{"OPENAI_BASE_URL", "OPENAI_MODEL", "OPENAI_API_KEY", "https://api.openai.com/v1"}
	readerVars   = modelVars{"CITELOOP_READER_URL", "CITELOOP_READER_MODEL", "CITELOOP_READER_KEY", ""}
)

// model is a model from the environment.
type model struct {
	vars      modelVars
	url, name string
	key       llm.Key
}

// readModel returns the first group of variables in which an address or a key is set. Groups are never mixed: a key is
// meant for one address.
func readModel(p Process, groups ...modelVars) model {
	for _, vars := range groups {
		m := model{vars: vars, url: p.env(vars.url), name: p.env(vars.model), key: llm.NewKey(p.env(vars.key))}
		if m.url == "" && !m.key.IsZero() {
			m.url = vars.defaultURL
		}
		if m.url != "" || !m.key.IsZero() {
			return m
		}
	}
	for _, vars := range groups {
		if name := p.env(vars.model); name != "" {
			return model{vars: vars, name: name}
		}
	}
	return model{vars: groups[0]}
}

// readerModel returns the model that reviews claims.
func readerModel(p Process) model { return readModel(p, readerVars) }

const modelExample = `For a model server on this machine:
  CITELOOP_RESEARCH_URL=http://127.0.0.1:11434/v1 CITELOOP_RESEARCH_MODEL=NAME citeloop research …
For a hosted model:
  CITELOOP_RESEARCH_URL=https://api.openai.com/v1 CITELOOP_RESEARCH_MODEL=NAME CITELOOP_RESEARCH_KEY=… citeloop research …`

// researchModel returns the model that research asks, or an error that names the missing setting. The flag is --model.
func researchModel(p Process, flag string) (model, error) {
	m := readModel(p, researchVars, openAIVars, readerVars)
	// The name of a model is not a secret and may come from another group.
	m.name = firstOf(flag, p.env(researchVars.model), m.name)
	switch {
	case m.url == "" && m.key.IsZero():
		return m, errors.New("no model configured: set CITELOOP_RESEARCH_URL and CITELOOP_RESEARCH_MODEL.\n" + modelExample)
	case m.url == "":
		return m, fmt.Errorf("missing %s: %s is set; set the base address that the key is for.\n%s", m.vars.url, m.vars.key, modelExample)
	case m.name == "":
		return m, fmt.Errorf("missing model: set %s or --model to a name that the endpoint in %s serves", m.vars.model, m.vars.url)
	}
	return m, nil
}

// fault replaces the field of a configuration error by its variable.
func (m model) fault(err error) error {
	wrong, ok := errors.AsType[*llm.ConfigError](err)
	if !ok {
		return err
	}
	named := *wrong
	if variable, ok := map[string]string{"URL": m.vars.url, "Model": m.vars.model, "Key": m.vars.key, "AnswerTokens": "--answer-tokens"}[wrong.Setting]; ok {
		named.Setting = variable
	}
	return usageError{&named}
}
