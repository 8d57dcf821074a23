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

// A repetition waits for a random part of a growing interval, and for what the host asked; it is not begun if it cannot end.
func TestAgain(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 7*time.Second)
	defer cancel()
	half := HostsConfig{Random: func() float64 { return 0.5 }}
	tests := []struct {
		attempt int
		asked   time.Duration
		want    time.Duration
		again   bool
	}{
		{0, 0, 250 * time.Millisecond, true},
		{1, 0, 500 * time.Millisecond, true},
		{0, 3 * time.Second, 3250 * time.Millisecond, true},
		{2, 0, time.Second, false},
		{0, 6 * time.Second, 6250 * time.Millisecond, false}, // less than a second is left after it
	}
	for _, tt := range tests {
		got, again := half.again(ctx, tt.attempt, Result{Err: errDown, Again: true, After: tt.asked})
		if got != tt.want || again != tt.again {
			t.Errorf("%+v: %s, %v", tt, got, again)
		}
	}
}
