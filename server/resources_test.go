package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/server/resources"
)

// visit is a client of a fixture and the owner for whom it calls.
type visit struct {
	*client.Client
	h     fixture
	ctx   context.Context // names the owner
	way   string          // stdio or http
	era   string
	end   func() // ends the session and the server, and waits until they have
	other string // a loop of another owner
}

// ways are the transports.
var ways = []string{"stdio", "http"}

// everyWay runs a test with a real client in both eras over both transports.
func everyWay(t *testing.T, test func(t *testing.T, v visit)) {
	t.Helper()
	for era := range eras {
		for _, way := range ways {
			t.Run(way+" "+era, func(t *testing.T) { test(t, newVisit(t, way, era)) })
		}
	}
}

// newVisit connects a client to a fixture of its own. Over HTTP there are two owners.
func newVisit(t *testing.T, way, era string) visit {
	t.Helper()
	h := newFixture(t)
	v := &visit{h: h, way: way, era: era, ctx: t.Context(), other: h.loopAfter(t, loops.WithOwner(t.Context(), "anna"), 1)}
	var tr transport.Interface
	var stop func()
	if way == "stdio" {
		tr, stop = overStdio(t, h)
	} else {
		tokens, _, tokenOf := newTokens(t, "anna", "ben")
		ts := h.serve(t, tokens)
		v.ctx = loops.WithOwner(t.Context(), "ben")
		stop = func() {
			v.Close()
			ts.CloseClientConnections()
			ts.Close()
		}
		overHTTP := []transport.StreamableHTTPCOption{transport.WithHTTPLogger(slog.New(slog.DiscardHandler)),
			transport.WithHTTPHeaders(map[string]string{"Authorization": "Bearer " + tokenOf["ben"]})}
		var err error
		if tr, err = transport.NewStreamableHTTP(ts.URL+Endpoint, overHTTP...); err != nil {
			t.Fatal(err)
		}
	}
	v.Client = connect(t, tr, eras[era])
	v.end = sync.OnceFunc(func() {
		stop()
		v.Close()
	})
	t.Cleanup(v.end)
	return *v
}

// paste adds a text to a loop as its next source.
func (v visit) paste(t *testing.T, loop, title, text string) string {
	t.Helper()
	out, err := v.h.svc.Read(v.ctx, loops.ReadInput{Loop: loop, Title: title, Text: text})
	if err != nil || out[0].ID == "" {
		t.Fatalf("%+v, %v", out, err)
	}
	return out[0].ID
}

func (v visit) read(uri string) ([]mcp.TextResourceContents, error) {
	var req mcp.ReadResourceRequest
	req.Params.URI = uri
	result, err := v.ReadResource(v.ctx, req)
	if err != nil {
		return nil, err
	}
	var out []mcp.TextResourceContents
	for _, c := range result.Contents {
		text, ok := c.(mcp.TextResourceContents)
		if !ok {
			return nil, fmt.Errorf("contents are %T", c)
		}
		out = append(out, text)
	}
	return out, nil
}

func (v visit) mustRead(t *testing.T, uri string) mcp.TextResourceContents {
	t.Helper()
	out, err := v.read(uri)
	if err != nil || len(out) == 0 || out[0].URI != uri {
		t.Fatalf("%s: %+v, %v", uri, out, err)
	}
	return out[0]
}

const lighthouse = "The lighthouse at Cape Arden was built in 1874 by the engineer Maria Holt. It stands 42 metres high and its lamp " +
	"can be seen from 30 kilometres away. "

var longEnough = lighthouse + strings.Repeat("Nothing else of interest is said on this page about anything. ", 6)

func TestResourcesAreRead(t *testing.T) {
	everyWay(t, func(t *testing.T, v visit) {
		loop := v.h.loopAfter(t, v.ctx, 2)
		id := v.paste(t, loop, "On <b>lighthouses</b>", longEnough)
		claim := loopstate.ClaimInput{Claim: "The lighthouse at Cape Arden was built in 1874.", SourceIDs: []string{id}}
		if _, err := v.h.svc.Update(v.ctx, loop, "", loopstate.UpdateInput{Claims: []loopstate.ClaimInput{claim}}); err != nil {
			t.Fatal(err)
		}
		root := resources.Root + loop
		tests := []struct{ uri, mediaType, has string }{
			{root + "/brief", "text/markdown", "# Does a four-day week raise output?\n"},
			{root + "/report", "text/markdown", "Cape Arden was built in 1874"},
			{root + "/sources/S1", "text/plain", lighthouse},
			{root + "/sources/S1/4-14", "text/plain", "lighthouse"},
		}
		for _, tt := range tests {
			got := v.mustRead(t, tt.uri)
			if got.MIMEType != tt.mediaType || !strings.Contains(strings.ToLower(got.Text), strings.ToLower(tt.has)) {
				t.Errorf("%s: %s %q, want %s with %q", tt.uri, got.MIMEType, got.Text, tt.mediaType, tt.has)
			}
			if strings.Contains(got.Text, ":null") {
				t.Errorf("%s answers null: %s", tt.uri, got.Text)
			}
		}
		source := v.mustRead(t, root+"/sources/S1")
		if source.Text != strings.TrimSpace(longEnough) || source.Meta["citeloop/untrusted"] != true {
			t.Errorf("the stored text came as %q, marked %v", source.Text, source.Meta)
		}
		if n := words.EstimateTokens(v.mustRead(t, root+"/brief").Text); n > loops.BriefTokens+300 {
			t.Errorf("the brief weighs %d tokens", n)
		}
	})
}

