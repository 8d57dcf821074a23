package loops_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/pem"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/citeloop/citeloop/internal/archive"
	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// newSigner returns a new key, and its public part as a line of a file of allowed signers.
func newSigner(t *testing.T, private any) (ssh.Signer, string) {
	t.Helper()
	block := must(ssh.MarshalPrivateKey(private, ""))(t)
	name := filepath.Join(t.TempDir(), "key")
	noError(t, os.WriteFile(name, pem.EncodeToMemory(block), 0o600))
	signer := must(archive.ReadSigner(name))(t)
	return signer, string(ssh.MarshalAuthorizedKey(signer.PublicKey()))
}

func ed25519Key(t *testing.T) ed25519.PrivateKey {
	t.Helper()
	_, key, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func allowedSigners(t *testing.T, lines string) archive.AllowedSigners {
	t.Helper()
	name := filepath.Join(t.TempDir(), "allowed")
	noError(t, os.WriteFile(name, []byte(lines), 0o600))
	return must(archive.ReadAllowedSigners(name))(t)
}

func signed(t *testing.T, h *harness, loop string, signer ssh.Signer) []byte {
	t.Helper()
	var out bytes.Buffer
	noError(t, h.Export(t.Context(), loop, &out, signer))
	return out.Bytes()
}

// A forged archive is told from an honest one by its signature.
func TestSignedArchives(t *testing.T) {
	t.Parallel()
	from, loop := studiedLoop(t)
	ours, line := newSigner(t, ed25519Key(t))
	other, otherLine := newSigner(t, ed25519Key(t))
	rsaKey := must(rsa.GenerateKey(rand.Reader, 2048))(t)
	theirs, rsaLine := newSigner(t, rsaKey)
	honest := signed(t, from, loop, ours)
	lie := func(log []byte) []byte {
		return bytes.ReplaceAll(log, []byte("built in 1874."), []byte("built in 1984."))
	}
	unsigned := rewrite(t, honest, func(name string, body []byte) []byte {
		if name == "manifest.json.sig" {
			return nil
		}
		return body
	})
	resigned := func() []byte { // with another key, as whoever forges it can
		forgery := newHarness(t)
		must(forgery.Import(t.Context(), bytes.NewReader(forged(t, exported(t, from, loop), lie)), int64(len(forged(t, exported(t, from, loop), lie))), nil))(t)
		return signed(t, forgery, loop, other)
	}()
	tests := []struct {
		name    string
		archive []byte
		allowed string // lines; empty: no list
		signer  string
		known   string
		refused string
	}{
		{"honest, by an allowed signer", honest, "anna@example.org " + line, ssh.FingerprintSHA256(ours.PublicKey()), "anna@example.org", ""},
		{"honest, for this purpose", honest, `anna namespaces="git,citeloop-archive" ` + line, ssh.FingerprintSHA256(ours.PublicKey()), "anna", ""},
		{"honest, for another purpose", honest, `anna namespaces="git" ` + line, "", "", "not an allowed signer"},
		{"honest, without a list", honest, "", ssh.FingerprintSHA256(ours.PublicKey()), "", ""},
		{"RSA", signed(t, from, loop, theirs), "bert " + rsaLine, ssh.FingerprintSHA256(theirs.PublicKey()), "bert", ""},
		{"changed after it was signed", forged(t, honest, lie), "anna " + line, "", "", "its signature is invalid"},
		{"changed, without a list", forged(t, honest, lie), "", "", "", "its signature is invalid"},
		{"changed and signed by another key", resigned, "anna " + line, "", "", "not an allowed signer"},
		{"signed by the other of two", resigned, "# ours\nanna " + line + "bert " + otherLine, ssh.FingerprintSHA256(other.PublicKey()), "bert", ""},
		{"signature removed", unsigned, "anna " + line, "", "", "it is not signed"},
		{"never signed, with a list", exported(t, from, loop), "anna " + line, "", "", "it is not signed"},
		{"never signed, without a list", exported(t, from, loop), "", "", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var allowed archive.AllowedSigners
			if tt.allowed != "" {
				allowed = allowedSigners(t, tt.allowed)
			}
			to := newHarness(t)
			got, err := to.Import(t.Context(), bytes.NewReader(tt.archive), int64(len(tt.archive)), allowed)
			if tt.refused != "" {
				if err == nil || !strings.Contains(err.Error(), tt.refused) {
					t.Errorf("%v, want %q", err, tt.refused)
				}
				return
			}
			if err != nil || got.Signer != tt.signer || got.Known != tt.known {
				t.Errorf("signer %q, known as %q, %v; want %q, %q", got.Signer, got.Known, err, tt.signer, tt.known)
			}
		})
	}
}

