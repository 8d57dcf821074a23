package web

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"net/http"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/citeloop/citeloop/internal/archive"
)

// The page of an imported loop says when it came, who signed it, and which verdicts were not checked here; that of the
// original says nothing.
func TestImportNotice(t *testing.T) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(key)
	if err != nil {
		t.Fatal(err)
	}
	from := newFixture(t, nil)
	loop := from.research(t, t.Context())
	if body := from.ask(t, http.MethodGet, Root+"loops/"+loop, nil).Body.String(); strings.Contains(body, `id="imported"`) {
		t.Error("the page of the original has a notice of an import")
	}
	fingerprint := ssh.FingerprintSHA256(signer.PublicKey())
	known := archive.AllowedSigners{string(signer.PublicKey().Marshal()): "anna <b>\u202e"}
	tests := []struct {
		name    string
		signer  ssh.Signer
		allowed archive.AllowedSigners
		want    []string
	}{
		{"not signed", nil, nil, []string{"Not signed: its author is unknown."}},
		{"unknown key", signer, nil, []string{"Signed with a key that the import did not know: ", strings.ReplaceAll(fingerprint, "+", "&#43;")}},
		{"allowed signer", signer, known, []string{"Signed by anna &lt;b&gt; with the key "}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var archive bytes.Buffer
			if err := from.svc.Export(t.Context(), loop, &archive, tt.signer); err != nil {
				t.Fatal(err)
			}
			to := newFixture(t, nil)
			if _, err := to.svc.Import(t.Context(), bytes.NewReader(archive.Bytes()), int64(archive.Len()), tt.allowed); err != nil {
				t.Fatal(err)
			}
			for _, at := range []string{"", "?round=1"} {
				body := to.ask(t, http.MethodGet, Root+"loops/"+loop+at, nil).Body.String()
				_, notice, _ := strings.Cut(body, `id="imported"`)
				notice, _, _ = strings.Cut(notice, "</p>")
				for _, want := range append(tt.want, "Imported on ", "The import checked the citations") {
					if !strings.Contains(notice, want) {
						t.Errorf("%q: no %q in %q", at, want, notice)
					}
				}
				if strings.Contains(notice, "not checked here") || strings.Contains(notice, "\u202e") {
					t.Errorf("%q: %s", at, notice)
				}
			}
		})
	}
}