// A report that does not pass is rejected, as by the tool.
func TestReportResourceRefuses(t *testing.T) {
	everyWay(t, func(t *testing.T, v visit) {
		loop := v.h.loopAfter(t, v.ctx, 0)
		if _, err := v.read(resources.Root + loop + "/report"); err == nil || !strings.Contains(err.Error(), "the loop has no claims") {
			t.Errorf("without claims and sources: %v", err)
		}
		id := v.paste(t, loop, "T", longEnough)
		if got := v.mustRead(t, resources.Root+loop+"/report"); !strings.Contains(got.Text, "No text was checked") {
			t.Errorf("without claims: %s", got.Text)
		}
		draft := fmt.Sprintf("The lighthouse was sold to a hotel chain in 2023 [%s:99999].", id) // no such line
		if _, err := v.h.svc.Verify(v.ctx, loops.VerifyInput{Loop: loop, Draft: draft}); err != nil {
			t.Fatal(err)
		}
		if _, err := v.read(resources.Root + loop + "/report"); err == nil || !strings.Contains(err.Error(), "the text did not pass") {
			t.Errorf("%v", err)
		}
	})
}

// Unknown addresses get the error code of the revision, a reason and a remedy. Loops of other owners are unknown.
func TestUnknownResources(t *testing.T) {
	everyWay(t, func(t *testing.T, v visit) {
		loop := v.h.loopAfter(t, v.ctx, 1)
		v.paste(t, loop, "T", longEnough)
		want := mcp.ErrResourceNotFound
		if v.era == "2026-07-28" {
			want = mcp.ErrInvalidParams
		}
		root := resources.Root + loop
		unknown := "unknown resource; see resources/list and resources/templates/list"
		tests := []struct{ uri, why string }{
			{"citeloop://", unknown},
			{strings.TrimSuffix(resources.Root, "/") + "?owner=anna", unknown},
			{root, unknown},
			{"file:///etc/passwd", "resource not found"},
			{"https://example.org/" + strings.Repeat("x", 100_000), "resource not found"},
			{root + "/", unknown},
			{root + "/../" + v.other + "/brief", unknown},
			{resources.Root + "../" + loop, unknown},
			{resources.Root + "%2e%2e/" + loop, unknown},
			{resources.Root + strings.ReplaceAll(loop, "-", "%2D"), unknown},
			{root + "\x00", unknown},
			{root + "/sources/../../" + v.other, unknown},
			{root + "/sources/S1/1-2-3", unknown},
			{root + "/sources/S1/0-99999999999999999999", unknown},
			{root + strings.Repeat("/x", 50_000), unknown},
			{root + "/sources/S9", "source_id: source never read in this loop: \"S9\""},
			{root + "/sources/S1/10-10", "invalid span: 10 to 10 of a text of"},
			{root + "/sources/S1/100000-100001", "invalid span: 100000 to 100001 of a text of "},
			{loop, "resource not found"},
		}
		for _, id := range []string{unknownID, v.other, "x", strings.Repeat("a", 64)} {
			for _, tail := range []string{"/brief", "/report", "/sources/S1", "/sources/S1/0-10"} {
				tests = append(tests, struct{ uri, why string }{resources.Root + id + tail,
					"state_id: unknown loop; use the state_id that loop_init returned; loop_list shows your loops"})
			}
		}
		for _, tt := range tests {
			out, err := v.read(tt.uri)
			if !errors.Is(err, want) || !strings.Contains(err.Error(), tt.why) {
				t.Errorf("%.120q: %v, %v; want %v because %s", tt.uri, out, err, want, tt.why)
				continue
			}
			if len(err.Error()) > 600 {
				t.Errorf("%.120q is answered with %d bytes", tt.uri, len(err.Error()))
			}
		}
	})
}

// A part of a long text names the address of the next part, and all parts together are the text.
func TestHugeSource(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short: reads megabytes")
	}
	everyWay(t, func(t *testing.T, v visit) {
		loop := v.h.loopAfter(t, v.ctx, 0)
		huge := strings.TrimSpace(strings.Repeat("Ein größerer Satz über 灯塔 und 𝄞. ", 33_000)) // 1,088,999 code points
		v.paste(t, loop, "Huge", huge)
		uri, parts, reads := resources.Root+loop+"/sources/S1", "", 0
		for uri != "" {
			out, err := v.read(uri)
			if err != nil {
				t.Fatalf("%s: %v", uri, err)
			}
			if n := len([]rune(out[0].Text)); n > loops.MaxSpanChars {
				t.Fatalf("%s: %d characters", uri, n)
			}
			parts, uri = parts+out[0].Text, ""
			if reads++; len(out) == 2 {
				if !strings.Contains(out[1].Text, "the rest begins at "+out[1].URI) {
					t.Errorf("%q, %s", out[1].Text, out[1].URI)
				}
				uri = out[1].URI
			}
			if uri == "" && reads < 3 { // a span names only the rest of itself
				if end := len([]rune(parts)); end < len([]rune(huge)) {
					uri = fmt.Sprintf("%s%s/sources/S1/%d-%d", resources.Root, loop, end, end+loops.MaxSpanChars)
				}
			}
		}
		if parts != huge || reads != 3 {
			t.Errorf("%d reads gave %d bytes, want the %d of the text", reads, len(parts), len(huge))
		}
	})
}
