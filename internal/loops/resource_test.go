package loops_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

func TestReadSpan(t *testing.T) {
	h := newHarness(t)
	loop := h.start("q")
	text := strings.TrimSpace(strings.Repeat("Ein Größer über 灯塔 𝄞. ", 30_000)) // 21 code points each
	chars := len([]rune(text))
	h.web.put("https://example.org/a", "A", text)
	h.read(loop, "https://example.org/a")
	tests := []struct {
		name             string
		start, end       int
		wantFrom, wantTo int
		cut              bool
	}{
		{"from the beginning, to the bound", 0, 0, 0, loops.MaxSpanChars, true},
		{"a stretch", 16, 18, 16, 18, true},
		{"the last character", chars - 1, chars, chars - 1, chars, false},
		{"beyond the end", chars - 5, chars + 5, chars - 5, chars, false},
		{"to the end", chars - 5, 0, chars - 5, chars, false},
		{"longer than the bound", 10, chars, 10, 10 + loops.MaxSpanChars, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := h.ReadSpan(t.Context(), loop, "S1", tt.start, tt.end)
			if err != nil {
				t.Fatal(err)
			}
			if got.Start != tt.wantFrom || got.End != tt.wantTo || got.Cut() != tt.cut || got.Chars != chars || got.Text != string([]rune(text)[tt.wantFrom:tt.wantTo]) {
				t.Errorf("%d to %d of %d, cut %v, %d bytes", got.Start, got.End, got.Chars, got.Cut(), len(got.Text))
			}
		})
	}
	for _, span := range [][2]int{{-1, 5}, {0, -1}, {5, 5}, {9, 3}, {chars, 0}, {chars, chars + 1}, {chars + 1, chars + 2}} {
		_, err := h.ReadSpan(t.Context(), loop, "S1", span[0], span[1])
		refusal(t, err, "span", loopstate.CodeBadSpan)
	}
	_, err := h.ReadSpan(t.Context(), loop, "S2", 0, 0)
	refusal(t, err, "source", loopstate.CodeUnreadSource)
}

// The use cases of resources return the same error for unknown loops and those of other owners.
func TestResourcesOfOthers(t *testing.T) {
	h := newHarness(t)
	loop := h.start("q")
	h.web.put("https://example.org/a", "A", "Text.")
	h.read(loop, "https://example.org/a")
	otherOwner := loops.WithOwner(t.Context(), "somebody else")
	for _, id := range []string{loop, uuid.NewString(), "../" + loop, ""} {
		calls := map[string]func() error{
			"revision": func() error { _, err := h.Revision(otherOwner, id); return err },
			"follow":   func() error { _, err := h.Follow(otherOwner, id); return err },
			"rounds":   func() error { _, err := h.Rounds(otherOwner, id); return err },
			"sources":  func() error { _, err := h.Sources(otherOwner, id); return err },
			"source":   func() error { _, err := h.Source(otherOwner, id, "S1"); return err },
			"span":     func() error { _, err := h.ReadSpan(otherOwner, id, "S1", 0, 0); return err },
			"complete": func() error {
				ids, _, err := h.CompleteSource(otherOwner, id, "", 10)
				if len(ids) > 0 {
					t.Errorf("sources of others: %v", ids)
				}
				return err
			},
		}
		for name, call := range calls {
			t.Run(name, func(t *testing.T) { refusal(t, call(), "loop", loopstate.CodeUnknownLoop) })
		}
	}
	if heads, err := h.Heads(otherOwner); err != nil || len(heads) != 0 {
		t.Errorf("heads of others: %v, %v", heads, err)
	}
}

func TestCompleteSource(t *testing.T) {
	h := newHarness(t)
	loop := h.start("q")
	for _, title := range []string{"On Lighthouses", "On harbours", "A lighthouse of the north"} {
		url := "https://example.org/" + title[len(title)-3:]
		h.web.put(url, title, title+" "+url)
		h.read(loop, url)
	}
	tests := []struct {
		typed string
		limit int
		want  []string
		total int
	}{
		{"", 10, []string{"S3", "S2", "S1"}, 3},
		{"", 2, []string{"S3", "S2"}, 3},
		{"s2", 10, []string{"S2"}, 1},
		{"LIGHTHOUSE", 10, []string{"S3", "S1"}, 2},
		{"north light", 10, []string{"S3"}, 1},
		{"none", 10, nil, 0},
	}
	for _, tt := range tests {
		t.Run(tt.typed, func(t *testing.T) {
			got, total, err := h.CompleteSource(t.Context(), loop, tt.typed, tt.limit)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || total != tt.total {
				t.Errorf("total %d (-want +got):\n%s", total, diff)
			}
		})
	}
}

// Follow reports changes by other processes, and Revision has the new version.
func TestFollow(t *testing.T) {
	h := newHarness(t)
	loop := h.start("q")
	changed, err := h.Follow(t.Context(), loop)
	if err != nil {
		t.Fatal(err)
	}
	before, err := h.Revision(t.Context(), loop)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.service().Reflect(t.Context(), loop, "", loopstate.CloseInput{}, nil); err != nil {
		t.Fatal(err)
	}
	for {
		if _, ok := <-changed; !ok {
			t.Fatal("the channel was closed")
		}
		now, err := h.Revision(t.Context(), loop)
		if err != nil {
			t.Fatal(err)
		}
		if now.Version > before.Version && now.Round == before.Round+1 {
			return
		}
	}
}
