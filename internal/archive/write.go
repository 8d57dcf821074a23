package archive

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
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
	out, sum := bufio.NewWriter(w), sha256.New()
	lines := json.NewEncoder(io.MultiWriter(out, sum))
	head := line{Format: format, StateID: from.Loop, Query: from.Query, Version: from.Version, Generator: from.Generator}
	if err := lines.Encode(head); err != nil {
		return err
	}
	var named []loopstate.Hash
	for e, err := range from.Events {
		if err == nil && e.Seq > from.Version {
			break
		}
		if err == nil {
			err = lines.Encode(line{Event: &e})
		}
		if err != nil {
			return err
		}
		named = slices.AppendSeq(named, storage.HashesIn(e.Data))
	}
	texts, seen := 0, map[loopstate.Hash]bool{}
	for _, h := range named {
		if seen[h] {
			continue
		}
		seen[h] = true
		body, err := from.Blob(ctx, h)
		if errors.Is(err, loopstate.ErrNotFound) && !slices.Contains(from.Needed, h.String()) {
			continue // not the hash of a text, or a response that is not kept
		}
		if err != nil {
			return fmt.Errorf("archive: text %s: %w", h, err)
		}
		texts++
		l := line{SHA256: h.String(), Base64: body}
		if text := string(body); utf8.ValidString(text) {
			l.Text, l.Base64 = &text, nil
		}
		if err := lines.Encode(l); err != nil {
			return err
		}
	}
	if err := lines.Encode(line{End: true, Texts: texts, SHA256: hex.EncodeToString(sum.Sum(nil))}); err != nil {
		return err
	}
	return out.Flush()
}
