package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/citeloop/citeloop/loopstate"
)

// PutBlob keeps a text of at most 64 MiB. A kept text that can no longer be read is replaced, so that
// fetching a source again mends it.
func (s *Store) PutBlob(ctx context.Context, text []byte) (loopstate.Hash, error) {
	hash := loopstate.HashText(text)
	switch _, err := s.Blob(ctx, hash); {
	case err == nil:
		return hash, nil
	case !errors.Is(err, loopstate.ErrNotFound) && !errors.Is(err, ErrDamaged):
		return loopstate.Hash{}, err
	}
	leave, err := s.enter()
	if err != nil {
		return loopstate.Hash{}, s.explain(ctx, "put text", err)
	}
	defer leave()
	packed, err := s.codec.Pack(text) // before the lock is taken
	if err != nil {
		return loopstate.Hash{}, fmt.Errorf("sqlite: put text: %w", err)
	}
	err = s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO blobs (hash, text) VALUES (?, ?)
			ON CONFLICT (hash) DO UPDATE SET text = excluded.text`, hash[:], packed)
		return err
	})
	if err != nil {
		return loopstate.Hash{}, s.explain(ctx, "put text", err)
	}
	return hash, nil
}

// Blob returns a text whose sha256 is h, or an error that is [ErrDamaged] if the kept bytes are others.
func (s *Store) Blob(ctx context.Context, h loopstate.Hash) ([]byte, error) {
	var packed []byte
	found, err := s.readOne(ctx, []any{&packed}, `SELECT text FROM blobs WHERE hash = ?`, h[:])
	if err != nil {
		return nil, s.explain(ctx, "text", err)
	}
	if !found {
		return nil, fmt.Errorf("sqlite: text %s: %w", h, loopstate.ErrNotFound)
	}
	text, err := s.codec.Unpack(packed)
	if err == nil && loopstate.HashText(text) != h {
		err = errors.New("its sha256 is another")
	}
	if err != nil {
		return nil, fmt.Errorf("sqlite: text %s: %w: the text in %s is not the one that was kept; fetch its source again: %w", h, ErrDamaged, s.path, err)
	}
	return text, nil
}
