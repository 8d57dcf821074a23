package channels

// Custom is a channel that the user configured (docs/own-channel.md).
type Custom struct {
	channel
	address string // without its parameters
}

// Address is the channel's address without its parameters.
func (o Custom) Address() string { return o.address }
