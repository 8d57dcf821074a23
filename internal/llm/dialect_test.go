package judge

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

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
			r := readRefusal(&http.Response{StatusCode: row.code, Header: http.Header{}}, []byte(row.body), Key{}, time.Time{})
			got, ok := row.now.next(r)
			if got != row.want || ok != row.ok {
				t.Errorf("next = %+v, %v, want %+v, %v (refusal %+v)", got, ok, row.want, row.ok, r)
			}
		})
	}
}

// Whatever an endpoint says, the dialects come to an end.
func TestDialectsEnd(t *testing.T) {
	for _, words := range []string{"", "temperature", "max_tokens", "response_format", "temperature max_tokens response_format", "schema"} {
		d, steps := dialect{}, 0
		for ok := true; ok; steps++ {
			if steps > 5 {
				t.Fatalf("%q: no end at %+v", words, d)
			}
			d, ok = d.next(refusal{code: 400, words: words})
		}
	}
}

func TestRequestOnTheWire(t *testing.T) {
	var schemaAsSent bytes.Buffer
	if err := json.Compact(&schemaAsSent, []byte(schema)); err != nil {
		t.Fatal(err)
	}
	const messages = `"messages":[{"content":"sys","role":"system"},{"content":"ask","role":"user"}],"model":"m"`
	for _, row := range []struct {
		name string
		d    dialect
		want string
	}{
		{"schema", dialect{}, `{` + messages + `,"max_tokens":99,"temperature":0,"response_format":{"json_schema":{"name":"opinion","strict":true,"schema":` + schemaAsSent.String() + `},"type":"json_schema"}}`},
		{"object", dialect{format: 1, completion: true}, `{` + messages + `,"max_completion_tokens":99,"temperature":0,"response_format":{"type":"json_object"}}`},
		{"plain", dialect{format: 2, noTemperature: true}, `{` + messages + `,"max_tokens":99}`},
	} {
		t.Run(row.name, func(t *testing.T) {
			sent, err := json.Marshal(row.d.request("m", 99, prompt{system: "sys", user: "ask"}))
			if err != nil {
				t.Fatal(err)
			}
			var got, want any
			if err := json.Unmarshal(sent, &got); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(row.want), &want); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestRefusalMeans(t *testing.T) {
	now := time.Date(2026, 5, 4, 10, 0, 0, 0, time.UTC)
	for _, row := range []struct {
		name         string
		code         int
		header       http.Header
		body         string
		message      string
		retry, final bool
		after        time.Duration
	}{
		{"wrong key, echoed", 401, nil, `{"error":{"message":"Incorrect API key provided: sk-proj-****d2E1b8."}}`, "the endpoint does not accept the key (401 Unauthorized)", false, true, 0},
		{"no credit", 402, nil, `{"error":{"message":"top up"}}`, "the account has no credit (402 Payment Required): top up", false, true, 0},
		{"quota", 429, nil, `{"error":{"message":"You exceeded your quota","code":"insufficient_quota"}}`, "the account has no credit (429 Too Many Requests): You exceeded your quota", false, true, 0},
		{"rate, seconds", 429, http.Header{"Retry-After": {"7"}}, `{"error":{"message":"slow down"}}`, "the endpoint limits the rate (429 Too Many Requests): slow down", true, false, 7 * time.Second},
		{"rate, milliseconds first", 429, http.Header{"Retry-After-Ms": {"1500"}, "Retry-After": {"2"}}, ``, "the endpoint limits the rate (429 Too Many Requests)", true, false, 1500 * time.Millisecond},
		{"rate, date", 429, http.Header{"Retry-After": {"Mon, 04 May 2026 10:00:09 GMT"}}, ``, "the endpoint limits the rate (429 Too Many Requests)", true, false, 9 * time.Second},
		{"rate, date by the endpoint's clock", 429, http.Header{"Retry-After": {"Mon, 04 May 2026 12:00:09 GMT"}, "Date": {"Mon, 04 May 2026 12:00:05 GMT"}}, ``, "the endpoint limits the rate (429 Too Many Requests)", true, false, 4 * time.Second},
		{"rate, a date gone by", 429, http.Header{"Retry-After": {"Mon, 04 May 2020 10:00:09 GMT"}}, ``, "the endpoint limits the rate (429 Too Many Requests)", true, false, 0},
		{"rate, nonsense", 429, http.Header{"Retry-After": {"soon"}}, ``, "the endpoint limits the rate (429 Too Many Requests)", true, false, 0},
		{"rate, for ever", 429, http.Header{"Retry-After": {"1e300"}}, ``, "the endpoint limits the rate (429 Too Many Requests)", true, false, 24 * time.Hour},
		{"rate, not a number", 429, http.Header{"Retry-After": {"NaN"}}, ``, "the endpoint limits the rate (429 Too Many Requests)", true, false, 0},
		{"broken", 503, nil, `<html>busy</html>`, "the endpoint failed (503 Service Unavailable)", true, false, 0},
		{"an unknown status", 529, nil, `{"message":"overloaded"}`, "the endpoint failed (529): overloaded", true, false, 0},
		{"not implemented", 501, nil, ``, "the endpoint failed (501 Not Implemented)", false, false, 0},
		{"elsewhere", 308, http.Header{"Location": {"https://evil.example"}}, ``, "the endpoint leads elsewhere (308 Permanent Redirect); set the address that it leads to", false, true, 0},
		{"no model", 404, nil, `{"error":{"message":"no such model"}}`, "the endpoint knows no such model or address (404 Not Found): no such model", false, true, 0},
		{"filtered", 400, nil, `{"error":{"message":"filtered","code":"content_filter"}}`, "the endpoint refused the question (400 Bad Request): filtered", false, false, 0},
		{"forbidden content", 403, nil, `{"detail":"flagged"}`, "the endpoint refused the question (403 Forbidden): flagged", false, false, 0},
		{"the key in the words", 400, nil, `{"error":{"message":"Authorization: Bearer ` + secret + ` is odd"}}`, "the endpoint refused the question (400 Bad Request): Authorization: Bearer [key] is odd", false, false, 0},
	} {
		t.Run(row.name, func(t *testing.T) {
			h := row.header
			if h == nil {
				h = http.Header{}
			}
			f := readRefusal(&http.Response{StatusCode: row.code, Header: h}, []byte(row.body), NewKey(secret), now).failure()
			if f.message != row.message || f.retry != row.retry || f.final != row.final || f.refusal.after != row.after {
				t.Errorf("got %q retry %v final %v after %s, want %q %v %v %s", f.message, f.retry, f.final, f.refusal.after, row.message, row.retry, row.final, row.after)
			}
		})
	}
}
