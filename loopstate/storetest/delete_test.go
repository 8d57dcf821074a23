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
		{"removes the loop only", func(t *testing.T, open func() handle) {
			h, others := open(), map[string]kept{}
			for i, loop := range []string{"L", "L2", "l", "M"} {
				h.append(loop, 0, "a", 700+i)
				h.append(loop, int64(700+i), "b", 3)
				h.putSnapshot(loopstate.Snapshot{Loop: loop, Seq: 703, Fold: 1, State: []byte(loop)})
				others[loop] = h.kept(loop)
			}
			others["L"] = kept{}
			h.delete("L")
			for _, h := range []handle{h, open()} {
				for loop, want := range others {
					h.wantKept(loop, want)
				}
			}
		}},
		{"unknown loops", func(t *testing.T, open func() handle) {
			h := open()
			h.append("L", 0, "a", 2)
			want := h.kept("L")
			for _, loop := range []string{"l", "L ", "%", "", "\x00", "caf\xe9", strings.Repeat("L", 1<<20)} {
				h.wantError(fmt.Sprintf("Delete(%.20q)", loop), h.Delete(t.Context(), loop), loopstate.ErrNotFound)
			}
			h.wantKept("L", want)
			h.delete("L")
			for _, h := range []handle{h, open()} {
				h.wantError("Delete again", h.Delete(t.Context(), "L"), loopstate.ErrNotFound)
			}
		}},
		{"writes to the deleted log are conflicts", func(t *testing.T, open func() handle) {
			h, other := open(), open()
			h.append("L", 0, "a", 5)
			other.delete("L")
			for _, op := range []string{"b", "a"} { // operation ids are deleted, too
				head, events := batch("L", 5, op, 1)
				h.wantError("Append of "+op, h.Append(t.Context(), head, 5, events), loopstate.ErrConflict)
			}
			late := loopstate.Snapshot{Loop: "L", Seq: 5, Fold: 1, State: []byte("late")}
			h.putSnapshot(late)
			h.wantKept("L", kept{})

			// A new loop with the same id, such as an imported older copy.
			log := h.append("L", 0, "a", 2)
			h.putSnapshot(late)
			other.wantKept("L", kept{Log: log, Head: new(headOf("L", 2))})
			fitting := loopstate.Snapshot{Loop: "L", Seq: 2, Fold: 1, State: []byte("fitting")}
			h.putSnapshot(fitting)
			log = append(log, h.append("L", 2, "b", 4)...)
			other.wantKept("L", kept{Log: log, Head: new(headOf("L", 6)), Snapshot: &fitting})
			h.delete("L")
			other.wantKept("L", kept{})
		}},
		{"loops that are watched", func(t *testing.T, open func() handle) {
			watching := open()
			for i, writing := range []handle{watching, open()} {
				loop, another := fmt.Sprint("L", i), fmt.Sprint("M", i)
				hints, others := watching.Watch(t.Context(), loop), watching.Watch(t.Context(), another)
				writing.append(another, 0, "a", 2)
				hinted(t, others, 2)
				for _, n := range []int{5, 4, 3} { // fewer events each time
					writing.append(loop, 0, "a", n)
					hinted(t, hints, int64(n))
					writing.delete(loop)
					hinted(t, hints, 0)
				}
				writing.append(another, 2, "b", 1)
				hinted(t, others, 3)
			}
		}},
	}
	for name, appended := range map[string]int{"a loop that is loaded": 0, "a loop that is loaded and starts again": 3000, "a loop that is loaded and starts again with fewer events": 5} {
		tests = append(tests, test{name, func(t *testing.T, open func() handle) {
			h, other := open(), open()
			h.append("L", 0, "old", 3000)
			n, last := 0, error(nil)
			for e, err := range h.Load(t.Context(), "L", 0) {
				if last = err; err != nil {
					break
				}
				if n++; n == 1 {
					other.delete("L")
					if appended > 0 {
						other.append("L", 0, "new", appended)
					}
				}
				if e.Op != "old" {
					t.Fatalf("event %d of the new log follows the old log", e.Seq)
				}
			}
			if n < 3000 {
				h.wantError(fmt.Sprintf("Load after %d of 3000 events", n), last, loopstate.ErrNotFound)
			}
		}})
	}
	return append(tests, deletedTexts()...)
}

// deletedTexts returns tests that delete the loop L, which names a text, among loops that may name it as well.
func deletedTexts() []test {
	const source = `{"sources": [{"source_id": "S1", "sha256": %q}]}`
	const body = `{"sources": [{"source_id": "S1", "sha256": "", "capture": {"status": 200, "sha256": %q, "bytes": 8, "kept": true}}]}`
	many := func(last string) []string { // events
		return append(strings.Split(strings.Repeat("{}\n", 699)+"{}", "\n"), last)
	}
	var tests []test
	for _, tt := range []struct {
		name   string
		own    []string            // events of L; the verb is the hash
		others map[string][]string // events of other loops
		stays  bool
	}{
		{"named by no other loop", []string{source}, map[string][]string{"M": {`{}`}}, false},
		{"named several times", []string{source, `{}`, source, source}, nil, false},
		{"named as a body", []string{body}, map[string][]string{"M": {`{}`}}, false},
		{"named as a body by another loop", []string{source}, map[string][]string{"M": {body}}, true},
		{"named within a word", []string{`"urn:sha256:%s"`}, nil, false},
		{"named by the last of many events", many(source), nil, false},
		{"not named", []string{`{}`}, nil, true},
		{"part of a longer number", []string{`"0%s"`, `"%[1]s%[1]s"`}, nil, true},
		{"named by another loop", []string{source}, map[string][]string{"M": {source}}, true},
		{"named by the last event of another loop", []string{source}, map[string][]string{"M": many(source), "N": {`{}`}}, true},
		{"named by the first of another loop's large events", []string{source}, map[string][]string{"M": {source, `"` + strings.Repeat("large ", 200_000) + `"`}}, true},
		{"named by several loops", []string{source}, map[string][]string{"A": {source}, "M": {source}, "Z": {source}}, true},
		{"named within a word by another loop", []string{source}, map[string][]string{"M": {`["see sha256:%s."]`}}, true},
		{"named in capitals by another loop", []string{source}, map[string][]string{"M": {`"%X"`}}, true},
		{"part of another loop's longer number", []string{source}, map[string][]string{"M": {`"0%s"`}}, false},
	} {
		tests = append(tests, test{"a text " + tt.name, func(t *testing.T, open func() handle) {
			h := open()
			h.put("the text", "another text")
			hash := loopstate.HashText([]byte("the text"))
			write := func(loop string, data []string) kept {
				head, events := batch(loop, 0, "a", len(data))
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
				return h.kept(loop)
			}
			write("L", tt.own)
			want := map[string]kept{}
			for loop, data := range tt.others {
				want[loop] = write(loop, data)
			}
			h.delete("L")
			other := open()
			other.wantText("the text", tt.stays)
			other.wantText("another text", true)
			for loop := range tt.others {
				other.wantKept(loop, want[loop])
			}
			h.put("the text")
			other.wantText("the text", true)
		}})
	}
	return tests
}
