package server

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"testing"
	"time"
)

var aSignature = regexp.MustCompile(`(\.[0-9]*\.)[A-Za-z0-9_-]{43}`)

// The messages of a question to the user: a result that asks, and the same call with the answer. Other tests have the older
// era, in which the server asks during the call.
func TestFormTranscripts(t *testing.T) {
	text := quoted(t, strings.TrimSpace(longEnough))
	for name, tt := range map[string]struct{ tool, arguments, content string }{
		"form-reading": {"loop_init", `{"query":"` + vague + `","as_of":"2026-01-02","readings":["` + hourly + `","` + healthy + `"]}`, `{"reading":"` + healthy + `"}`},
		"form-text":    {"fetch", `{"state_id":"LOOP","urls":["` + paywalled + `","` + second + `"]}`, `{"title":"Behind the paywall","text":` + text + `}`},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWire(t, true)
			w.h.svc.Now = func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }
			w.h.svc.Reader = newPaywall(paywalled, second)
			loop := w.h.loopAfter(t, t.Context(), 0)
			arguments := strings.ReplaceAll(tt.arguments, "LOOP", loop)
			var said []json.RawMessage
			say := func(line string) {
				said = append(said, json.RawMessage(line))
				w.say(line + "\n")
			}
			hear := func() (line string) {
				for {
					if line = word(t, w.lines); !strings.Contains(line, `"method":"notifications/`) {
						break
					}
				}
				said = append(said, onceOnly(t, json.RawMessage(line)))
				return line
			}
			params := `{"name":"` + tt.tool + `","arguments":` + arguments
			const meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}}`
			say(requestOf(10, "tools/call", params+meta))
			var first struct{ Result roundTripResult }
			if err := json.Unmarshal([]byte(hear()), &first); err != nil {
				t.Fatal(err)
			}
			say(requestOf(11, "tools/call", params+`,"requestState":`+quoted(t, first.Result.RequestState)+`,"inputResponses":{"`+questionKey+`":{"action":"accept","content":`+tt.content+`}}`+meta))
			hear()
			all, err := json.Marshal(said)
			if err != nil {
				t.Fatal(err)
			}
			var got bytes.Buffer
			if err := json.Indent(&got, []byte(aSignature.ReplaceAllString(newPlain().text(string(all)), "${1}SIGNATURE")), "", "  "); err != nil {
				t.Fatal(err)
			}
			got.WriteByte('\n')
			golden(t, name, got.String())
		})
	}
}
