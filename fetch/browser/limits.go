package browser

// limits of one page. The largest web applications load some 10 MB of scripts and data with some 300 requests; chosen
// well above.
type limits struct {
	bytes     int64 // through its proxy, both directions together
	exchanges int64 // requests and tunnels through its proxy
	requests  int   // including blocked ones
	documents int   // including redirects and navigation by scripts
}

var pageLimits = limits{bytes: 64 << 20, exchanges: 1_000, requests: 2_000, documents: 10}
