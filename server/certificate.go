package server

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// certificateCheckEvery is how often the files are read again, while clients connect. Certificates are renewed days ahead.
const certificateCheckEvery = 10 * time.Second

// TLS serves the certificate of two PEM files. New connections use a renewed certificate without a restart. While the
// files do not match, as between the two writes of a renewal, the last valid certificate stays in use.
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
	faulty  bool // the files do not match, and this was logged
}

func (c *certificate) current() *tls.Certificate {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now := c.now(); now.Sub(c.checked) >= certificateCheckEvery {
		c.checked = now
		before := c.pair
		err := c.load()
		switch {
		case err != nil && !c.faulty:
			c.logger.Error("certificate renewal failed; the last valid certificate stays in use", "error", err)
		case err == nil && !bytes.Equal(before.Certificate[0], c.pair.Certificate[0]):
			c.logger.Info("the certificate was renewed")
		}
		c.faulty = err != nil
	}
	return c.pair
}

func (c *certificate) load() error {
	pair, err := tls.LoadX509KeyPair(c.certFile, c.keyFile)
	if err == nil {
		c.pair = &pair
	}
	return err
}
