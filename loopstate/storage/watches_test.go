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

// polled is the result of a poll, and an action during it.
type polled struct {
	seqs      map[string]int64
	err       error
	meanwhile func(ws *storage.Watches)
}

// Hints of a watch of the loop L after each poll.
func TestPoll(t *testing.T) {
	at := func(seq int64) map[string]int64 { return map[string]int64{"L": seq, "M": 7} }
	gone := map[string]int64{"M": 7}
	for _, tt := range []struct {
		name  string
		polls []polled
		want  []int64 // after each poll; -1 is nothing
	}{
		{"a loop that is not there yet", []polled{{seqs: gone}, {seqs: at(1)}, {seqs: at(1)}, {seqs: at(5)}}, []int64{-1, 1, -1, 5}},
		{"errors are no news", []polled{{seqs: at(2)}, {err: errors.New("no")}, {seqs: at(3)}}, []int64{2, -1, 3}},
		{"deleted", []polled{{seqs: at(5)}, {seqs: gone}, {seqs: gone}}, []int64{5, 0, -1}},
		{"deleted and begun anew", []polled{{seqs: at(5)}, {seqs: gone}, {seqs: at(2)}}, []int64{5, 0, 2}},
		{"deleted and begun anew between two polls", []polled{{seqs: at(5)}, {seqs: at(2)}, {seqs: at(3)}}, []int64{5, 2, 3}},
		{"an append that the poll came too early for", []polled{
			{seqs: at(5)},
			{seqs: at(5), meanwhile: func(ws *storage.Watches) { ws.Appended("L", 6) }},
			{seqs: at(6)},
		}, []int64{5, 6, -1}},
		{"two appends that tell in the wrong order", []polled{
			{seqs: at(5), meanwhile: func(ws *storage.Watches) { ws.Appended("L", 7); ws.Appended("L", 6) }},
			{seqs: at(7)},
		}, []int64{7, -1}},
		{"a Delete that the poll came too early for", []polled{
			{seqs: at(5)},
			{seqs: at(5), meanwhile: func(ws *storage.Watches) { ws.Deleted("L") }},
			{seqs: gone},
		}, []int64{5, 0, -1}},
		{"a Delete and a new beginning that the poll came too early for", []polled{
			{seqs: at(5)},
			{seqs: at(5), meanwhile: func(ws *storage.Watches) { ws.Deleted("L"); ws.Appended("L", 1) }},
			{seqs: at(1)},
		}, []int64{5, 1, -1}},
		{"a Delete of another loop", []polled{{seqs: at(5), meanwhile: func(ws *storage.Watches) { ws.Deleted("M") }}}, []int64{5}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ws := storage.NewWatches()
				hints := ws.Add(t.Context(), "L")
				asked, answers := make(chan bool), make(chan polled)
				ctx, stop := context.WithCancel(t.Context())
				defer stop()
				go ws.Poll(ctx, time.Second, func(_ context.Context, loops []string) (map[string]int64, error) {
					if diff := cmp.Diff([]string{"L"}, loops); diff != "" {
						t.Errorf("asked for (-want +got):\n%s", diff)
					}
					select {
					case asked <- true:
					case <-ctx.Done():
						return nil, ctx.Err()
					}
					p := <-answers
					if p.meanwhile != nil {
						p.meanwhile(ws)
					}
					return p.seqs, p.err
				})
				var got []int64
				for _, p := range tt.polls {
					<-asked
					answers <- p
					synctest.Wait()
					select {
					case seq := <-hints:
						got = append(got, seq)
					default:
						got = append(got, -1)
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

// A late watch gets the current number, even if others already have it. A watch without a number gets none for a deleted
// loop.
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
		late := ws.Add(t.Context(), "L")
		if got := <-late; got != 3 {
			t.Errorf("hint of the late watch: %d, want 3", got)
		}
		ws.Deleted("nobody's")
		never := ws.Add(t.Context(), "M")
		ws.Deleted("M")
		synctest.Wait()
		select {
		case seq := <-never:
			t.Errorf("unexpected hint %d of an unknown loop", seq)
		case seq := <-early:
			t.Errorf("hint %d again", seq)
		default:
		}
	})
}
