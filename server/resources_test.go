package server

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/server/resources"
)

const lighthouse = "The lighthouse at Cape Arden was built in 1874 by the engineer Maria Holt. It stands 42 metres high and its lamp " +
	"can be seen from 30 kilometres away. "

var longEnough = lighthouse + strings.Repeat("Nothing else of interest is said on this page about anything. ", 6)

// visit is a server that ben uses, and anna.
type visit struct {
	fixture
	caller
	ctx   context.Context // names ben
	other string          // anna's loop
}

func newVisit(t *testing.T) visit {
	t.Helper()
	h := newFixture(t)
	tokens, _, tokenOf := newTokens(t, "anna", "ben")
	return visit{h, h.serve(t, tokens).as(tokenOf["ben"]), loops.WithOwner(t.Context(), "ben"),
		h.loopAfter(t, loops.WithOwner(t.Context(), "anna"), 1)}
}

// paste reads a text into a loop and returns its id.
func (v visit) paste(t *testing.T, loop string) string {
	t.Helper()
	out, err := v.svc.Read(v.ctx, loops.ReadInput{Loop: loop, Title: "On <b>lighthouses</b>", Text: longEnough})
	if err != nil || out[0].ID == "" {
		t.Fatalf("%+v, %v", out, err)
	}
	return out[0].ID
}

// requireText reads a resource, whose text or error must have some words.
func (v visit) requireText(t *testing.T, uri, has string) string {
	t.Helper()
	result, fault := v.ask(t, "resources/read", uri, object{"uri": uri})
	content := result.Get("contents.0")
	if text := content.Get("text").Str; !strings.Contains(text+fault, has) || strings.Contains(text, ":null") || fault == "" &&
		(content.Get("uri").Str != uri || content.Get("mimeType").Str != "text/markdown") {
		t.Errorf("%s: %s %s; want %q", uri, fault, result, has)
	}
	return content.Get("text").Str
}

// The brief of a loop is short. Its report is refused as by the tool, until it passes.
func TestResourcesAreRead(t *testing.T) {
	v := newVisit(t)
	loop := v.loopAfter(t, v.ctx, 2)
	root := resources.Root + loop
	v.requireText(t, root+"/report", "the loop has no claims")
	id := v.paste(t, loop)
	v.requireText(t, root+"/report", "No text was checked")
	claim := loopstate.Claim{Claim: "The lighthouse at Cape Arden was built in 1874.", SourceIDs: []string{id}}
	if _, err := v.svc.Update(v.ctx, loop, "", loopstate.UpdateInput{Claims: []loopstate.Claim{claim}}); err != nil {
		t.Fatal(err)
	}
	brief := v.requireText(t, root+"/brief", "# Does a four-day week raise output?\n")
	if n := words.EstimateTokens(brief); n > loops.BriefTokens+300 {
		t.Errorf("the brief weighs %d tokens", n)
	}
	v.requireText(t, root+"/report", "Cape Arden was built in 1874")
	draft := fmt.Sprintf("The lighthouse was sold to a hotel chain in 2023 [%s:99999].", id) // no such line
	if _, err := v.svc.Verify(v.ctx, loops.VerifyInput{Loop: loop, Draft: draft}); err != nil {
		t.Fatal(err)
	}
	v.requireText(t, root+"/report", "the text did not pass")
}

// The list has the caller's loops, last changed first, and no more than a host should show a model.
func TestResourcesList(t *testing.T) {
	v := newVisit(t)
	var want []string
	for i := range 55 {
		want = append(want, resources.Root+v.loopAfter(t, v.ctx, i%2)+"/brief")
	}
	slices.Reverse(want)
	result, _ := v.ask(t, "resources/list", "", nil)
	var got []string
	for _, r := range result.Get("resources").Array() {
		got = append(got, r.Get("uri").Str)
		if r.Get("name").Str == "" || r.Get("title").Str == "" || r.Get("mimeType").Str == "" {
			t.Errorf("entry %s", r)
		}
	}
	if diff := cmp.Diff(want[:50], got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := words.EstimateTokens(result.Raw); n > loops.AnswerTokens {
		t.Errorf("the list weighs %d tokens", n)
	}
}

// Unknown addresses get the error code of the revision, a reason and a remedy. Loops of other owners are unknown.
func TestUnknownResources(t *testing.T) {
	v := newVisit(t)
	root := resources.Root + v.loopAfter(t, v.ctx, 1)
	unknown := "unknown resource; see resources/list and resources/templates/list"
	tests := [][2]string{
		{"citeloop://", unknown},
		{strings.TrimSuffix(resources.Root, "/") + "?owner=anna", unknown},
		{root, unknown},
		{root + "/", unknown},
		{root + "/sources/S1", unknown},
		{root + "/../" + v.other + "/brief", unknown},
		{strings.Replace(root, "loops/", "loops/../", 1) + "/brief", unknown},
		{strings.ReplaceAll(root, "-", "%2D") + "/brief", unknown},
		{root + "/brief\x00", unknown},
		{root + strings.Repeat("/x", 20_000), unknown},
		{"file:///etc/passwd", "resource not found"},
		{"https://example.org/" + strings.Repeat("x", 100_000), "resource not found"},
	}
	for _, id := range []string{unknownID, v.other, "x", strings.Repeat("a", 64)} {
		for _, tail := range []string{"/brief", "/report"} {
			tests = append(tests, [2]string{resources.Root + id + tail,
				"state_id: unknown loop; use the state_id that loop_init returned; loop_list shows your loops"})
		}
	}
	for _, tt := range tests {
		uri, why := tt[0], tt[1]
		body, err := json.Marshal(object{"jsonrpc": "2.0", "id": 5, "method": "resources/read", "params": object{"uri": uri}})
		if err != nil {
			t.Fatal(err)
		}
		_, text := v.post(t, string(body), map[string]string{"MCP-Protocol-Version": "2025-11-25"}) // it repeats no address in a header
		if !strings.Contains(text, `"code":-32002`) || !strings.Contains(text, why) || len(text) > 800 {
			t.Errorf("%.120q: %.800s; want %s", uri, text, why)
		}
	}
}