// OpenSSH verifies the signature, too.
func TestSignatureIsThatOfOpenSSH(t *testing.T) {
	t.Parallel()
	keygen, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("ssh-keygen is not installed")
	}
	from, loop := studiedLoop(t)
	signer, line := newSigner(t, ed25519Key(t))
	dir := t.TempDir()
	var manifest []byte
	rewrite(t, signed(t, from, loop, signer), func(name string, body []byte) []byte {
		switch name {
		case "manifest.json":
			manifest = body
		case "manifest.json.sig":
			noError(t, os.WriteFile(filepath.Join(dir, "sig"), body, 0o600))
		}
		return body
	})
	noError(t, os.WriteFile(filepath.Join(dir, "allowed"), []byte("anna "+line), 0o600))
	verify := exec.CommandContext(t.Context(), keygen, "-Y", "verify", "-f", filepath.Join(dir, "allowed"), "-I", "anna", "-n", "citeloop-archive", "-s", filepath.Join(dir, "sig"))
	verify.Stdin = bytes.NewReader(manifest)
	if out, err := verify.CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

func TestAllowedSignersRefuses(t *testing.T) {
	t.Parallel()
	_, line := newSigner(t, ed25519Key(t))
	for name, tt := range map[string]struct{ lines, want string }{
		"not a key":      {"anna nonsense", "invalid line 1"},
		"no name":        {line, "invalid line 1"},
		"an authority":   {"\n*@example.org cert-authority " + line, "unsupported option in line 2"},
		"a limited time": {`anna valid-before="20200101" ` + line, "unsupported option in line 1"},
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "allowed")
			noError(t, os.WriteFile(file, []byte(tt.lines), 0o600))
			if _, err := archive.ReadAllowedSigners(file); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %q", err, tt.want)
			}
		})
	}
}

// A verdict that rests on a review in an archive says so, also after the claim is verified again: the review is still that of
// the archive.
func TestImportedReviewsAreMarked(t *testing.T) {
	t.Parallel()
	from, loop, _ := withReview(t)
	if r := answerAll(t, from, loop, honest(t, from, loop)); r.Status != loopstate.BatchCounted {
		t.Fatalf("the batch is %s", r.Status)
	}
	to := newHarness(t)
	got, err := importInto(to, exported(t, from, loop))
	if err != nil || got.Reviewed == 0 {
		t.Fatalf("%d verdicts rest on reviews, %v", got.Reviewed, err)
	}
	marked := func() (n int, claims []verify.Claim) {
		recorded := must(to.RecordedClaims(t.Context(), loop, nil))(t)
		for _, c := range recorded {
			has := slices.Contains(c.Check.Flags, loopstate.FlagImported)
			if has != (c.Check.Reviewed != "") {
				t.Errorf("%q is reviewed by %q, flags %q", c.Claim, c.Check.Reviewed, c.Check.Flags)
			}
			if has {
				n++
			}
			claims = append(claims, verify.New(c.Claim, c.SourceIDs...))
		}
		return n, claims
	}
	n, claims := marked()
	if n != got.Reviewed {
		t.Errorf("%d claims are marked, want %d", n, got.Reviewed)
	}
	v := to.check(loops.VerifyInput{Loop: loop, Claims: claims})
	said := 0
	for _, c := range v.Claims {
		if slices.Contains(c.Flags, loopstate.FlagImported) {
			said++
		}
	}
	if again, _ := marked(); again != n || said != n {
		t.Errorf("verified again, %d claims are marked and %d say so, want %d", again, said, n)
	}
	view := to.view(loops.ViewInput{Loop: loop, View: "claims"})
	if text := fmt.Sprintf("%+v", view); strings.Count(text, "imported_review") < n {
		t.Errorf("the state does not show it: %s", text)
	}
}
