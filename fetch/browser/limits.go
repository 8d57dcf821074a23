package browser

// limits of what one page may take. Applications on the web load some 10 MB of scripts and data with some 300
// requests, the largest of them; chosen well above.
type limits struct {
	bytes     int64 // through its proxy, both directions together
	exchanges int64 // requests and tunnels through its proxy
	requests  int   // that it makes, with those that are not let go
	documents int   // that it goes through: redirects, and where its scripts lead
}

var pageLimits = limits{bytes: 64 << 20, exchanges: 1_000, requests: 2_000, documents: 10}
