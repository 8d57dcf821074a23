package server

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// certificateCheckEvery is how long a renewed certificate may take to be seen: those who renew do it days ahead.
const certificateCheckEvery = 10 * time.Second

// TLS serves the certificate of two PEM files, as they stand: one that is renewed is used for new connections
// without a restart. While the files do not fit each other, as between the writing of the one and of the other,
// the last certificate that did goes on.
func TLS(certFile, keyFile string, now func() time.Time, logger *slog.Logger) (*tls.Config, error) {
	c := &certificate{certFile: certFile, keyFile: keyFile, now: now, logger: logger}
	if err := c.load(); err != nil {
		return nil, fmt.Errorf("the certificate: %w", err)
	}
	return &tls.Config{
		MinVersion:     tls.VersionTLS12,
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current(), nil },
		NextProtos:     []string{"h2", "http/1.1"},
	}, nil
}

type certificate struct {
	certFile, keyFile string
	now               func() time.Time
	logger            *slog.Logger

	mu      sync.Mutex
	pair    *tls.Certificate
	checked time.Time
	written [2]time.Time // of the files that pair was read from
	faulty  bool         // the files as they stand do not fit, and that was said
}

func (c *certificate) current() *tls.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.Sub(c.checked) >= certificateCheckEvery {
		c.checked = now
		if written, err := c.times(); err != nil || written != c.written {
			c.renew()
		}
	}
	return c.pair
}

func (c *certificate) renew() {
	err := c.load()
	if err != nil && !c.faulty {
		c.logger.Error("the certificate cannot be renewed; the last one goes on", "error", err)
	}
	if err == nil {
		c.logger.Info("the certificate was renewed")
	}
	c.faulty = err != nil
}

func (c *certificate) load() error {
	written, err := c.times()
	if err != nil {
		return err
	}
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err != nil {
		return err
	}
	c.pair, c.written = &pair, written
	return nil
}

func (c *certificate) times() (written [2]time.Time, err error) {
	for i, path := range []string{c.certFile, c.keyFile} {
		info, statErr := os.Stat(path)
		if statErr != nil {
			err = errors.Join(err, statErr)
			continue
		}
		written[i] = info.ModTime()
	}
	return written, err
}
