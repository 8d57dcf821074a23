package postgres

import (
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/citeloop/citeloop/loopstate/storage"
)

func TestRetriedErrors(t *testing.T) {
	for _, tt := range []struct {
		name             string
		err              error
		lost, rolledBack bool
	}{
		{"none", nil, false, false},
		{"serialization", fmt.Errorf("x: %w", &pgconn.PgError{Code: "40001"}), false, true},
		{"deadlock", &pgconn.PgError{Code: "40P01"}, false, true},
		{"terminated", &pgconn.PgError{Code: "57P01"}, true, false},
		{"starting", &pgconn.PgError{Code: "57P03"}, true, false},
		{"protocol", &pgconn.PgError{Code: "08006"}, true, false},
		{"deadline of the server", &pgconn.PgError{Code: "57014"}, false, false},
		{"wrong password", &pgconn.PgError{Code: "28P01"}, false, false},
		{"end of file", fmt.Errorf("x: %w", io.ErrUnexpectedEOF), true, false},
		{"refused", &net.OpError{Op: "dial", Err: errors.New("refused")}, true, false},
		{"ours", storage.ErrDamaged, false, false},
	} {
		if lost, rolledBack := lost(tt.err), rolledBack(tt.err); lost != tt.lost || rolledBack != tt.rolledBack {
			t.Errorf("%s: lost %v, rolled back %v, want %v, %v", tt.name, lost, rolledBack, tt.lost, tt.rolledBack)
		}
	}
}
