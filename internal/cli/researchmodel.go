package cli

import (
	"errors"
	"fmt"

	"github.com/citeloop/citeloop/internal/research"
)

// modelPlace is a place in the environment where a model is set up.
type modelPlace struct{ urlVar, modelVar, keyVar, usualURL string }

// modelPlaces are looked at in this order; the first in which an address or a key is set counts, alone: a key is
// meant for one address.
func modelPlaces() []modelPlace {
	return []modelPlace{
		{"CITELOOP_RESEARCH_URL", "CITELOOP_RESEARCH_MODEL", "CITELOOP_RESEARCH_KEY", ""},
		{"OPENAI_BASE_URL", "OPENAI_MODEL", "OPENAI_API_KEY", "https://api.openai.com/v1"},
		{"CITELOOP_JUDGE_URL", "CITELOOP_JUDGE_MODEL", "CITELOOP_JUDGE_KEY", ""},
	}
}

// foundModel is a model as the environment and the flags name it.
type foundModel struct {
	modelPlace
	url, name, key string
}

const modelExample = `A model server on this machine, for example:
  CITELOOP_RESEARCH_URL=http://127.0.0.1:11434/v1 CITELOOP_RESEARCH_MODEL=NAME citeloop research …
a hosted one:
  CITELOOP_RESEARCH_URL=https://api.openai.com/v1 CITELOOP_RESEARCH_MODEL=NAME CITELOOP_RESEARCH_KEY=… citeloop research …`

// modelSettings reads which model is to be asked, and names what is missing.
func modelSettings(p Process, flag string) (foundModel, error) {
	for _, at := range modelPlaces() {
		m := foundModel{modelPlace: at, url: p.env(at.urlVar), key: p.env(at.keyVar)}
		if m.url == "" && m.key == "" {
			continue
		}
		if m.url == "" {
			m.url = at.usualURL
		}
		if m.url == "" {
			return m, fmt.Errorf("%s is set, and %s is not: set it to the base address that the key is for.\n%s", at.keyVar, at.urlVar, modelExample)
		}
		// The name of a model is no secret, and may come from anywhere.
		if m.name = firstOf(flag, p.env("CITELOOP_RESEARCH_MODEL"), p.env(at.modelVar)); m.name == "" {
			return m, fmt.Errorf("no model is named: set %s, or give --model, with a name that the endpoint of %s knows", at.modelVar, at.urlVar)
		}
		return m, nil
	}
	return foundModel{}, errors.New("no model is set up: CITELOOP_RESEARCH_URL is not set, and neither are OPENAI_BASE_URL, OPENAI_API_KEY and CITELOOP_JUDGE_URL.\n" + modelExample)
}

// fault names the variable in place of the field.
func (m foundModel) fault(wrong *research.ConfigError) error {
	variable, ok := map[string]string{"URL": m.urlVar, "Name": m.modelVar, "Key": m.keyVar, "AnswerTokens": "--answer-tokens"}[wrong.Setting]
	if !ok {
		variable = wrong.Setting
	}
	if wrong.Next == "" {
		return fmt.Errorf("%s %s", variable, wrong.Problem)
	}
	return fmt.Errorf("%s %s: %s", variable, wrong.Problem, wrong.Next)
}
