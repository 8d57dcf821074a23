package loopstate

import "testing"

// logBytes returns the size of the events' data.
func logBytes(log []Event) (n int64) {
	for _, e := range log {
		n += int64(len(e.Data))
	}
	return n
}

func TestStoredBytes(t *testing.T) {
	source := func(key, hash string, bytes int) Source {
		return Source{URL: "https://example.com/" + key, Key: key, SHA256: hash, Chars: 2, TextBytes: bytes}
	}
	captured := func(src Source, hash string, bytes int, kept bool) Source {
		src.Capture = &Capture{SHA256: hash, Bytes: bytes, Kept: kept}
		return src
	}
	read := func(sources ...Source) func(*history) {
		return func(h *history) {
			p, err := h.state.Read(sources, nil)
			h.must(p, err)
		}
	}
	for _, tt := range []struct {
		name  string
		steps []func(*history)
		texts int64 // without the log
	}{
		{"a new loop", nil, 0},
		{"a text", []func(*history){read(source("a", "h1", 300))}, 300},
		{"one text under two addresses", []func(*history){read(source("a", "h1", 300), source("b", "h1", 300))}, 300},
		{"again in another call", []func(*history){read(source("a", "h1", 300)), read(source("b", "h1", 300), source("c", "h2", 50))}, 350},
		{"one address read twice", []func(*history){read(source("a", "h1", 300)), read(source("a", "h2", 400))}, 300},
		{"with the body it came from", []func(*history){read(captured(source("a", "h1", 300), "b1", 9000, true))}, 9300},
		{"a body that is not kept", []func(*history){read(captured(source("a", "h1", 300), "b1", 9000, false))}, 300},
		{"a body that is the text", []func(*history){read(captured(source("a", "h1", 300), "h1", 300, true))}, 300},
		{"a body that the loop has", []func(*history){read(captured(source("a", "h1", 300), "b1", 9000, true)), read(captured(source("b", "h2", 200), "b1", 9000, true))}, 9500},
		{"a draft, verified twice", []func(*history){func(h *history) { h.draft("日本語", "fail"); h.draft("日本語", "pass") }}, 9},
		{"a synthesis", []func(*history){func(h *history) { h.close(CloseInput{Synthesis: "日本語", SynthesisHash: "h3"}) }}, 9},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := begin(t, StartInput{Query: "q"})
			for _, step := range tt.steps {
				step(h)
			}
			want := logBytes(h.log) + tt.texts
			if got := h.state.Head().Stored; got != want {
				t.Errorf("the head says %d bytes, want %d", got, want)
			}
			if got := restored(t, h.state).Stored; got != want {
				t.Errorf("a snapshot says %d bytes, want %d", got, want)
			}
		})
	}
}
