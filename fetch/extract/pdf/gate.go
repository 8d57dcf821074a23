package pdf

import (
	"context"
	"time"
)

const (
	// maxQuick documents are read at a time. One that takes longer than quickTime gives its place to the next if fewer than
	// maxSlow such documents are being read. So two documents made to take all of their time do not keep a third waiting.
	// All of them together are few, because each may take the memory of maxPDFMemory.
	maxQuick = 2
	maxSlow  = 1
	// quickTime is longer than most documents take: papers need 0.1 to 0.5 s.
	quickTime = 1500 * time.Millisecond
)

// gate bounds the number of documents that are read at a time.
type gate struct{ quick, slow chan struct{} }

func newGate() gate {
	return gate{make(chan struct{}, maxQuick), make(chan struct{}, maxSlow)}
}

// enter waits for a place. Call leave afterwards.
func (g gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g.quick <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	left := make(chan struct{})
	go g.keep(left)
	return func() { close(left) }, nil
}

// keep holds a document's place, first a quick one, until it has left.
func (g gate) keep(left <-chan struct{}) {
	place := g.quick
	over := time.NewTimer(quickTime)
	defer over.Stop()
	select {
	case <-over.C:
		select {
		case g.slow <- struct{}{}:
			<-g.quick
			place = g.slow
			<-left
		case <-left:
		}
	case <-left:
	}
	<-place
}
