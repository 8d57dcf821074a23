// Package cputime measures work. Unlike wall-clock time, processor time does not include the work of other processes.
package cputime

import "time"

// wall returns a function for the time since this call.
func wall() func() time.Duration {
	start := time.Now()
	return func() time.Duration { return time.Since(start) }
}
