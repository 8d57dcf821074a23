package channels

import "time"

// Bounds that the tests of package channels_test need.
const (
	MaxBodyBytes = maxBodyBytes
)

// When the circuit of a host opens, and for how long, in package resilience.
const (
	CircuitFailures = 5
	CircuitOpenFor  = 30 * time.Second
)
