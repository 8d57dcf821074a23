package archive

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// Source is where the contents of a file come from.
type Source struct {
	Loop, Query string
	Version     int64    // number of the last event that is written
	Needed      []string // hashes of the texts that must be stored; others that an event names may be missing
	Generator   string   // program and version
	Events      iter.Seq2[loopstate.Event, error]
	// Blob returns a stored text by its hash, and [loopstate.ErrNotFound] if it is missing.
	Blob func(ctx context.Context, hash loopstate.Hash) ([]byte, error)
}

// Write writes a loop. The same source gives the same bytes.
func Write(ctx context.Context, w io.Writer, from Source) error {
	out := &writer{to: bufio.NewWriter(w), sum: sha256.New()}
	out.write(line{Format: format, StateID: from.Loop, Query: from.Query, Version: from.Version, Generator: from.Generator})
	var named []loopstate.Hash
	seen := map[loopstate.Hash]bool{}
	for e, err := range from.Events {
		if err != nil {
			return err
		}
		if e.Seq > from.Version {
			break
		}
		out.write(line{Event: &e})
		for h := range storage.HashesIn(e.Data) {
			if !seen[h] {
				seen[h], named = true, append(named, h)
			}
		}
	}
	texts := 0
	for _, h := range named {
		body, err := from.Blob(ctx, h)
		if errors.Is(err, loopstate.ErrNotFound) && !slices.Contains(from.Needed, h.String()) {
			continue // not the hash of a text, or a response that is not kept
		}
		if err != nil {
			return fmt.Errorf("archive: text %s: %w", h, err)
		}
		texts++
		if text := string(body); utf8.ValidString(text) {
			out.write(line{SHA256: h.String(), Text: &text})
		} else {
			out.write(line{SHA256: h.String(), Base64: body})
		}
	}
	out.write(line{End: true, Texts: texts, SHA256: hex.EncodeToString(out.sum.Sum(nil))})
	if out.err != nil {
		return out.err
	}
	return out.to.Flush()
}

// writer writes lines until its first error.
type writer struct {
	to  *bufio.Writer
	sum hash.Hash
	err error
}

func (w *writer) write(l line) {
	if w.err != nil {
		return
	}
	var encoded []byte
	if encoded, w.err = json.Marshal(l); w.err == nil {
		encoded = append(encoded, '\n')
		w.sum.Write(encoded)
		_, w.err = w.to.Write(encoded)
	}
}
