package postgres

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/citeloop/citeloop/loopstate"
)

// PutBlob stores a text of at most 64 MiB. It replaces a damaged text, so that fetching a source again repairs it.
func (s *Store) PutBlob(ctx context.Context, text []byte) (loopstate.Hash, error) {
	hash := loopstate.HashText(text)
	packed, err := s.base.Codec.Pack(text)
	if err != nil {
		return loopstate.Hash{}, fmt.Errorf("postgres: put text: %w", err)
	}
	sum := sha256.Sum256(packed)
	err = s.write(ctx, "put text", func(ctx context.Context, conn *pgxpool.Conn) error {
		// A text that is already stored intact need not be sent.
		var kept bool
		err := conn.QueryRow(ctx, `SELECT sha256(text) = $2 FROM citeloop_blobs WHERE hash = $1`, hash[:], sum[:]).Scan(&kept)
		if kept || err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		_, err = conn.Exec(ctx, `INSERT INTO citeloop_blobs (hash, text) VALUES ($1, $2)
			ON CONFLICT (hash) DO UPDATE SET text = excluded.text WHERE citeloop_blobs.text <> excluded.text`, hash[:], packed)
		return err
	})
	if err != nil {
		return loopstate.Hash{}, err
	}
	return hash, nil
}

// Blob returns the text whose sha256 is h. The error is [storage.ErrDamaged] if the stored bytes differ.
func (s *Store) Blob(ctx context.Context, h loopstate.Hash) ([]byte, error) {
	var packed []byte
	err := s.call(ctx, "text", func(ctx context.Context, conn *pgxpool.Conn) error {
		err := conn.QueryRow(ctx, `SELECT text FROM citeloop_blobs WHERE hash = $1`, h[:]).Scan(&packed)
		if errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("postgres: text %s: %w", h, loopstate.ErrNotFound)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	text, err := s.base.Codec.UnpackText(packed, h)
	if err != nil {
		return nil, fmt.Errorf("postgres: %s: %w", s.place, err)
	}
	return text, nil
}
