package server

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/hashicorp/golang-lru/v2/simplelru"
)

// connectionReserve is how many connections more than the limit are accepted while none can be closed, so that health
// probes are answered.
const connectionReserve = 64

// sharedListener bounds the open connections. At the limit, a new connection replaces the connection that has waited
// longest, of the address that has most such connections: one address cannot keep out the others. A connection waits
// while it serves no request, or one whose body arrives before its caller is known.
type sharedListener struct {
	net.Listener
	most int

	mu      sync.Mutex
	open    int
	waiting map[netip.Prefix]*waiting
}

// waiting has the waiting connections of one address, the longest waiting first.
type waiting = simplelru.LRU[*sharedConn, struct{}]

func newSharedListener(l net.Listener, most int) *sharedListener {
	return &sharedListener{Listener: l, most: most, waiting: map[netip.Prefix]*waiting{}}
}

func (l *sharedListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		conn, victim := l.add(c)
		if victim != nil {
			_ = victim.Close()
		}
		if conn != nil {
			return conn, nil
		}
		_ = c.Close()
	}
}

// add counts a new connection, and returns the one that it replaces. At the limit of the reserve it returns no connection.
func (l *sharedListener) add(c net.Conn) (conn, victim *sharedConn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open >= l.most {
		var longest *waiting
		for _, conns := range l.waiting {
			if longest == nil || conns.Len() > longest.Len() {
				longest = conns
			}
		}
		if longest != nil {
			victim, _, _ = longest.GetOldest()
			l.remove(victim)
		} else if l.open >= l.most+connectionReserve {
			return nil, nil
		}
	}
	conn = &sharedConn{Conn: c, listener: l, from: network(c.RemoteAddr())}
	l.open++
	l.wait(conn)
	return conn, victim
}

func (l *sharedListener) wait(c *sharedConn) {
	conns := l.waiting[c.from]
	if conns == nil {
		conns, _ = simplelru.NewLRU[*sharedConn, struct{}](l.most+connectionReserve, nil) // its only error is a size below one
		l.waiting[c.from] = conns
	}
	conns.Add(c, struct{}{})
}

func (l *sharedListener) stopWaiting(c *sharedConn) {
	if conns := l.waiting[c.from]; conns != nil && conns.Remove(c) && conns.Len() == 0 {
		delete(l.waiting, c.from)
	}
}

func (l *sharedListener) remove(c *sharedConn) {
	if c.gone {
		return
	}
	c.gone = true
	l.open--
	l.stopWaiting(c)
}

// network returns the address of a client. A client of IPv6 has the addresses of a /64 network.
func network(a net.Addr) netip.Prefix {
	from, err := netip.ParseAddrPort(a.String())
	if err != nil {
		return netip.Prefix{} // a Unix socket
	}
	ip := from.Addr().Unmap()
	bits := 32
	if ip.Is6() {
		bits = 64
	}
	prefix, _ := ip.WithZone("").Prefix(bits)
	return prefix
}

// sharedConn is a connection of a [sharedListener], which guards its fields.
type sharedConn struct {
	net.Conn
	listener *sharedListener
	from     netip.Prefix
	serving  int // requests whose caller is known, or without a body
	gone     bool
}

func (c *sharedConn) Close() error {
	c.listener.mu.Lock()
	c.listener.remove(c)
	c.listener.mu.Unlock()
	return c.Conn.Close()
}

// serve marks the connection as serving a request until end.
func (c *sharedConn) serve() (end func()) {
	l := c.listener
	l.mu.Lock()
	defer l.mu.Unlock()
	c.serving++
	l.stopWaiting(c)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if c.serving--; c.serving == 0 && !c.gone {
			l.wait(c)
		}
	}
}

type connKey struct{}

// withConn gives the requests of a connection access to it.
func withConn(ctx context.Context, c net.Conn) context.Context {
	if secure, ok := c.(*tls.Conn); ok {
		c = secure.NetConn()
	}
	if shared, ok := c.(*sharedConn); ok {
		return context.WithValue(ctx, connKey{}, shared)
	}
	return ctx
}

// serving marks the connection of a request as serving it until end.
func serving(r *http.Request) (end func()) {
	if c, ok := r.Context().Value(connKey{}).(*sharedConn); ok {
		return c.serve()
	}
	return func() {}
}

// limitBodyTime gives a request with a body little time to send it, until its caller is known.
func limitBodyTime(within time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength == 0 {
			defer serving(r)()
		} else if within > 0 {
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(within)) // fails for the writers of tests only
		}
		next.ServeHTTP(w, r)
	})
}

// allowBodyTime serves requests whose caller is known: their bodies have the time that a large one needs.
func allowBodyTime(within time.Duration, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			defer serving(r)()
			_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(within))
		}
		next.ServeHTTP(w, r)
	})
}
