package web

import (
	"net/http"
	"strings"
	"testing"
)

// A link to lines marks them in the text of their source, and each claim shows its lines.
func TestLinksToLines(t *testing.T) {
	h := newFixture(t, nil)
	loop := h.research(t, t.Context())
	at := Root + "loops/" + loop + "/sources/S1"
	for _, row := range []struct{ query, want string }{
		{"", `<span class="line" id="L1" data-n="1"></span>`},
		{"?lines=1#L1", ` id="here"></span>`},
		{"?lines=999", `<span class="line" id="L1" data-n="1"></span>`}, // no such line: the text from its beginning
		{"?lines=x", `<span class="line" id="L1" data-n="1"></span>`},
	} {
		address, _, _ := strings.Cut(row.query, "#")
		status, body := h.inside(t).get(at + address)
		if status != http.StatusOK || !strings.Contains(body, row.want) {
			t.Errorf("%q: %d, lacks %s", row.query, status, row.want)
		}
	}
	for list, want := range map[string]string{"S1:7-14; S2:3; S1:1; S1:16": "1,7-14,16", "S2:3": "", "": "", "S1:": ""} {
		if got := linesIn(list, "S1"); got != want {
			t.Errorf("%q has %q", list, got)
		}
	}
}
