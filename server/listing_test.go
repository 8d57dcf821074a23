package server

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/server/resources"
)

func TestResourcesList(t *testing.T) {
	everyWay(t, func(t *testing.T, v visit) {
		var want []string
		var begun []string
		for i := range 70 {
			begun = append(begun, v.h.loopAfter(t, v.ctx, i%2))
		}
		for _, loop := range slices.Backward(begun) {
			want = append(want, resources.Root+loop+"/brief")
		}
		var got []string
		var req mcp.ListResourcesRequest
		pages := 0
		for {
			result, err := v.ListResourcesByPage(v.ctx, req)
			if err != nil {
				t.Fatal(err)
			}
			body, err := json.Marshal(result.Resources)
			if err != nil {
				t.Fatal(err)
			}
			if n := words.EstimateTokens(string(body)); n > loops.AnswerTokens {
				t.Errorf("a page weighs %d tokens", n)
			}
			for _, r := range result.Resources {
				got = append(got, r.URI)
				if r.Name == "" || r.Title == "" || r.MIMEType == "" {
					t.Errorf("entry %+v", r)
				}
			}
			if pages++; result.NextCursor == "" {
				break
			}
			req.Params.Cursor = result.NextCursor
		}
		if diff := cmp.Diff(want, got); diff != "" || pages < 2 {
			t.Errorf("%d pages (-want +got):\n%s", pages, diff)
		}
		for _, cursor := range []string{"garbage", "Lg==", base64.StdEncoding.EncodeToString([]byte("../x"))} {
			req.Params.Cursor = mcp.Cursor(cursor)
			if _, err := v.ListResourcesByPage(v.ctx, req); !errors.Is(err, mcp.ErrInvalidParams) {
				t.Errorf("cursor %q: %v", cursor, err)
			}
		}
	})
}

// Only resources that never change may be cached, by their owner alone. The older era has no such hints.
func TestResourceCacheHints(t *testing.T) {
	everyWay(t, func(t *testing.T, v visit) {
		loop := v.h.loopAfter(t, v.ctx, 0)
		v.paste(t, loop, "T", longEnough)
		fixed := time.Hour.Milliseconds()
		for uri, want := range map[string]int64{"/brief": 0, "/sources/S1": fixed, "/sources/S1/0-10": fixed} {
			var req mcp.ReadResourceRequest
			req.Params.URI = resources.Root + loop + uri
			result, err := v.ReadResource(v.ctx, req)
			if err != nil {
				t.Fatal(err)
			}
			ttl, said := result.TTL()
			if said != (v.era == "2026-07-28") || said && (ttl != want || result.CacheScope != mcp.CacheScopePrivate) {
				t.Errorf("%s: ttl %d %v, scope %q; want %d", uri, ttl, said, result.CacheScope, want)
			}
		}
	})
}
