package channels

// Bounds that the tests of package channels_test need.
const (
	CircuitFailures = circuitFailures
	CircuitOpenFor  = circuitOpenFor
	Grace           = grace
	MaxBodyBytes    = maxBodyBytes
)

var ClockTime = clockTime
