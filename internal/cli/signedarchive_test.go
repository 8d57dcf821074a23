package cli

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/pem"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/crypto/ssh"

	"github.com/citeloop/citeloop/internal/cli/console"
)

// A signed archive is imported if its key is allowed, and refused if only another key is allowed.
func TestExportSignsForImport(t *testing.T) {
	data, loop := deletable(t, "local")
	dir := t.TempDir()
	keys := map[string]string{} // files of private keys
	for _, name := range []string{"ann", "bob"} {
		public, private, err := ed25519.GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		block, err := ssh.MarshalPrivateKey(private, "")
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
		key, err := ssh.NewPublicKey(public)
		if err != nil {
			t.Fatal(err)
		}
		line := name + "@example.org " + string(ssh.MarshalAuthorizedKey(key))
		keys[name] = file
		put(t, file+".allowed", line)
	}
	archive := filepath.Join(dir, "loop.zip")
	call := func(args ...string) (int, string) {
		code, out, errs := ran(t.Context(), nil, args...)
		return code, out + errs
	}
	if code, said := call("loops", "export", loop, archive, "--sign", keys["ann"], "--data", data); code != console.ExitOK {
		t.Fatalf("export ended with %d: %s", code, said)
	}
	if code, said := call("loops", "import", archive, "--allowed-signers", keys["bob"]+".allowed", "--data", t.TempDir()); code == console.ExitOK {
		t.Errorf("an archive of another key was imported: %s", said)
	}
	if code, said := call("loops", "import", archive, "--allowed-signers", keys["ann"]+".allowed", "--data", t.TempDir()); code != console.ExitOK || !strings.Contains(said, "ann@example.org") {
		t.Errorf("import ended with %d: %s", code, said)
	}
}
