package cputime

import "testing"

// The clock of a thread counts the work of its own goroutine, and not that of others.
func TestThread(t *testing.T) {
	idle, release := Thread()
	defer release()
	busy := make(chan float64)
	go func() {
		used, release := Thread()
		defer release()
		x := 1.0
		for used() < 100e6 {
			x = x*1.0000001 + 1e-9
		}
		busy <- x
	}()
	<-busy
	if got := idle(); got > 50e6 {
		t.Errorf("a waiting goroutine used %v of processor time while another used 100 ms", got)
	}
}
