package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/storage"
)

// PutBlob stores a text of at most 64 MiB. It replaces a damaged text, so that fetching a source again repairs it.
func (s *Store) PutBlob(ctx context.Context, text []byte) (loopstate.Hash, error) {
	hash := loopstate.HashText(text)
	switch _, err := s.Blob(ctx, hash); {
	case err == nil:
		return hash, nil
	case !errors.Is(err, loopstate.ErrNotFound) && !errors.Is(err, storage.ErrDamaged):
		return loopstate.Hash{}, err
	}
	packed, err := s.base.Codec.PackTexts([][]byte{text}) // before taking the lock
	if err != nil {
		return loopstate.Hash{}, fmt.Errorf("sqlite: put text: %w", err)
	}
	if err := s.write(ctx, "put text", func(tx *sql.Tx) error { return putText(ctx, tx, packed[0]) }); err != nil {
		return loopstate.Hash{}, err
	}
	return hash, nil
}

func putText(ctx context.Context, tx *sql.Tx, text storage.PackedText) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO blobs (hash, text) VALUES (?, ?)
		ON CONFLICT (hash) DO UPDATE SET text = excluded.text WHERE text <> excluded.text`, text.Hash[:], text.Packed)
	return err
}

// Blob returns the text whose sha256 is h. The error is [storage.ErrDamaged] if the stored bytes differ.
func (s *Store) Blob(ctx context.Context, h loopstate.Hash) ([]byte, error) {
	var packed []byte
	found, err := s.readOne(ctx, []any{&packed}, `SELECT text FROM blobs WHERE hash = ?`, h[:])
	if err != nil {
		return nil, s.explain(ctx, "text", err)
	}
	if !found {
		return nil, fmt.Errorf("sqlite: text %s: %w", h, loopstate.ErrNotFound)
	}
	text, err := s.base.Codec.UnpackText(packed, h)
	if err != nil {
		return nil, fmt.Errorf("sqlite: %s: %w", s.path, err)
	}
	return text, nil
}
