package tools

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/channels"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

func TestMistakes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err  error
		want string
	}{
		{&loopstate.Error{Code: loopstate.CodeUnreadCited, Subject: "claims[0].sources", Value: "S7", Text: "It is fast."},
			`claims[0].source_ids: HALLUCINATED CITATION in "It is fast.": "S7" was never read in this loop; fetch the page with this ` +
				`state_id and cite the source_id that fetch returns`},
		{&loopstate.Error{Code: loopstate.CodeUnknownGap, Subject: "answered gaps[1]", Value: "G99"},
			`answered_gaps[1]: unknown gap: "G99"; call loop_get_gaps for the ids of this loop's gaps`},
		{&loopstate.Error{Code: loopstate.CodeUnknownValue, Subject: "gap.kind", Value: "other", Valid: []string{"question", "modality"}},
			`kind: unknown value: "other"; use one of question, modality`},
		{&loopstate.Error{Code: loopstate.CodeEmpty, Subject: "gap.text"}, "gap: empty text; write a text or leave it out"},
		{&loopstate.Error{Code: loopstate.CodeEmpty, Subject: "gaps[1].questions[0]"},
			"gaps[1].questions[0]: empty text; write a text or leave it out"},
		{&loopstate.Error{Code: loopstate.CodeTooLong, Subject: "bad[2].reason", Got: 8001, Limit: 8000},
			"bad_urls[2].reason: too long: 8001 characters; shorten it to 8000"},
		{&loopstate.Error{Code: loopstate.CodeTooLong, Subject: "operation", Got: 201, Limit: 200, Unit: "bytes"},
			"operation_id: too long: 201 bytes; use a UUID"},
		{loopstate.CheckRange("coverage.dimensions.team", -0.1, 0, 1),
			"coverage.dimensions.team: out of range: -0.1; give a number from 0 to 1"},
		{fmt.Errorf("loading: %w", &loopstate.Error{Code: loopstate.CodeUnknownLoop, Subject: "loop"}),
			`state_id: unknown loop; use the state_id that loop_init returned; loop_list shows your loops`},
		{&loopstate.Error{Code: loopstate.CodeStorageFull, Subject: "address", Value: "ada", Got: 900_000, Limit: 1_000_000,
			Needs: 200_000},
			"url: storage full, and nothing was kept: your loops keep 900 kB of the 1.0 MB that one owner may have on this server, " +
				"and this call needs 200 kB; continue with what is kept"},
		{&channels.UnknownChannelError{Names: []string{"x"}, Valid: []string{"arxiv"}},
			`channel_name: unknown channel "x"; valid channels: arxiv; call list_channels for what each is good for`},
		{&channels.QueryError{Argument: "query", Message: "empty; give a few words to search for"},
			"query: empty; give a few words to search for"},
		{&wording.Mistake{Argument: "a", Problem: "b"}, "a: b"},
	} {
		if got := MistakeIn(tt.err); got == nil || !strings.HasPrefix(got.Error(), tt.want) {
			t.Errorf("%v reads\n  %v\nwant\n  %s", tt.err, got, tt.want)
		}
	}
	if got := MistakeIn(errors.New("disk full")); got != nil {
		t.Errorf("an error of no caller reads %v", got)
	}
}

// Each error code has a problem and a remedy.
func TestEachCodeHasWords(t *testing.T) {
	t.Parallel()
	for _, code := range loopstate.Codes() {
		e := &loopstate.Error{Code: code, Subject: "loop", Value: "v", Valid: []string{"w"}}
		if got := MistakeIn(e); got.Argument != "state_id" || got.Problem == "" || got.Remedy == "" {
			t.Errorf("%s reads %v", code, got)
		}
	}
}

// The names that replace the domain's terms are arguments, or fields of arguments, of some tool.
func TestArgumentNamesAreInTheSchemas(t *testing.T) {
	t.Parallel()
	var schemas string
	files, _ := filepath.Glob("schemas/*.json")
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		schemas += string(text)
	}
	for subject, name := range argumentNames {
		if name != "" && name != "arguments" && !strings.Contains(schemas, fmt.Sprintf("%q:", name)) {
			t.Errorf("%s is called %q, which no schema has", subject, name)
		}
	}
}

// A caller with a token does not learn where the server keeps its data.
func TestStoreFault(t *testing.T) {
	fault := &loopstate.StoreError{Kind: errors.New("the disk is full"), Place: "/srv/secret/citeloop.db", Remedy: "free some space",
		Cause: errors.New("write /srv/secret/x")}
	for owner, shown := range map[string]bool{"": true, loops.LocalOwner: true, "alice": false} {
		says := storeFault(loops.WithOwner(t.Context(), owner), fault)
		if !strings.Contains(says, "the disk is full") || strings.Contains(says, "/srv/secret") != shown {
			t.Errorf("%q is told: %s", owner, says)
		}
	}
}
