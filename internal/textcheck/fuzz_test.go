package textcheck

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/cputime"
)

// fuzzBytes bounds the input of a fuzz target, because longer inputs only take longer.
const fuzzBytes = 20_000

func FuzzClaims(f *testing.F) {
	f.Add(`{"id":"a","claim":"The tower was built in 1874.","source_ids":["T"]}`, `{"id":"T","text":"The tower was built in 1874 by two brothers."}`)
	f.Add("{\"id\":1,\"claim\":\"x\",\"sourceIds\":1,\"quote\":\"y z w\"}\n\n{\"id\":[],\"claim\":\"塔\",\"source_ids\":[1,2]}", "\uFEFF{\"id\":1,\"text\":\"塔于1874年\"}\n{\"id\":2,\"text\":\"\\ud800\"}")
	f.Add(`{`, `null`)
	f.Fuzz(func(t *testing.T, claims, sources string) {
		if len(claims)+len(sources) > fuzzBytes {
			t.Skip()
		}
		rows, err := rowsOf(t, claims, sources)
		var row *RowError
		if err != nil && !errors.As(err, &row) {
			t.Errorf("error %v, want one that names file and line", err)
		}
		if err != nil {
			return
		}
		if rows.Total() != len(rows.Rows) {
			t.Errorf("%d rows, the tally says %d", len(rows.Rows), rows.Total())
		}
		for n, r := range rows.Rows {
			for _, p := range r.Passages {
				if utf8.RuneCountInString(p.Text) != p.End-p.Start {
					t.Errorf("row %d: %d to %d are %d characters", n, p.Start, p.End, utf8.RuneCountInString(p.Text))
				}
			}
		}
		for _, format := range RowFormats() {
			if err := WriteRows(io.Discard, format, rows, nil, 0); err != nil {
				t.Errorf("%s: %v", format, err)
			}
		}
	})
}

func FuzzSynthesis(f *testing.F) {
	f.Add(`{"claims":[{"claim":"x y z","sourceIds":["S1"],"confidence":"high"}],"contradictions":[{"topic":"t","sourceIds":["S2"]}]}`, `{"url:x":{"id":"S1","text":"x y z"}}`)
	f.Add("{\n\"claims\": [\n{\"claim\": \"塔\", \"source_ids\": [7]}\n]}", `[["k",{"text":"塔"}],{"id":7,"text":"a"}]`)
	f.Add(`{"claims":`, `[`)
	f.Fuzz(func(t *testing.T, synth, store string) {
		if len(synth)+len(store) > fuzzBytes {
			t.Skip()
		}
		rows, err := synthesis(t, synth, store)
		var row *RowError
		if err != nil && !errors.As(err, &row) {
			t.Errorf("error %v, want one that names file and line", err)
		}
		if err != nil {
			return
		}
		for _, x := range rows.Lost {
			if len(x.Unknown) == 0 {
				t.Error("a contradiction that lost nothing")
			}
		}
	})
}

func FuzzReceipts(f *testing.F) {
	f.Add(`{"state_id":"L","findings":[{"claim":"x","receipts":[{"source_id":"S1","url":"https://arden.example/tower","sha256":"` + strings.Repeat("0", 64) + `","start":0,"end":1,"passage":"T"}]}]}`)
	f.Add(`{"findings":[],"conflicts":[{"a":{"start":-5,"end":9}}]}`)
	f.Fuzz(func(t *testing.T, body string) {
		_, receipts, err := ReadReceipts(strings.NewReader(body))
		if err != nil || len(receipts) > 50 {
			return
		}
		c, err := Online(t.Context(), receipts, island(), nil)
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for _, n := range c.Counts {
			total += n
		}
		if total != len(receipts) || len(c.Counts) != 5 {
			t.Errorf("%d results for %d receipts: %v", total, len(receipts), c.Counts)
		}
	})
}

// Every format can show the findings of any draft.
func FuzzDrafts(f *testing.F) {
	f.Add(islandDraft)
	f.Add(hostileDraft)
	f.Add("x [1](file:///a) 【3†L5】 http:///b\r\n\n[1]: file:///c")
	f.Add("```\nopen [1]\n\n| a | b [2] |\n- it is https://arden.example/tower\n\t")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > fuzzBytes || !utf8.ValidString(text) {
			t.Skip()
		}
		r, err := Drafts(t.Context(), []Draft{{"a.md", text}}, config(island()))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Count(text, "\n") + 1
		for _, x := range r.Findings() {
			if x.Line < 1 || x.EndLine < x.Line || x.EndLine > lines || x.Column < 1 {
				t.Errorf("a finding at %+v of %d lines", x.Place, lines)
			}
		}
		for _, format := range Formats() {
			var out bytes.Buffer
			if err := Write(&out, format, r); err != nil {
				t.Errorf("%s: %v", format, err)
			}
			if format == GitHub && strings.Contains(out.String(), "\r") {
				t.Error("a carriage return is in the annotations")
			}
			if !utf8.Valid(out.Bytes()) {
				t.Errorf("%s is not UTF-8", format)
			}
		}
	})
}

// No draft makes the work grow faster than itself.
func TestHostileDrafts(t *testing.T) {
	if os.Getenv("CITELOOP_TEST_LONG") == "" {
		t.Skip("takes seconds: set CITELOOP_TEST_LONG=1")
	}
	for name, text := range map[string]string{
		"a megabyte of one letter": strings.Repeat("x", 1<<20),
		"brackets":                 strings.Repeat("[", 100_000),
		"marks":                    strings.Repeat("So it is said [1]. ", 2_000),
		"file addresses":           strings.Repeat("file:///a ", 20_000),
		"fences":                   strings.Repeat("```\n", 25_000),
		"items":                    strings.Repeat("- a\n", 25_000),
	} {
		t.Run(name, func(t *testing.T) {
			start := cputime.Used()
			r, err := Drafts(t.Context(), []Draft{{"a.md", text}}, config(island()))
			if err != nil {
				t.Fatal(err)
			}
			for _, format := range Formats() {
				var out bytes.Buffer
				if err := Write(&out, format, r); err != nil {
					t.Fatal(err)
				}
			}
			if took := cputime.Used() - start; took > time.Minute {
				t.Errorf("took %s", took)
			}
		})
	}
}
