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

// writeCertificate writes a certificate with a serial number and its key, which it returns.
func writeCertificate(t *testing.T, dir string, serial int64) (key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour)}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs8, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	key = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: pkcs8})
	put(t, filepath.Join(dir, "cert.pem"), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
	put(t, filepath.Join(dir, "key.pem"), key)
	return key
}

func put(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestCertificatesAreRenewed(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	writeCertificate(t, dir, 1)
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
	writeCertificate(t, dir, 2)
	serves("renewed", 2)

	put(t, keyFile, writeCertificate(t, t.TempDir(), 3))
	serves("between the two files", 2)
	writeCertificate(t, dir, 4)
	serves("when both are there", 4)
	if err := os.Remove(certFile); err != nil {
		t.Fatal(err)
	}
	serves("when one is gone", 4)

	if _, err := TLS(certFile, keyFile, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a server starts without a certificate")
	}
}
