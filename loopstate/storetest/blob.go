package storetest

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/citeloop/citeloop/loopstate"
)

func testBlob(t *testing.T, fresh func(t *testing.T) Opener) {
	noise := make([]byte, 5<<20) // 5 MB that no compression makes smaller
	random := rand.NewChaCha8([32]byte{'b', 'l', 'o', 'b'})
	random.Read(noise) // never fails
	for _, tt := range []struct {
		name string
		text []byte
	}{
		{"empty", []byte{}},
		{"nil", nil},
		{"one byte", []byte{0}},
		{"a sentence", []byte("Tea is a drink. 茶は飲み物です。")},
		{"not UTF-8", []byte("caf\xe9 \xff\xfe\x00 \xc3\x28")},
		{"5 MB of one word", bytes.Repeat([]byte("word "), 1<<20)},
		{"5 MB of noise", noise},
	} {
		t.Run(tt.name, func(t *testing.T) {
			open := fresh(t)
			store := open.open(t)
			for range 2 { // the second time changes nothing
				hash, err := store.PutBlob(t.Context(), tt.text)
				if err != nil {
					t.Fatal(err)
				}
				if hash != sha256.Sum256(tt.text) {
					t.Errorf("PutBlob = %s, which is not the sha256", hash)
				}
				for name, handle := range map[string]loopstate.Store{"this handle": store, "another handle": open.open(t)} {
					got, err := handle.Blob(t.Context(), hash)
					if err != nil {
						t.Fatalf("Blob through %s: %v", name, err)
					}
					if !bytes.Equal(got, tt.text) {
						t.Errorf("Blob through %s: %d bytes that are not the %d kept", name, len(got), len(tt.text))
					}
				}
			}
		})
	}

	t.Run("unknown", func(t *testing.T) {
		store := one(t, fresh)
		if _, err := store.PutBlob(t.Context(), []byte("known")); err != nil {
			t.Fatal(err)
		}
		near := loopstate.HashText([]byte("known"))
		near[31] ^= 1
		for _, h := range []loopstate.Hash{{}, near, loopstate.HashText([]byte("unknown"))} {
			if text, err := store.Blob(t.Context(), h); !errors.Is(err, loopstate.ErrNotFound) {
				t.Errorf("Blob(%s): %q, %v, want ErrNotFound", h, text, err)
			}
		}
	})

	t.Run("the bytes are the caller's", func(t *testing.T) {
		store := one(t, fresh)
		text := []byte("mine")
		hash, err := store.PutBlob(t.Context(), text)
		if err != nil {
			t.Fatal(err)
		}
		clear(text)
		for range 2 {
			got, err := store.Blob(t.Context(), hash)
			if err != nil || string(got) != "mine" {
				t.Fatalf("Blob: %q, %v", got, err)
			}
			clear(got)
		}
	})

	t.Run("one text from many at once", func(t *testing.T) {
		open := fresh(t)
		stores := []loopstate.Store{open.open(t), open.open(t)}
		text := []byte(strings.Repeat("the same text, and long enough to be packed. ", 5000))
		want := loopstate.HashText(text)
		var putting sync.WaitGroup
		for i := range 12 {
			putting.Go(func() {
				hash, err := stores[i%2].PutBlob(t.Context(), text)
				if err != nil || hash != want {
					t.Errorf("PutBlob: %s, %v", hash, err)
					return
				}
				if got, err := stores[(i+1)%2].Blob(t.Context(), hash); err != nil || !bytes.Equal(got, text) {
					t.Errorf("Blob through the other handle: %d bytes, %v", len(got), err)
				}
			})
		}
		putting.Wait()
	})
}
