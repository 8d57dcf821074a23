package resilience

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var errDown = errors.New("down")

func TestHostsKeepRateAndNumber(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hosts, start := NewHosts(HostsConfig{}), time.Now()
		var mu sync.Mutex
		var began []time.Duration
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() {
				err := hosts.Of("a").Do(t.Context(), Limits{Every: time.Second, Burst: 2, Parallel: 2}, func(leave func()) Result {
					defer leave()
					mu.Lock()
					began = append(began, time.Since(start))
					mu.Unlock()
					time.Sleep(1500 * time.Millisecond)
					return Result{}
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		for i, want := range []time.Duration{0, 0, 1500, 2000, 3000, 4000} {
			if want *= time.Millisecond; began[i] < want {
				t.Errorf("request %d began at %v, want %v or later", i, began[i], want)
			}
		}
		if took := time.Since(start); took > 6*time.Second {
			t.Errorf("six requests took %v", took)
		}
	})
}

func TestHostsRepeatHoldAndOpen(t *testing.T) {
	fail := Result{Err: errDown, Again: true, Failed: true}
	busy := Result{Err: errDown, Again: true, Failed: true, After: 3 * time.Second}
	long := Result{Err: errDown, Again: true, Failed: true, After: time.Minute}
	final := Result{Err: errDown, Failed: true}
	tests := []struct {
		name    string
		results []Result // of the attempts; the last one repeats
		calls   int      // of Do
		sent    int
		took    time.Duration // at least
		want    any           // type of the last error, nil = none
	}{
		{"success", []Result{{}}, 3, 3, 0, nil},
		{"a failure that passes", []Result{fail, {}}, 1, 2, 0, nil},
		{"failures that stay", []Result{fail}, 1, 3, 0, errDown},
		{"the pause that was asked for", []Result{busy, {}}, 1, 2, 3 * time.Second, nil},
		{"a pause that is too long", []Result{long}, 1, 1, 0, errDown},
		{"others wait for the pause", []Result{long, {}}, 2, 1, 0, &BusyError{}},
		{"five failures open the circuit", []Result{final}, 6, 5, 0, &DownError{}},
		{"what says nothing about the host", []Result{{Err: errDown, Unasked: true}}, 7, 7, 0, errDown},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				hosts, sent, start := NewHosts(HostsConfig{}), 0, time.Now()
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				defer cancel()
				var err error
				for range tt.calls {
					err = hosts.Of("a").Do(ctx, Limits{}, func(leave func()) Result {
						leave()
						sent++
						return tt.results[min(sent, len(tt.results))-1]
					})
				}
				var matches bool
				switch want := tt.want.(type) {
				case nil:
					matches = err == nil
				case *BusyError:
					matches = errors.As(err, &want)
				case *DownError:
					matches = errors.As(err, &want)
				case error:
					matches = errors.Is(err, want)
				}
				if !matches || sent != tt.sent || time.Since(start) < tt.took {
					t.Errorf("%d requests in %v, error %v; want %d in %v, %v", sent, time.Since(start), err, tt.sent, tt.took, tt.want)
				}
			})
		})
	}
}

func TestHostsEndWithTheContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		host := NewHosts(HostsConfig{}).Of("a")
		limits := Limits{Parallel: 1}
		held := make(chan struct{})
		go func() {
			_ = host.Do(context.Background(), limits, func(leave func()) Result { <-held; leave(); return Result{} })
		}()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := host.Do(ctx, limits, func(func()) Result { t.Error("sent"); return Result{} }); !errors.Is(err,
			context.DeadlineExceeded) {
			t.Errorf("error %v, want the deadline", err)
		}
		close(held)
	})
}
