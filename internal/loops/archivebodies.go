package loops

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/loopstate"
)

// keptBodies are the hashes of what the sources were taken from, as far as it was kept, each once and in order.
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

// body is what a source was taken from, or nil when it is not kept.
func (s *Service) body(ctx context.Context, hash string) ([]byte, error) {
	h, err := loopstate.ParseHash(hash)
	if err != nil {
		return nil, err
	}
	body, err := s.Store.Blob(ctx, h)
	if errors.Is(err, loopstate.ErrNotFound) { // a citation rests on the text alone; without the body it stands
		return nil, nil
	}
	return body, err
}

// exportBodies writes what the sources were taken from, and returns how many files that are.
func (s *Service) exportBodies(ctx context.Context, z *zip.Writer, names []string) (int, error) {
	n := 0
	for _, name := range names {
		body, err := s.body(ctx, name)
		if err != nil {
			return n, fmt.Errorf("loops: exporting body %s: %w", name, err)
		}
		if body == nil {
			continue
		}
		if err := addFile(z, bodiesFolder+name, body); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

// importBodies checks and keeps what an archive has of them, which is as many as its manifest says.
func (s *Service) importBodies(ctx context.Context, z *zip.Reader, names []string, want int) error {
	n := 0
	for _, name := range names {
		if f, err := z.Open(bodiesFolder + name); err != nil {
			continue
		} else if err := f.Close(); err != nil {
			return damaged("body %s cannot be read: %v", name, err)
		}
		body, err := readFile(z, bodiesFolder+name, maxArchiveText)
		if err != nil {
			return err
		}
		if loopstate.HashText(body).String() != name {
			return damaged("body %s has been changed", name)
		}
		if _, err := s.Store.PutBlob(ctx, body); err != nil {
			return err
		}
		n++
	}
	if n != want {
		return damaged("it has %d of the %d bodies that its manifest counts", n, want)
	}
	return nil
}
