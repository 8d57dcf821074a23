package server

import (
	"crypto/tls"
	"fmt"
	"log/slog"
	"sync/atomic"
)

// TLS serves the certificate of two PEM files. New connections use a renewed certificate without a restart. While the
// files do not match, as between the two writes of a renewal, the last valid certificate stays in use.
func TLS(certFile, keyFile string, logger *slog.Logger) (*tls.Config, error) {
	var last atomic.Pointer[tls.Certificate]
	load := func() error {
		pair, err := tls.LoadX509KeyPair(certFile, keyFile)
		if err == nil {
			last.Store(&pair)
		}
		return err
	}
	if err := load(); err != nil {
		return nil, fmt.Errorf("the certificate: %w", err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			if err := load(); err != nil {
				logger.Warn("invalid certificate files; the last valid certificate stays in use", "error", err)
			}
			return last.Load(), nil
		}}, nil
}
