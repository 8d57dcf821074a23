package storetest

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

func blobTests() []test {
	noise := make([]byte, 5<<20) // incompressible
	random := rand.NewChaCha8([32]byte{'b', 'l', 'o', 'b'})
	random.Read(noise) // never fails
	tests := []test{
		{"nil", func(t *testing.T, open func() handle) {
			h := open()
			if _, err := h.PutBlob(t.Context(), nil); err != nil {
				t.Fatal(err)
			}
			h.wantText("", true)
		}},
		{"unknown", func(t *testing.T, open func() handle) {
			h := open()
			h.put("known")
			near := loopstate.HashText([]byte("known"))
			near[31] ^= 1
			for _, hash := range []loopstate.Hash{{}, near, loopstate.HashText([]byte("unknown"))} {
				if text, err := h.Blob(t.Context(), hash); !errors.Is(err, loopstate.ErrNotFound) {
					t.Errorf("Blob(%s): %q, %v, want ErrNotFound", hash, text, err)
				}
			}
		}},
		{"does not keep the caller's bytes", func(t *testing.T, open func() handle) {
			h, text := open(), []byte("mine")
			hash, err := h.PutBlob(t.Context(), text)
			if err != nil {
				t.Fatal(err)
			}
			clear(text)
			for range 2 {
				got, err := h.Blob(t.Context(), hash)
				if err != nil || string(got) != "mine" {
					t.Fatalf("Blob: %q, %v", got, err)
				}
				clear(got)
			}
		}},
		{"one text from many callers", func(t *testing.T, open func() handle) {
			hs := []handle{open(), open()}
			text := bytes.Repeat([]byte("the same text, and long enough to be packed. "), 5000)
			want := loopstate.HashText(text)
			var putting sync.WaitGroup
			for i := range 12 {
				putting.Go(func() {
					if hash, err := hs[i%2].PutBlob(t.Context(), text); err != nil || hash != want {
						t.Errorf("PutBlob: %s, %v", hash, err)
					} else if got, err := hs[(i+1)%2].Blob(t.Context(), hash); err != nil || !bytes.Equal(got, text) {
						t.Errorf("Blob through the other handle: %d bytes, %v", len(got), err)
					}
				})
			}
			putting.Wait()
		}},
	}
	for name, text := range map[string]string{
		"empty": "", "one byte": "\x00", "a sentence": "Tea is a drink. 茶は飲み物です。", "not UTF-8": "caf\xe9 \xff\xfe\x00 \xc3\x28",
		"5 MB of one word": strings.Repeat("word ", 1<<20), "5 MB of noise": string(noise),
	} {
		tests = append(tests, test{name, func(t *testing.T, open func() handle) {
			h := open()
			for range 2 { // the second put changes nothing
				h.put(text)
				for _, h := range []handle{h, open()} {
					h.wantText(text, true)
				}
			}
		}})
	}
	return tests
}
