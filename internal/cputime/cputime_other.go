//go:build !unix

// Package cputime measures work.
package cputime

import "time"

var start = time.Now()

// Used returns the time since this process began.
func Used() time.Duration { return time.Since(start) }
