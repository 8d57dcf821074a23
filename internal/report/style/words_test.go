package style

import (
	"testing"
	"time"
)

func TestNumberFormats(t *testing.T) {
	for got, want := range map[string]string{
		FormatNumber(0):         "0",
		FormatNumber(999):       "999",
		FormatNumber(1000):      "1,000",
		FormatNumber(-100):      "-100",
		FormatNumber(-1234567):  "-1,234,567",
		Plural(0, "round"):      "0 rounds",
		Plural(1, "round"):      "1 round",
		Plural(1200, "round"):   "1,200 rounds",
		FormatDollars(0.005):    "$0.01",
		FormatDollars(12.3):     "$12.30",
		FormatTime(time.Time{}): "–",
		FormatTime(time.Date(2026, 11, 21, 1, 30, 59, 0, time.FixedZone("", 3600))): "2026-11-21 00:30 UTC",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
