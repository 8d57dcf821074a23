package web

import (
	"fmt"
	"net/http"
	"time"

	"github.com/citeloop/citeloop/server/access"
)

const (
	// beatEvery is how often a stream sends a heartbeat and checks its session.
	beatEvery = 15 * time.Second
	// streamLife ends a stream; the browser reconnects.
	streamLife = time.Hour
)

// events streams the version of a loop on each change. It follows the store, so changes of other processes count too.
func (p *Page) events(w http.ResponseWriter, r *http.Request, v *session) {
	closed, err := p.Streams.Begin(v.owner)
	if err != nil {
		access.Refuse(w, err)
		return
	}
	defer closed()
	loop := r.PathValue("id")
	hints, err := p.Loops.Follow(r.Context(), loop)
	if err != nil {
		p.failed(w, r, v, err)
		return
	}
	out := http.NewResponseController(w)
	_ = out.SetReadDeadline(time.Time{}) // the default is for short requests
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("X-Accel-Buffering", "no")
	w.WriteHeader(http.StatusOK)
	send := func(text string) bool {
		_ = out.SetWriteDeadline(time.Now().Add(2 * beatEvery)) // the default is for short responses
		if _, err := fmt.Fprint(w, text); err != nil {
			return false
		}
		return out.Flush() == nil
	}
	beat := time.NewTicker(beatEvery)
	defer beat.Stop()
	end := time.NewTimer(streamLife)
	defer end.Stop()
	last := int64(-1)
	for {
		revision, err := p.Loops.Revision(r.Context(), loop)
		if err != nil { // deleted, or the store failed: reloading the page shows which
			send("event: end\ndata: gone\n\n")
			return
		}
		if revision.Version != last {
			last = revision.Version
			if !send(fmt.Sprintf("event: version\nid: %d\ndata: %d\n\n", last, last)) {
				return
			}
		}
		select {
		case <-r.Context().Done():
			return
		case <-p.stopping:
			return
		case <-end.C:
			return
		case _, open := <-hints:
			if !open {
				return
			}
		case <-beat.C:
			if alive, err := p.alive(r.Context(), v.id, false); alive == nil && err == nil {
				send("event: end\ndata: session\n\n")
				return
			}
			if !send(": alive\n\n") {
				return
			}
		}
	}
}
