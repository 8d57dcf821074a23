package resilience

import (
	"context"
	"net/http"
	"testing"
	"time"
)

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	tests := []struct {
		name, value, date string
		want              time.Duration
	}{
		{"none", "", "", 0},
		{"seconds", "120", "", 2 * time.Minute},
		{"half a second", "0.5", "", 500 * time.Millisecond},
		{"zero", "0", "", 0},
		{"negative", "-5", "", 0},
		{"not a number", "NaN", "", 0},
		{"no end", "Inf", "", 24 * time.Hour},
		{"absurd", "99999999999999999999", "", 24 * time.Hour},
		{"words", "later", "", 0},
		{"date", "Wed, 04 Mar 2026 05:07:07 GMT", "", time.Minute},
		{"date, by the server's clock", "Wed, 04 Mar 2026 09:00:30 GMT", "Wed, 04 Mar 2026 09:00:00 GMT", 30 * time.Second},
		{"date in the past", "Wed, 04 Mar 2020 05:07:07 GMT", "", 0},
		{"date of RFC 850", "Wednesday, 04-Mar-26 05:07:07 GMT", "", time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := http.Header{}
			h.Set("Retry-After", tt.value)
			h.Set("Date", tt.date)
			if got := RetryAfter(h, now); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestRetryAfterInMilliseconds(t *testing.T) {
	h := http.Header{"Retry-After-Ms": {"1500"}, "Retry-After": {"2"}}
	if got := RetryAfter(h, time.Now()); got != 1500*time.Millisecond {
		t.Errorf("%s, want 1.5s", got)
	}
}

func TestRetryAddsJitterToRetryAfter(t *testing.T) {
	soon, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	tests := []struct {
		name    string
		ctx     context.Context
		retry   Retry
		random  float64
		attempt int
		asked   time.Duration
		want    time.Duration
		again   bool
	}{
		{"shortest", t.Context(), Retry{}, 0, 0, 0, 0, true},
		{"half of the first step", t.Context(), Retry{}, 0.5, 0, 0, 250 * time.Millisecond, true},
		{"half of the second step", t.Context(), Retry{}, 0.5, 1, 0, 500 * time.Millisecond, true},
		{"above Retry-After", t.Context(), Retry{}, 0.5, 0, 3 * time.Second, 3250 * time.Millisecond, true},
		{"no third retry", t.Context(), Retry{}, 0, 2, 0, 0, false},
		{"a third retry of four", t.Context(), Retry{Max: 4, Base: time.Second}, 0.5, 2, 0, 2 * time.Second, true},
		{"within the deadline", soon, Retry{}, 0, 0, 50 * time.Second, 50 * time.Second, true},
		{"after the deadline", soon, Retry{}, 0, 0, time.Minute, time.Minute, false},
		{"no time left after it", soon, Retry{Reserve: 20 * time.Second}, 0, 0, 50 * time.Second, 50 * time.Second, false},
		{"cancelled", ended, Retry{}, 0, 0, 0, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.retry.Random = func() float64 { return tt.random }
			if got, again := tt.retry.Wait(tt.ctx, tt.attempt, tt.asked); got != tt.want || again != tt.again {
				t.Errorf("%s, %v; want %s, %v", got, again, tt.want, tt.again)
			}
		})
	}
}

func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"1", "1e308", "-0", "Wed, 04 Mar 2026 05:07:07 GMT"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, value string) {
		got := RetryAfter(map[string][]string{"Retry-After": {value}}, time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC))
		if got < 0 || got > 24*time.Hour {
			t.Errorf("%s of %q", got, value)
		}
	})
}
