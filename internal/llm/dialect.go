package llm

import (
	"net/http"
)

// dialect is the form of requests that an endpoint accepts. The zero dialect is tried first; next returns another one
// after a refusal.
type dialect struct {
	format        int  // index into formats, for requests with a schema
	completion    bool // max_completion_tokens in place of max_tokens
	noTemperature bool
	noUsage       bool // without stream_options
}

var formats = [...]string{FormatSchema, FormatObject, FormatPlain}

func (d dialect) formatOf(r Request) string {
	if r.Schema == nil {
		return FormatPlain
	}
	return formats[d.format]
}

// next returns the dialect to try after a refusal, if the refusal is about the dialect. If the refusal names a
// parameter, next changes it. Otherwise it changes the format, which the fewest servers support.
func (d dialect) next(e *Error, r Request) (dialect, bool) {
	switch e.status {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusNotImplemented:
	default:
		return d, false
	}
	if e.Code == CodeTooLong || e.Code == CodeFiltered || e.Code == CodeNoTools {
		return d, false
	}
	switch {
	case e.mentions("max_completion_tokens", "max_tokens") && !d.completion:
		d.completion = true
		return d, true
	case e.mentions("temperature") && !d.noTemperature:
		d.noTemperature = true
		return d, true
	case e.mentions("stream_options", "include_usage") && !d.noUsage:
		d.noUsage = true
		return d, true
	}
	aboutFormat := e.mentions("response_format", "json_schema", "json_object", "json mode", "structured", "schema", "grammar")
	unnamed := e.param == "" && !e.mentions("model") && e.status != http.StatusNotFound && e.status != http.StatusUnsupportedMediaType
	if r.Schema != nil && (aboutFormat || unnamed) && d.format+1 < len(formats) {
		d.format++
		return d, true
	}
	return d, false
}

// wire writes a request in the dialect. The limit is sent as max_tokens first: local servers ignore
// max_completion_tokens and would never stop, while hosted models that require the new name say so.
func (d dialect) wire(cfg Config, r Request) object {
	messages := make([]wireMessage, len(r.Messages))
	for i, m := range r.Messages {
		messages[i] = m.wire()
	}
	w := object{"model": cfg.Model, "messages": messages, "stream": true}
	if len(r.Tools) > 0 {
		tools := make([]object, len(r.Tools))
		for i, t := range r.Tools {
			tools[i] = object{"type": "function", "function": t}
		}
		w["tools"] = tools
	}
	if d.completion {
		w["max_completion_tokens"] = cfg.AnswerTokens
	} else {
		w["max_tokens"] = cfg.AnswerTokens
	}
	if !d.noTemperature {
		w["temperature"] = cfg.Temperature
	}
	if !d.noUsage {
		w["stream_options"] = object{"include_usage": true}
	}
	switch format := d.formatOf(r); format {
	case FormatSchema:
		schema := object{"name": r.Schema.Name, "strict": true, "schema": r.Schema.JSON}
		w["response_format"] = object{"type": format, "json_schema": schema}
	case FormatObject:
		w["response_format"] = object{"type": format}
	}
	return w
}
