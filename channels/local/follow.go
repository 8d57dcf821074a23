package local

import "time"

// pollEvery is the interval of scans while nothing searches: 10,000 files take 50 ms. A search scans anyway.
const pollEvery = time.Minute

// Follow keeps the indexes up to date until Close: it indexes in the background and scans again periodically.
func (c *Corpus) Follow() {
	c.start()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.follows || c.ctx.Err() != nil {
		return
	}
	c.follows = true
	c.requestPassLocked()
	c.all.Go(func() {
		poll := time.NewTicker(pollEvery)
		defer poll.Stop()
		for {
			select {
			case <-c.ctx.Done():
				return
			case <-poll.C:
				c.requestPass()
			}
		}
	})
}

// requestPass requests a pass without waiting for it.
func (c *Corpus) requestPass() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.requestPassLocked()
}
