package archive

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"slices"

	"golang.org/x/crypto/ssh"

	"github.com/citeloop/citeloop/loopstate"
)

// Source is where an archive's contents come from.
type Source struct {
	Loop, Query string
	Version     int64 // number of the last event that is written
	Sources     []loopstate.Source
	Generator   string // program and version
	Events      iter.Seq2[loopstate.Event, error]
	// Blob returns a stored text or response by its hash, and [loopstate.ErrNotFound] if it is missing.
	Blob func(ctx context.Context, hash loopstate.Hash) ([]byte, error)
}

// Write writes an archive. The same source gives the same bytes, but for the signature. signer signs it; nil leaves it unsigned.
func Write(ctx context.Context, w io.Writer, from Source, signer ssh.Signer) error {
	m := manifest{Format: archiveFormat, StateID: from.Loop, Query: from.Query, Version: from.Version, Generator: from.Generator}
	log, hashes, err := logOf(from)
	if err != nil {
		return err
	}
	m.Events, m.Texts = loopstate.HashText(log).String(), len(hashes)

	z := zip.NewWriter(w)
	if err := addFile(z, eventsName, log); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(hashes)) {
		if _, err := addBlob(ctx, z, from, name, textsFolder+name+".txt", false); err != nil {
			return err
		}
	}
	for _, name := range keptBodies(from.Sources) {
		added, err := addBlob(ctx, z, from, name, bodiesFolder+name, true)
		if err != nil {
			return err
		}
		if added {
			m.Bodies++
		}
	}
	return closeSigned(z, manifestName, m, signer)
}

// closeSigned ends a zip file with what describes the other files, and its signature.
func closeSigned(z *zip.Writer, name string, about any, signer ssh.Signer) error {
	body, err := json.MarshalIndent(about, "", "  ")
	if err != nil {
		return err
	}
	if err := addFile(z, name, body); err != nil {
		return err
	}
	if signer != nil {
		signature, err := sign(signer, body)
		if err != nil {
			return err
		}
		if err := addFile(z, name+".sig", signature); err != nil {
			return err
		}
	}
	return z.Close()
}

// logOf returns the log of a loop, one event a line, and the hashes of all texts that it names.
func logOf(from Source) ([]byte, map[string]bool, error) {
	hashes := map[string]bool{}
	for _, src := range from.Sources {
		hashes[src.SHA256] = true
	}
	var log bytes.Buffer
	for e, err := range from.Events {
		if err != nil {
			return nil, nil, err
		}
		if e.Seq > from.Version {
			break
		}
		if hash := namedText(e); hash != "" {
			hashes[hash] = true
		}
		line, err := json.Marshal(e)
		if err != nil {
			return nil, nil, fmt.Errorf("archive: event %d: %w", e.Seq, err)
		}
		log.Write(append(line, '\n'))
	}
	return log.Bytes(), hashes, nil
}

// addBlob adds a stored text or response under a name, and reports whether it is stored. A citation needs the text only, so a
// missing response is left out.
func addBlob(ctx context.Context, z *zip.Writer, from Source, hash, name string, optional bool) (bool, error) {
	h, err := loopstate.ParseHash(hash)
	if err != nil {
		return false, err
	}
	body, err := from.Blob(ctx, h)
	if optional && errors.Is(err, loopstate.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("archive: %s: %w", name, err)
	}
	return true, addFile(z, name, body)
}

func addFile(z *zip.Writer, name string, body []byte) error {
	f, err := z.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	return err
}

// keptBodies returns the hashes of the sources' stored responses, sorted, each once.
func keptBodies(sources []loopstate.Source) []string {
	var names []string
	for _, src := range sources {
		if src.Capture != nil && src.Capture.Kept {
			names = append(names, src.Capture.SHA256)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// namedText returns the hash of the synthesis or draft that an event names, or "".
func namedText(e loopstate.Event) string {
	if e.Kind != loopstate.KindClosed && e.Kind != loopstate.KindVerified {
		return ""
	}
	switch p, _ := loopstate.Decode(e); p := p.(type) {
	case *loopstate.Closed:
		return p.Synthesis
	case *loopstate.Verified:
		return p.DraftText
	}
	return ""
}
