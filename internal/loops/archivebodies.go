package loops

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/citeloop/citeloop/loopstate"
)

// keptBodies returns the hashes of the sources' stored bodies, sorted, each once.
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

// body returns the stored body with a hash, or nil if it is missing.
func (s *Service) body(ctx context.Context, hash string) ([]byte, error) {
	h, err := loopstate.ParseHash(hash)
	if err != nil {
		return nil, err
	}
	body, err := s.Store.Blob(ctx, h)
	if errors.Is(err, loopstate.ErrNotFound) { // a citation needs the text only
		return nil, nil
	}
	return body, err
}

// exportBodies writes bodies and returns their number.
func (s *Service) exportBodies(ctx context.Context, z *zip.Writer, names []string) (int, error) {
	n := 0
	for _, name := range names {
		body, err := s.body(ctx, name)
		if err != nil {
			return n, fmt.Errorf("loops: export body %s: %w", name, err)
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

// importBodies checks and stores the bodies of an archive, which has want of them.
func (s *Service) importBodies(ctx context.Context, z *zip.Reader, names []string, want int) error {
	n := 0
	for _, name := range names {
		if f, err := z.Open(bodiesFolder + name); err != nil {
			continue
		} else if err := f.Close(); err != nil {
			return damaged("body %s is not readable: %v", name, err)
		}
		if err := s.importBlob(ctx, z, bodiesFolder+name, "body", name); err != nil {
			return err
		}
		n++
	}
	if n != want {
		return damaged("it has %d bodies, its manifest says %d", n, want)
	}
	return nil
}
