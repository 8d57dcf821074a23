package server

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/server/resources"
)

const lighthouse = "The lighthouse at Cape Arden was built in 1874 by the engineer Maria Holt. It stands 42 metres high and its lamp " +
	"can be seen from 30 kilometres away. "

var longEnough = lighthouse + strings.Repeat("Nothing else of interest is said on this page about anything. ", 6)

// visit is a server that ben uses, and anna. TestTranscripts shows that both transports and eras give the same answers.
type visit struct {
	fixture
	ctx        context.Context // names ben
	url, token string
	other      string // anna's loop
}

func newVisit(t *testing.T) visit {
	t.Helper()
	h := newFixture(t)
	tokens, _, tokenOf := newTokens(t, "anna", "ben")
	return visit{h, loops.WithOwner(t.Context(), "ben"), h.serve(t, tokens).URL, tokenOf["ben"],
		h.loopAfter(t, loops.WithOwner(t.Context(), "anna"), 1)}
}

// paste adds a text to a loop as its next source.
func (v visit) paste(t *testing.T, loop, title, text string) string {
	t.Helper()
	out, err := v.svc.Read(v.ctx, loops.ReadInput{Loop: loop, Title: title, Text: text})
	if err != nil || out[0].ID == "" {
		t.Fatalf("%+v, %v", out, err)
	}
	return out[0].ID
}

// read returns the text of a resource, or the message of an error.
func (v visit) read(t *testing.T, uri string) (text, fault string) {
	t.Helper()
	var m struct{ Contents []mcp.TextResourceContents }
	result, fault := ask(t, v.url, v.token, "resources/read", uri, map[string]any{"uri": uri})
	if fault != "" {
		return "", fault
	}
	if err := json.Unmarshal(result, &m); err != nil || len(m.Contents) != 1 || m.Contents[0].URI != uri ||
		m.Contents[0].MIMEType != "text/markdown" {
		t.Fatalf("%s: %v: %s", uri, err, result)
	}
	return m.Contents[0].Text, ""
}

func TestResourcesAreRead(t *testing.T) {
	v := newVisit(t)
	loop := v.loopAfter(t, v.ctx, 2)
	claim := loopstate.ClaimInput{Claim: "The lighthouse at Cape Arden was built in 1874.",
		SourceIDs: []string{v.paste(t, loop, "On <b>lighthouses</b>", longEnough)}}
	if _, err := v.svc.Update(v.ctx, loop, "", loopstate.UpdateInput{Claims: []loopstate.ClaimInput{claim}}); err != nil {
		t.Fatal(err)
	}
	for part, has := range map[string]string{"brief": "# Does a four-day week raise output?\n", "report": "Cape Arden was built in 1874"} {
		text, fault := v.read(t, resources.Root+loop+"/"+part)
		if fault != "" || !strings.Contains(text, has) || strings.Contains(text, ":null") {
			t.Errorf("%s: %s %q, want one with %q", part, fault, text, has)
		}
		if n := words.EstimateTokens(text); part == "brief" && n > loops.BriefTokens+300 {
			t.Errorf("the brief weighs %d tokens", n)
		}
	}
}

// The list has the caller's loops, last changed first, and no more than a host should show a model.
func TestResourcesList(t *testing.T) {
	v := newVisit(t)
	var want []string
	for i := range 55 {
		want = append(want, resources.Root+v.loopAfter(t, v.ctx, i%2)+"/brief")
	}
	slices.Reverse(want)
	var m mcp.ListResourcesResult
	result, fault := ask(t, v.url, v.token, "resources/list", "", map[string]any{})
	if err := json.Unmarshal(result, &m); err != nil || fault != "" {
		t.Fatal(err, fault)
	}
	var got []string
	for _, r := range m.Resources {
		got = append(got, r.URI)
		if r.Name == "" || r.Title == "" || r.MIMEType == "" {
			t.Errorf("entry %+v", r)
		}
	}
	if diff := cmp.Diff(want[:50], got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if n := words.EstimateTokens(string(result)); n > loops.AnswerTokens {
		t.Errorf("the list weighs %d tokens", n)
	}
}

// A report that does not pass is rejected, as by the tool.
func TestReportResourceRefuses(t *testing.T) {
	v := newVisit(t)
	loop := v.loopAfter(t, v.ctx, 0)
	report := resources.Root + loop + "/report"
	if _, fault := v.read(t, report); !strings.Contains(fault, "the loop has no claims") {
		t.Errorf("without claims and sources: %s", fault)
	}
	id := v.paste(t, loop, "T", longEnough)
	if text, fault := v.read(t, report); !strings.Contains(text, "No text was checked") {
		t.Errorf("without claims: %s %s", text, fault)
	}
	draft := fmt.Sprintf("The lighthouse was sold to a hotel chain in 2023 [%s:99999].", id) // no such line
	if _, err := v.svc.Verify(v.ctx, loops.VerifyInput{Loop: loop, Draft: draft}); err != nil {
		t.Fatal(err)
	}
	if _, fault := v.read(t, report); !strings.Contains(fault, "the text did not pass") {
		t.Error(fault)
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
		header := with(v.token, map[string]string{"MCP-Protocol-Version": "2025-11-25"}) // which repeats no address in a header
		_, text := post(t, v.url, requestOf(5, "resources/read", string(mustJSON(t, map[string]any{"uri": uri}))), header)
		if !strings.Contains(text, `"code":-32002`) || !strings.Contains(text, why) || len(text) > 800 {
			t.Errorf("%.120q: %.800s; want %s", uri, text, why)
		}
	}
}
