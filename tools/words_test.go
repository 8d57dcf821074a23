package tools

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
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
		{fmt.Errorf("loading: %w", &loopstate.Error{Code: loopstate.CodeUnknownLoop, Subject: "loop"}),
			`state_id: unknown loop; use the state_id that loop_init returned; loop_list shows your loops`},
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

// Each error code of the domain has a problem of its own, and a remedy.
func TestEachCodeHasWords(t *testing.T) {
	t.Parallel()
	source, err := os.ReadFile("../loopstate/error.go")
	codes := regexp.MustCompile(`Code += "(.+)"`).FindAllSubmatch(source, -1)
	if err != nil || len(codes) < 25 {
		t.Fatalf("%d codes, %v", len(codes), err)
	}
	seen := map[string]bool{}
	for _, m := range codes {
		e := &loopstate.Error{Code: loopstate.Code(m[1]), Subject: "loop", Value: "v", Valid: []string{"w"}}
		got := MistakeIn(e)
		if got.Argument != "state_id" || got.Problem == "" || got.Remedy == "" || seen[got.Problem] {
			t.Errorf("%s reads %v", e.Code, got)
		}
		seen[got.Problem] = true
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
