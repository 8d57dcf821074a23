package llm

import (
	"net/http"
	"strings"
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

// mentions reports whether the endpoint's own words contain one of these.
func (e *Error) mentions(words ...string) bool {
	said := strings.ToLower(e.param + " " + e.kind + " " + e.words)
	for _, w := range words {
		if strings.Contains(said, w) {
			return true
		}
	}
	return false
}
