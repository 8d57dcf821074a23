package research

import (
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"
)

// dialect is how an endpoint wants to be asked. The zero dialect is the most demanding one; next leads to what an
// endpoint that refused it may take.
type dialect struct {
	completion    bool // max_completion_tokens in place of max_tokens
	noTemperature bool
	noUsage       bool // without stream_options
}

// request writes the conversation in the dialect. The limit goes out as max_tokens first: local servers ignore
// max_completion_tokens, and would write without end; hosted models that want the new name say so.
func (d dialect) request(model string, answerTokens int, c *conversation) openai.ChatCompletionNewParams {
	r := openai.ChatCompletionNewParams{Model: model}
	if d.completion {
		r.MaxCompletionTokens = openai.Int(int64(answerTokens))
	} else {
		r.MaxTokens = openai.Int(int64(answerTokens))
	}
	if !d.noTemperature {
		r.Temperature = openai.Float(0.2)
	}
	if !d.noUsage {
		r.StreamOptions.IncludeUsage = openai.Bool(true)
	}
	for _, m := range c.messages {
		r.Messages = append(r.Messages, m.param())
	}
	for _, t := range c.tools {
		r.Tools = append(r.Tools, openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: t.name, Description: openai.String(t.description), Parameters: t.parameters}))
	}
	return r
}

func (m message) param() openai.ChatCompletionMessageParamUnion {
	switch m.role {
	case "system":
		return openai.SystemMessage(m.text)
	case "tool":
		return openai.ToolMessage(m.text, m.callID)
	case "user":
		return openai.UserMessage(m.text)
	}
	a := openai.ChatCompletionAssistantMessageParam{}
	if m.text != "" {
		a.Content.OfString = param.NewOpt(m.text)
	}
	for _, c := range m.calls {
		a.ToolCalls = append(a.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{OfFunction: &openai.ChatCompletionMessageFunctionToolCallParam{
			ID: c.ID, Function: openai.ChatCompletionMessageFunctionToolCallFunctionParam{Name: c.Name, Arguments: c.Arguments}}})
	}
	return openai.ChatCompletionMessageParamUnion{OfAssistant: &a}
}

// next is the dialect to try after a refusal, if the refusal names what it does not take.
func (d dialect) next(f *failure) (dialect, bool) {
	switch f.status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnprocessableEntity, http.StatusNotImplemented:
	default:
		return d, false
	}
	if f.tooLong {
		return d, false
	}
	said := strings.ToLower(f.param + " " + f.code + " " + f.words)
	switch {
	case (strings.Contains(said, "max_completion_tokens") || strings.Contains(said, "max_tokens")) && !d.completion:
		d.completion = true
	case strings.Contains(said, "temperature") && !d.noTemperature:
		d.noTemperature = true
	case (strings.Contains(said, "stream_options") || strings.Contains(said, "include_usage")) && !d.noUsage:
		d.noUsage = true
	default:
		return d, false
	}
	return d, true
}
