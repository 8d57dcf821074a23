package storage_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// fakeLogs implements Logs in maps.
type fakeLogs struct {
	logs   map[string][]loopstate.Event
	kept   map[loopstate.Hash]string // the text's name
	read   int                       // events that were read
	during func(loop string, seq int64)
}

// wordLogs returns logs of events that are words. An event names a text for each letter of its word, such as "ab".
func wordLogs(logs map[string]string) *fakeLogs {
	s := &fakeLogs{logs: map[string][]loopstate.Event{}, kept: map[loopstate.Hash]string{}}
	for _, name := range []string{"a", "b", "c"} {
		s.kept[loopstate.HashText([]byte(name))] = name
	}
	for loop, words := range logs {
		s.append(loop, "first", words)
	}
	return s
}

func (s *fakeLogs) append(loop, op, words string) {
	for word := range strings.FieldsSeq(words) {
		var data []string
		for _, name := range strings.Split(word, "") {
			data = append(data, loopstate.HashText([]byte(name)).String())
		}
		text, _ := json.Marshal(data)
		s.logs[loop] = append(s.logs[loop], loopstate.Event{Loop: loop, Seq: int64(len(s.logs[loop])) + 1, Op: op, Data: text})
	}
}

func (s *fakeLogs) Ends(context.Context) ([]loopstate.Event, error) {
	var ends []loopstate.Event
	for _, log := range s.logs {
		end := log[len(log)-1]
		end.Data = nil
		ends = append(ends, end)
	}
	return ends, nil
}

func (s *fakeLogs) Load(_ context.Context, loop string, after int64) iter.Seq2[loopstate.Event, error] {
	return func(yield func(loopstate.Event, error) bool) {
		log := s.logs[loop]
		for _, e := range log[min(max(after, 0), int64(len(log))):] {
			if s.during != nil {
				s.during(loop, e.Seq)
			}
			if len(s.logs[loop]) == 0 {
				yield(loopstate.Event{}, loopstate.ErrNotFound)
				return
			}
			s.read++
			if !yield(e, nil) {
				return
			}
		}
	}
}

func (s *fakeLogs) Kept(_ context.Context, hashes []loopstate.Hash) ([]loopstate.Hash, error) {
	return slices.DeleteFunc(slices.Clone(hashes), func(h loopstate.Hash) bool { return s.kept[h] == "" }), nil
}

// Changes between the looks without the lock and the last one.
func TestSweep(t *testing.T) {
	for _, tt := range []struct {
		name      string
		logs      map[string]string // L is deleted
		meanwhile func(s *fakeLogs)
		want      string // the deleted texts
		read      int    // events read by the last look
	}{
		{"nothing", map[string]string{"L": "- ab -", "M": "- b c -"}, func(*fakeLogs) {}, "a", 0},
		{"no text is the loop's alone", map[string]string{"L": "- ab -", "M": "ab"}, func(*fakeLogs) {}, "", 0},
		{"a text that is not kept", map[string]string{"L": "ax"}, func(*fakeLogs) {}, "a", 0},
		{"another loop names a text", map[string]string{"L": "ab", "M": "- - -"}, func(s *fakeLogs) { s.append("M", "then", "- a") }, "b", 3},
		{"a new loop names a text", map[string]string{"L": "ab"}, func(s *fakeLogs) { s.append("M", "then", "- a") }, "b", 2},
		{"others go on", map[string]string{"L": "ab", "M": "- - -", "N": "- c -"}, func(s *fakeLogs) { s.append("M", "then", "- c") }, "ab", 3},
		{"another loop is deleted", map[string]string{"L": "ab", "M": "a", "N": "b"}, func(s *fakeLogs) { delete(s.logs, "M") }, "a", 2},
		{"another loop begins anew without the text", map[string]string{"L": "ab", "M": "a -"}, func(s *fakeLogs) {
			delete(s.logs, "M")
			s.append("M", "then", "- -")
		}, "ab", 4}, // one to notice the new log, and all events again
		{"another loop begins anew and is longer", map[string]string{"L": "ab", "M": "- -"}, func(s *fakeLogs) {
			delete(s.logs, "M")
			s.append("M", "then", "a - - -")
		}, "b", 6},
		{"another loop begins anew and is shorter", map[string]string{"L": "ab", "M": "- - - -"}, func(s *fakeLogs) {
			delete(s.logs, "M")
			s.append("M", "then", "a")
		}, "b", 2},
		{"it names a text that another named before", map[string]string{"L": "a", "M": "b -"}, func(s *fakeLogs) { s.append("L", "then", "b") }, "a", 6},
		{"it names a text again", map[string]string{"L": "a", "M": "b -"}, func(s *fakeLogs) { s.append("L", "then", "a -") }, "a", 3},
		{"it begins anew", map[string]string{"L": "ab -", "M": "c"}, func(s *fakeLogs) {
			delete(s.logs, "L")
			s.append("L", "then", "bc -")
		}, "b", 4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := wordLogs(tt.logs)
			sweep, err := storage.BeginSweep(t.Context(), s, "L")
			if err != nil {
				t.Fatal(err)
			}
			tt.meanwhile(s)
			s.read = 0
			if err := sweep.Look(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			if got := s.names(sweep); got != tt.want {
				t.Errorf("texts %q, want %q", got, tt.want)
			}
			if s.read != tt.read {
				t.Errorf("%d events were read at the last look, want %d", s.read, tt.read)
			}
			read := s.read
			if err := sweep.Look(t.Context(), s); err != nil || s.names(sweep) != tt.want || s.read != read {
				t.Errorf("one look more: %v, texts %q, %d events", err, s.names(sweep), s.read-read)
			}
		})
	}
}

