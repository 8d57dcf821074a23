package storetest

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

var deleteTests = []test{
	{"a name that no loop has", func(t *testing.T, open func() handle) {
		h := open()
		h.append("L", 0, "a", 300)
		before := h.kept("L")
		for _, loop := range []string{"L ", "l", "%", "", "\x00", "caf\xe9", strings.Repeat("L", 1<<20)} {
			h.wantError(fmt.Sprintf("Delete(%.20q)", loop), h.Delete(t.Context(), loop), loopstate.ErrNotFound)
		}
		h.want("loop", before, h.kept("L"))
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
	{"texts that the loop alone names", func(t *testing.T, open func() handle) {
		h := open()
		for _, tt := range []struct {
			own, other string // data of an event of the loop and of another loop; the verb is the hash
			stays      bool
		}{
			{`{"sha256": %q}`, `{}`, false},
			{`"urn:sha256:%s"`, `"0%s"`, false},
			{`"0%s"`, `{}`, true}, // a part of a longer number
			{`{}`, `{}`, true},
			{`{"sha256": %q}`, `{"capture": {"sha256": %q}}`, true},
		} {
			text := tt.own + tt.other
			for loop, format := range map[string]string{"L": tt.own, "M" + text: tt.other} {
				head, events := Batch(loop, 0, "a", 1)
				events[0].Data = json.RawMessage(format)
				if strings.Contains(format, "%") {
					events[0].Data = fmt.Appendf(nil, format, loopstate.HashText([]byte(text)).String())
				}
				h.write(head, events, text)
			}
			h.delete("L")
			open().wantText(text, tt.stays)
		}
	}},
}
