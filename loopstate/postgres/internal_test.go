package postgres

import (
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/citeloop/citeloop/loopstate/storage"
)

func TestRelisten(t *testing.T) {
	var got []time.Duration
	for _, failures := range []int{0, 1, 2, 8, 9, 100} {
		got = append(got, relisten(failures))
	}
	want := []time.Duration{100 * time.Millisecond, 200 * time.Millisecond, 400 * time.Millisecond, 25600 * time.Millisecond, 30 * time.Second, 30 * time.Second}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("waits (-want +got):\n%s", diff)
	}
}

func TestHints(t *testing.T) {
	h := newHints()
	long := strings.Repeat("x", maxPayloadBytes)
	for _, loop := range []string{"a", "b b", "a", long} {
		h.add(loop)
	}
	payloads := h.take("me")
	slices.Sort(payloads)
	if diff := cmp.Diff([]string{"me a", "me b b"}, payloads); diff != "" {
		t.Errorf("payloads (-want +got):\n%s", diff)
	}
	if left := h.take("me"); len(left) != 0 {
		t.Errorf("left: %q", left)
	}
	for i := range maxHints + 10 {
		h.add(fmt.Sprint(i))
	}
	if n := len(h.take("me")); n != maxHints {
		t.Errorf("%d hints, want %d", n, maxHints)
	}
	for _, tt := range []struct {
		payload, loop string
		ok            bool
	}{
		{"you b b", "b b", true}, {"me a", "a", false}, {"", "", false}, {"noise", "", false}, {"you ", "", true},
	} {
		if loop, ok := parseHint(tt.payload, "me"); loop != tt.loop || ok != tt.ok {
			t.Errorf("parseHint(%q) = %q, %v, want %q, %v", tt.payload, loop, ok, tt.loop, tt.ok)
		}
	}
}

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

func TestOptions(t *testing.T) {
	got := Options{}.withDefaults()
	if got.Timeout != 10*time.Second || got.PollInterval != time.Second || got.Logger == nil {
		t.Errorf("defaults: %+v", got)
	}
}
