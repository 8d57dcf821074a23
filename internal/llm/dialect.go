package judge

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/shared"
)

// dialect is how an endpoint wants to be asked. The zero dialect is the most demanding one; next leads to
// what an endpoint that refused it may take.
type dialect struct {
	format        int // index into formats
	completion    bool
	noTemperature bool
}

var formats = [...]string{FormatSchema, FormatObject, FormatPlain}

func (d dialect) formatName() string { return formats[d.format] }

// schema is the answer's shape. It is the same for every question: endpoints that compile schemas do so once. The
// verdict stands last, so that the model gives its reason and its words first.
const schema = `{"type":"object","properties":{
"because":{"type":"string","description":"one sentence of at most 30 words"},
"passage":{"type":"string","description":"the label of the deciding passage, such as P1, or empty"},
"quote":{"type":"string","description":"words of that passage, copied letter for letter, or empty"},
"verdict":{"type":"string","enum":["supported","partly","not_supported","contradicted","cannot_tell"]}
},"required":["because","passage","quote","verdict"],"additionalProperties":false}`

// request writes a prompt in the dialect. The limit goes out as max_tokens first: local servers ignore
// max_completion_tokens, and would write without end; hosted models that want the new name say so.
func (d dialect) request(model string, maxTokens int, p prompt) openai.ChatCompletionNewParams {
	r := openai.ChatCompletionNewParams{
		Model:    model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage(p.system), openai.UserMessage(p.user)},
	}
	if d.completion {
		r.MaxCompletionTokens = openai.Int(int64(maxTokens))
	} else {
		r.MaxTokens = openai.Int(int64(maxTokens))
	}
	if !d.noTemperature {
		r.Temperature = openai.Float(0)
	}
	switch d.formatName() {
	case FormatSchema:
		r.ResponseFormat.OfJSONSchema = &shared.ResponseFormatJSONSchemaParam{JSONSchema: shared.ResponseFormatJSONSchemaJSONSchemaParam{
			Name: "opinion", Strict: openai.Bool(true), Schema: json.RawMessage(schema)}}
	case FormatObject:
		r.ResponseFormat.OfJSONObject = &shared.ResponseFormatJSONObjectParam{}
	}
	return r
}

// next is the dialect to try after a refusal, if the refusal is about the dialect. A refusal that names the
// parameter is believed; one that names nothing is taken for the format, the part that fewest servers know.
func (d dialect) next(r refusal) (dialect, bool) {
	switch r.code {
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity, http.StatusNotImplemented:
	default:
		return d, false
	}
	said := strings.ToLower(r.param + " " + r.kind + " " + r.words)
	mentions := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(said, w) {
				return true
			}
		}
		return false
	}
	switch {
	case mentions("content_filter", "content management policy", "context length", "context_length", "context window", "context size"):
		return d, false
	case mentions("max_completion_tokens", "max_tokens") && !d.completion:
		d.completion = true
		return d, true
	case mentions("temperature") && !d.noTemperature:
		d.noTemperature = true
		return d, true
	}
	aboutFormat := mentions("response_format", "json_schema", "json_object", "json mode", "structured", "schema", "grammar")
	unnamed := r.param == "" && !mentions("model") && r.code != http.StatusNotFound && r.code != http.StatusUnsupportedMediaType
	if (aboutFormat || unnamed) && d.format+1 < len(formats) {
		d.format++
		return d, true
	}
	return d, false
}
