package server

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var aSignature = regexp.MustCompile(`(\.[0-9]*\.)[A-Za-z0-9_-]{43}`)

// The messages of a question to the user: in the older era the server's own request during a call, in the newer one a
// result that asks and the same call with the answer.
func TestFormTranscripts(t *testing.T) {
	text := quoted(t, strings.TrimSpace(longEnough))
	for name, tt := range map[string]struct{ tool, arguments, content string }{
		"form-reading": {"loop_init", `{"query":"` + vague + `","as_of":"2026-01-02","readings":["` + hourly + `","` + healthy + `"]}`, `{"reading":"` + healthy + `"}`},
		"form-text":    {"fetch", `{"state_id":"LOOP","urls":["` + paywalled + `","` + second + `"]}`, `{"title":"Behind the paywall","text":` + text + `}`},
	} {
		for era := range eras {
			t.Run(name+" "+era, func(t *testing.T) {
				w := newWire(t, era == "2026-07-28")
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
				if w.modern {
					const meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}},"io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"}}}`
					say(requestOf(10, "tools/call", params+meta))
					var first struct{ Result roundTripResult }
					if err := json.Unmarshal([]byte(hear()), &first); err != nil {
						t.Fatal(err)
					}
					say(requestOf(11, "tools/call", params+`,"requestState":`+quoted(t, first.Result.RequestState)+`,"inputResponses":{"`+questionKey+`":{"action":"accept","content":`+tt.content+`}}`+meta))
				} else {
					w.say(requestOf(1, "initialize", `{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{"form":{}}},"clientInfo":{"name":"t","version":"1"}}`) + "\n")
					w.next("1")
					say(requestOf(10, "tools/call", params+"}"))
					var asked struct{ ID json.RawMessage }
					if err := json.Unmarshal([]byte(hear()), &asked); err != nil {
						t.Fatal(err)
					}
					w.say(`{"jsonrpc":"2.0","id":` + string(asked.ID) + `,"result":{"action":"accept","content":` + tt.content + `}}` + "\n")
					said[len(said)-1] = bytes.Replace(said[len(said)-1], append([]byte(`"id":`), asked.ID...), []byte(`"id":1`), 1) // ids continue through the whole process
					said = append(said, json.RawMessage(`{"jsonrpc":"2.0","id":1,"result":{"action":"accept","content":`+tt.content+`}}`))
				}
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
				path := filepath.Join("testdata", "transcripts", era, name+".json")
				if *update {
					if err := os.WriteFile(path, got.Bytes(), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(path)
				if err != nil {
					t.Fatalf("%v; run go test ./server -run Transcripts -update", err)
				}
				if diff := cmp.Diff(string(want), got.String()); diff != "" {
					t.Errorf("has changed on the wire (-want +got); if that is meant, run go test ./server -run Transcripts -update:\n%s", diff)
				}
			})
		}
	}
}
