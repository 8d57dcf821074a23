package sqlite

import (
	"context"
	"database/sql"
	"sync"
)

// statements caches prepared queries: preparing takes longer than answering, and this package has few queries. Closing the
// database closes them.
type statements struct {
	db *sql.DB

	mu     sync.Mutex
	byText map[string]*sql.Stmt
}

func keepStatements(db *sql.DB) *statements {
	return &statements{db: db, byText: make(map[string]*sql.Stmt)}
}

func (s *statements) query(ctx context.Context, text string, args ...any) (*sql.Rows, error) {
	s.mu.Lock()
	kept := s.byText[text]
	s.mu.Unlock()
	if kept == nil {
		prepared, err := s.db.PrepareContext(ctx, text) // waits for a connection, so not under mu
		if err != nil {
			return nil, err
		}
		s.mu.Lock()
		if kept = s.byText[text]; kept == nil {
			s.byText[text], kept, prepared = prepared, prepared, nil
		}
		s.mu.Unlock()
		if prepared != nil { // another call was faster
			prepared.Close()
		}
	}
	return kept.QueryContext(ctx, args...)
}
