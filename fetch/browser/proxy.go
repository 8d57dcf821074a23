package browser

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
)

// openProxy opens the only network access of a page's browser: SOCKS 5 (RFC 1928) on a loopback port, until ctx ends.
func openProxy(ctx context.Context, connect connector) (port string, err error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp4", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("opening the browser's proxy: %w", err)
	}
	context.AfterFunc(ctx, func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go tunnel(ctx, conn, connect)
		}
	}()
	_, port, err = net.SplitHostPort(listener.Addr().String())
	return port, err
}

// tunnel connects the browser to a host and copies bytes both ways until one side or ctx ends.
func tunnel(ctx context.Context, conn net.Conn, connect connector) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	context.AfterFunc(ctx, func() { _ = conn.Close() })
	from := bufio.NewReader(conn)
	to, err := handshake(from, conn)
	if err != nil {
		return
	}
	away, err := connect(ctx, to)
	answer := []byte{5, 0, 0, 1, 0, 0, 0, 0, 0, 0}
	if err != nil {
		answer[1] = 2 // not allowed
		_, _ = conn.Write(answer)
		return
	}
	context.AfterFunc(ctx, func() { _ = away.Close() })
	_, _ = conn.Write(answer)
	go func() {
		defer cancel()
		_, _ = io.Copy(away, from)
	}()
	_, _ = io.Copy(conn, away)
}

// handshake returns the host:port to which the browser wants a connection. It always gives a host as a name.
func handshake(from *bufio.Reader, to io.Writer) (hostport string, err error) {
	greeting, request := make([]byte, 2), make([]byte, 5) // version, methods; version, command, 0, kind, length of the name
	if _, err = io.ReadFull(from, greeting); err == nil {
		_, err = from.Discard(int(greeting[1]))
	}
	if err == nil {
		_, err = to.Write([]byte{5, 0}) // no password
	}
	if err == nil {
		_, err = io.ReadFull(from, request)
	}
	if err == nil && (request[1] != 1 || request[3] != 3) {
		err = errors.New("not a connection to a name")
	}
	name := make([]byte, int(request[4])+2)
	if err == nil {
		_, err = io.ReadFull(from, name)
	}
	host, port := name[:request[4]], binary.BigEndian.Uint16(name[request[4]:])
	return net.JoinHostPort(string(host), strconv.Itoa(int(port))), err
}
