package hookrun

import (
	"github.com/citeloop/citeloop/internal/hooks"
	"github.com/citeloop/citeloop/internal/loops"
)

// Input is what a hook of a client reports.
type Input struct {
	Event   hooks.Event
	Session *hooks.Session
	Never   hooks.Never // files that are not recorded
}

// hook is one call of a hook in a session with an open loop.
type hook struct {
	*loops.Service
	Input
	loop string
}
