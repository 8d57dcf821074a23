package server

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// writeCertificate writes a certificate with a serial number and its key, and sets the modification time.
func writeCertificate(t *testing.T, dir string, serial int64, at time.Time) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: at.Add(time.Hour), DNSNames: []string{"citeloop.example.org"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}),
		pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})
	put(t, filepath.Join(dir, "cert.pem"), cert, at)
	put(t, filepath.Join(dir, "key.pem"), key, at)
	return cert, key
}

func put(t *testing.T, path string, data []byte, at time.Time) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

func TestCertificatesAreRenewed(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 11, 21, 9, 0, 0, 0, time.UTC)
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeCertificate(t, dir, 1, now)
	config, err := TLS(certFile, keyFile, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	serves := func(when string, want int64) {
		t.Helper()
		pair, err := config.GetCertificate(nil)
		if err != nil {
			t.Fatal(err)
		}
		if got := pair.Leaf.SerialNumber.Int64(); got != want {
			t.Errorf("%s: certificate %d, want %d", when, got, want)
		}
	}
	serves("at first", 1)
	writeCertificate(t, dir, 2, now.Add(time.Second))
	serves("renewed", 2)

	_, key := writeCertificate(t, t.TempDir(), 3, now)
	put(t, keyFile, key, now.Add(time.Second))
	serves("between the two files", 2)
	writeCertificate(t, dir, 4, now.Add(2*time.Second))
	serves("when both are there", 4)
	if err := os.Remove(certFile); err != nil {
		t.Fatal(err)
	}
	serves("when one is gone", 4)

	if _, err := TLS(certFile, keyFile, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a server starts without a certificate")
	}
}
