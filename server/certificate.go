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

// certificateCheckEvery is how often the files are checked. Certificates are renewed days ahead.
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
	written [2]time.Time // of the files that pair was read from
	faulty  bool         // the current files do not match, and this was logged
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
		c.logger.Error("certificate renewal failed; the last valid certificate stays in use", "error", err)
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
