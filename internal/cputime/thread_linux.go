package cputime

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// Thread binds the calling goroutine to its thread, and returns a function for the processor time that the thread has used
// since. Any goroutine may call that function. The bound goroutine calls release when the work is over.
func Thread() (used func() time.Duration, release func()) {
	runtime.LockOSThread()
	clock := int32(^unix.Gettid()<<3 | 6) // see clock_getcpuclockid(3): 2 is the processor time, 4 that of a thread
	read := func() (time.Duration, error) {
		var t unix.Timespec
		err := unix.ClockGettime(clock, &t)
		return time.Duration(t.Nano()), err
	}
	before, err := read()
	if err != nil { // a sandbox may not know these clocks
		return wall(), runtime.UnlockOSThread
	}
	return func() time.Duration {
		now, err := read()
		if err != nil { // the thread has ended, and its work with it
			return 0
		}
		return now - before
	}, runtime.UnlockOSThread
}
