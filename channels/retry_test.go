package channels

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
			if got := retryAfter(h, now); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

func TestPauseIsFullJitterAboveWhatWasAsked(t *testing.T) {
	tests := []struct {
		name    string
		rand    float64
		attempt int
		asked   time.Duration
		want    time.Duration
	}{
		{"shortest", 0, 0, 0, 0},
		{"half of the first step", 0.5, 0, 0, 250 * time.Millisecond},
		{"half of the second step", 0.5, 1, 0, 500 * time.Millisecond},
		{"above Retry-After", 0.5, 0, 3 * time.Second, 3250 * time.Millisecond},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			clock := newClock()
			d := &door{cfg: Config{Rand: func() float64 { return tt.rand }}, sleep: clock.sleep}
			if err := d.pause(context.Background(), tt.attempt, &Failure{RetryAfter: tt.asked, retry: true}); err != nil {
				t.Fatal(err)
			}
			if clock.slept[0] != tt.want {
				t.Errorf("slept %s, want %s", clock.slept[0], tt.want)
			}
		})
	}
}
