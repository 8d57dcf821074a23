package llm

import "testing"

func TestDialectAfterARefusal(t *testing.T) {
	all := dialect{}
	for _, row := range []struct {
		name string
		now  dialect
		code int
		body string
		want dialect
		ok   bool
	}{
		{"a reasoning model wants the new limit", all, 400, `{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`, dialect{completion: true}, true},
		{"and no temperature", dialect{completion: true}, 400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0 with this model.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`, dialect{completion: true, noTemperature: true}, true},
		{"no schema, said in words", all, 400, `{"error":"'response_format.type' must be 'text' or 'json_object'"}`, dialect{format: 1}, true},
		{"no object either", dialect{format: 1}, 400, `{"error":"'response_format.type' must be 'json_schema' or 'text'"}`, dialect{format: 2}, true},
		{"not implemented", all, 501, `{"detail":"structured outputs are not available"}`, dialect{format: 1}, true},
		{"a router without such a model", all, 404, `{"error":{"message":"No endpoints found that support the requested response_format","code":404}}`, dialect{format: 1}, true},
		{"a validator of forms", all, 422, `{"detail":[{"loc":["body","response_format"],"msg":"extra fields not permitted"}]}`, dialect{format: 1}, true},
		{"no reason given", all, 400, `bad request`, dialect{format: 1}, true},
		{"no reason given, last format", dialect{format: 2}, 400, `bad request`, dialect{format: 2}, false},
		{"no such model", all, 404, `{"error":{"message":"The model 'x' does not exist","code":"model_not_found"}}`, all, false},
		{"no such model, in a 400", all, 400, `{"error":{"message":"model x not found"}}`, all, false},
		{"filtered", all, 400, `{"error":{"message":"The response was filtered due to the prompt triggering content management policy","code":"content_filter"}}`, all, false},
		{"too long", all, 400, `{"error":{"message":"maximum context length is 2048 tokens; max_tokens is too large"}}`, all, false},
		{"another parameter", all, 400, `{"error":{"message":"invalid","param":"messages"}}`, all, false},
		{"rate", all, 429, `{"error":{"message":"max_tokens per minute"}}`, all, false},
		{"broken", all, 500, `{"error":{"message":"response_format"}}`, all, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			c, _ := serve(t, respond(row.code, "application/json", row.body))
			c.dialect.Store(&row.now)
			_, e := c.send(t.Context(), ask(schema), row.now)
			got, ok := row.now.next(e, ask(schema))
			if got != row.want || ok != row.ok {
				t.Errorf("next = %+v, %v, want %+v, %v (%+v)", got, ok, row.want, row.ok, e)
			}
		})
	}
}
