package source

import (
	"slices"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/channels/local"
)

func FuzzQueryTerms(f *testing.F) {
	for _, s := range []string{`what is "a b" c`, `"`, `"" x`, "who", "a) OR (b", "潮汐 C++ c#"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if fieldSyntax.MatchString(text) {
			return
		}
		for term := range strings.SplitSeq(queryTerms(text, "all:", " AND ", 0), " AND all:") { // no query can end a term and begin syntax
			inner := strings.TrimPrefix(term, "all:")
			if strings.ContainsAny(strings.Trim(inner, `"`), `"():[]`) || strings.Count(inner, `"`)%2 != 0 {
				t.Errorf("term %q of %q", term, text)
			}
		}
	})
}

// The remark on an incomplete answer counts the missing files.
func TestRemarks(t *testing.T) {
	tests := []struct {
		name   string
		report local.Report
		status channels.Status
		says   string
	}{
		{"whole", local.Report{Looked: true, Files: 10}, "", ""},
		{"nearly built", local.Report{Files: 10_000, Pending: 800}, channels.StatusDegraded,
			"9,200 of 10,000 files indexed; search again for the rest"},
		{"half built", local.Report{Files: 10_000, Pending: 4800}, channels.StatusDegraded,
			"5,200 of 10,000 files indexed; search again for the rest"},
		{"not walked yet", local.Report{}, channels.StatusDegraded,
			"no files so far; search again for the rest"},
		{"an old index that is not checked yet", local.Report{Files: 10}, channels.StatusDegraded,
			"10 of 10 files indexed; search again for the rest"},
		{"unread", local.Report{Looked: true,
			Unread: []string{"a.pdf (permission denied)"}}, channels.StatusOK,
			"files not read: 1 (a.pdf (permission denied))"},
		{"gone", local.Report{Looked: true, Missing: []string{"/x"}}, channels.StatusUnavailable, "not a readable folder: /x"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			fail := remarkOn(tt.report)
			if fail == nil {
				fail = &channels.Failure{}
			}
			if fail.Status != tt.status || fail.Message != tt.says {
				t.Errorf("%q, %q; want %q, %q", fail.Status, fail.Message, tt.status, tt.says)
			}
		})
	}
}

// catalog.toml has valid keys, and a search function for every channel.
func TestCatalog(t *testing.T) {
	if _, err := catalog(); err != nil {
		t.Fatal(err)
	}
	for _, c := range All(nil) {
		if c.Search == nil || c.Missing != "" && !slices.Contains([]string{"contact", "url"}, c.Needs) && c.Name != "local" {
			t.Errorf("%s: no search function, or an unknown need %q", c.Name, c.Needs)
		}
	}
}
