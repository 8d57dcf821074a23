package storage_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/loopstate/storage"
)

// polled is the result of a poll.
type polled struct {
	seqs map[string]int64
	err  error
}

// Hints of a watch of the loop L after each poll.
func TestPoll(t *testing.T) {
	at := func(seq int64) polled { return polled{seqs: map[string]int64{"L": seq, "M": 7}} }
	gone := polled{seqs: map[string]int64{"M": 7}}
	for _, tt := range []struct {
		name  string
		polls []polled
		want  []int64 // after each poll; -1 is nothing
	}{
		{"a loop that is not there yet", []polled{gone, at(1), at(1), at(5)}, []int64{-1, 1, -1, 5}},
		{"errors are no news", []polled{at(2), {err: errors.New("no")}, at(3)}, []int64{2, -1, 3}},
		{"deleted", []polled{at(5), gone, gone}, []int64{5, 0, -1}},
		{"deleted and created again", []polled{at(5), gone, at(2)}, []int64{5, 0, 2}},
		{"deleted and created again between two polls", []polled{at(5), at(2), at(3)}, []int64{5, 2, 3}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ws := storage.NewWatches()
				hints := ws.Add(t.Context(), "L")
				ctx, stop := context.WithCancel(t.Context())
				next := 0
				go ws.Poll(ctx, time.Second, func(_ context.Context, loops []string) (map[string]int64, error) {
					if diff := cmp.Diff([]string{"L"}, loops); diff != "" {
						t.Errorf("asked for (-want +got):\n%s", diff)
					}
					p := tt.polls[next]
					next++
					return p.seqs, p.err
				})
				var got []int64
				for range tt.polls {
					synctest.Wait()
					select {
					case seq := <-hints:
						got = append(got, seq)
					default:
						got = append(got, -1)
					}
					if len(got) < len(tt.polls) {
						ws.Wake()
					}
				}
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("hints (-want +got):\n%s", diff)
				}
				stop()
				ws.Close()
			})
		})
	}
}

// A late watch gets the current number, even if others already have it.
func TestLateWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ws := storage.NewWatches()
		defer ws.Close()
		early := ws.Add(t.Context(), "L")
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		go ws.Poll(ctx, time.Hour, func(context.Context, []string) (map[string]int64, error) {
			return map[string]int64{"L": 3}, nil
		})
		if got := <-early; got != 3 {
			t.Errorf("hint %d, want 3", got)
		}
		if got := <-ws.Add(t.Context(), "L"); got != 3 {
			t.Errorf("hint of the late watch: %d, want 3", got)
		}
		synctest.Wait()
		select {
		case seq := <-early:
			t.Errorf("hint %d again", seq)
		default:
		}
	})
}
