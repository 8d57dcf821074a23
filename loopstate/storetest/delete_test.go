package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

func deleteTests() []test {
	tests := []test{
		{"deletes the loop only", func(t *testing.T, open func() handle) {
			h, others := open(), map[string]kept{}
			for i, loop := range []string{"L", "L2", "l", "M"} {
				h.append(loop, 0, "a", 300+i)
				others[loop] = h.kept(loop)
			}
			for _, loop := range []string{"L ", "%", "", "\x00", "caf\xe9", strings.Repeat("L", 1<<20)} {
				h.wantError(fmt.Sprintf("Delete(%.20q)", loop), h.Delete(t.Context(), loop), loopstate.ErrNotFound)
			}
			others["L"] = kept{}
			h.delete("L")
			for _, h := range []handle{h, open()} {
				for loop, want := range others {
					h.want(loop, want, h.kept(loop))
				}
				h.wantError("Delete again", h.Delete(t.Context(), "L"), loopstate.ErrNotFound)
			}
		}},
		{"a write to the deleted log is a conflict", func(t *testing.T, open func() handle) {
			h, other := open(), open()
			h.append("L", 0, "a", 5)
			other.delete("L")
			head, events := Batch("L", 5, "b", 1)
			h.wantError("Append", h.Append(t.Context(), head, 5, events), loopstate.ErrConflict)
			h.want("deleted loop", kept{}, h.kept("L"))
			log := h.append("L", 0, "a", 2) // a new loop with the same id, such as an import
			other.want("log", log, other.load("L", 0))
		}},
	}
	const source = `{"sources": [{"source_id": "S1", "sha256": %q}]}`
	const body = `{"sources": [{"source_id": "S1", "sha256": "", "capture": {"status": 200, "sha256": %q, "bytes": 8, "kept": true}}]}`
	for _, tt := range []struct {
		name   string
		own    []string            // events of L; the verb is the hash
		others map[string][]string // events of other loops
		stays  bool
	}{
		{"named by no other loop", []string{source, `{}`, source}, map[string][]string{"M": {`{}`}}, false},
		{"named as a body by another loop", []string{source}, map[string][]string{"M": {body}}, true},
		{"named within a word", []string{`"urn:sha256:%s"`}, nil, false},
		{"not named", []string{`{}`}, nil, true},
		{"part of a longer number", []string{`"0%s"`, `"%[1]s%[1]s"`}, nil, true},
		{"named in capitals by another loop", []string{source}, map[string][]string{"M": {`"%X"`}}, true},
		{"part of another loop's longer number", []string{source}, map[string][]string{"M": {`"0%s"`}}, false},
	} {
		tests = append(tests, test{"deletes a text " + tt.name, func(t *testing.T, open func() handle) {
			h := open()
			h.put("the text", "another text")
			hash := loopstate.HashText([]byte("the text"))
			write := func(loop string, data []string) {
				head, events := Batch(loop, 0, "a", len(data))
				for i, format := range data {
					switch {
					case strings.Contains(format, "%X"):
						events[i].Data = fmt.Appendf(nil, format, hash[:])
					case strings.Contains(format, "%"):
						events[i].Data = fmt.Appendf(nil, format, hash.String())
					default:
						events[i].Data = json.RawMessage(format)
					}
				}
				h.write(head, events)
			}
			write("L", tt.own)
			for loop, data := range tt.others {
				write(loop, data)
			}
			h.delete("L")
			other := open()
			other.wantText("the text", tt.stays)
			other.wantText("another text", true)
		}})
	}
	return tests
}