func (s *fakeLogs) names(sweep *storage.Sweep) string {
	var names []string
	for _, h := range sweep.Texts() {
		names = append(names, s.kept[h])
	}
	slices.Sort(names)
	return strings.Join(names, "")
}

// A delete during a look has the same effect as one after it.
func TestSweepDuringOtherDeletes(t *testing.T) {
	s := wordLogs(map[string]string{"L": "ab -", "M": "a b -"})
	s.during = func(loop string, seq int64) {
		if loop == "M" && seq == 2 {
			delete(s.logs, "M")
		}
	}
	sweep, err := storage.BeginSweep(t.Context(), s, "L")
	if err != nil {
		t.Fatal(err)
	}
	if err := sweep.Look(t.Context(), s); err != nil || s.names(sweep) != "ab" {
		t.Errorf("after another loop vanished: texts %q, %v, want all", s.names(sweep), err)
	}

	s = wordLogs(map[string]string{"L": "ab -", "M": "a b -"})
	if sweep, err = storage.BeginSweep(t.Context(), s, "L"); err != nil {
		t.Fatal(err)
	}
	delete(s.logs, "L")
	if err := sweep.Look(t.Context(), s); !errors.Is(err, loopstate.ErrNotFound) {
		t.Errorf("after the loop vanished: %v, want ErrNotFound", err)
	}
	if _, err := storage.BeginSweep(t.Context(), s, "L"); !errors.Is(err, loopstate.ErrNotFound) {
		t.Errorf("a loop that is not there: %v, want ErrNotFound", err)
	}
}

// An unreadable log may name any text.
func TestSweepWithAnUnreadableLog(t *testing.T) {
	damaged := errors.New("damaged")
	s := wordLogs(map[string]string{"L": "a", "M": "- -"})
	if _, err := storage.BeginSweep(t.Context(), failing{s, damaged}, "L"); !errors.Is(err, damaged) {
		t.Errorf("BeginSweep: %v, want the error of Load", err)
	}
}

type failing struct {
	*fakeLogs
	err error
}

func (f failing) Load(ctx context.Context, loop string, after int64) iter.Seq2[loopstate.Event, error] {
	return func(yield func(loopstate.Event, error) bool) {
		for e := range f.fakeLogs.Load(ctx, loop, after) {
			if loop == "M" && e.Seq == 2 {
				yield(loopstate.Event{}, f.err)
				return
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

func TestHashesIn(t *testing.T) {
	a, b := loopstate.HashText([]byte("a")), loopstate.HashText([]byte("b"))
	for _, tt := range []struct {
		name, data string
		want       []loopstate.Hash
	}{
		{"nothing", "", nil},
		{"it alone", a.String(), []loopstate.Hash{a}},
		{"in JSON", fmt.Sprintf(`{"sha256":%q,"chars":12}`, a), []loopstate.Hash{a}},
		{"in capitals", fmt.Sprintf("%X", a[:]), []loopstate.Hash{a}},
		{"several", fmt.Sprintf("%s,%s %s-%s", a, b, a, a), []loopstate.Hash{a, b, a, a}},
		{"one digit less", a.String()[1:], nil},
		{"one digit more", a.String() + "0", nil},
		{"twice in a row", a.String() + b.String(), nil},
		{"a letter beside it", "x" + a.String() + "g", []loopstate.Hash{a}},
		{"not UTF-8", "\xff" + a.String() + "\xfe", []loopstate.Hash{a}},
	} {
		for _, before := range []int{0, 1, 62, 63, 64, 65, 127, 1000} {
			data := strings.Repeat(" ", before) + tt.data
			if diff := cmp.Diff(tt.want, slices.Collect(storage.HashesIn([]byte(data)))); diff != "" {
				t.Errorf("%s, after %d spaces (-want +got):\n%s", tt.name, before, diff)
			}
		}
	}
}

// FuzzHashesIn compares with a regular expression.
func FuzzHashesIn(f *testing.F) {
	a := loopstate.HashText([]byte("a")).String()
	for _, seed := range []string{"", a, a + a, " " + a + "f", `{"sha256":"` + a + `"}`, strings.Repeat("0", 63) + "g" + a, strings.ToUpper(a) + "\n" + a[1:] + "\x00" + a} {
		f.Add([]byte(seed))
	}
	run := regexp.MustCompile(`[0-9a-fA-F]+`)
	f.Fuzz(func(t *testing.T, data []byte) {
		var want []loopstate.Hash
		for _, digits := range run.FindAll(data, -1) {
			if h, err := loopstate.ParseHash(string(digits)); err == nil {
				want = append(want, h)
			}
		}
		if diff := cmp.Diff(want, slices.Collect(storage.HashesIn(data))); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
