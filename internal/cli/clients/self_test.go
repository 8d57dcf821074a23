package clients

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestOwnPath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege on Windows")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	at := func(parts ...string) string { return filepath.Join(append([]string{root}, parts...)...) }
	program := func(path string) string {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("program "+path), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	link := func(path, to string) string {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, path); err != nil {
			t.Fatal(err)
		}
		return path
	}
	version := program(at("Cellar", "citeloop", "1.2", "bin", "citeloop"))
	onPath := link(at("bin", "citeloop"), version)
	aside := link(at("elsewhere", "citeloop"), version)
	other := program(at("other", "citeloop"))
	cached := program(at("gocache", "ab", strings.Repeat("ab", 32)+"-d", "citeloop"))
	path := strings.Join([]string{".", "bin", at("none"), at("other"), at("bin")}, string(filepath.ListSeparator))

	rows := []struct{ name, exe, path, want, wantErr string }{
		{name: "the link on the PATH is preferred to its target", exe: version, path: path, want: onPath},
		{name: "a link that is not on the PATH is followed", exe: aside, path: at("other"), want: version},
		{name: "another program of the name on the PATH is not this one", exe: version, path: at("other"), want: version},
		{name: "on the PATH itself", exe: other, path: path, want: other},
		{name: "no PATH", exe: onPath, want: version},
		{name: "go run, as it was", exe: program(at("go-build12", "b001", "exe", "citeloop")), path: path, wantErr: "run 'go install .' and then 'citeloop install'"},
		{name: "go run, from the cache", exe: program(at(".cache", "go-build", "ab", "abcd-d", "citeloop")), path: path, wantErr: "'go run' built this program in a cache"},
		{name: "go run, from a cache of another name", exe: cached, path: path, wantErr: "'go run' built this program in a cache"},
		{name: "a link into the cache", exe: link(at("l", "citeloop"), cached), path: path, wantErr: "'go run' built this program in a cache"},
		{name: "gone", exe: at("gone"), wantErr: "cannot find the path of this program"},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			own := OwnPath{func() (string, error) { return row.exe, nil }, row.path}
			got, err := own.Find()
			switch {
			case row.wantErr == "" && (err != nil || got != row.want || own.OrNone() != row.want):
				t.Errorf("find = %q, %v, want %q", got, err, row.want)
			case row.wantErr != "" && (err == nil || !strings.Contains(err.Error(), row.wantErr) || own.OrNone() != ""):
				t.Errorf("find = %q, %v, want an error with %q", got, err, row.wantErr)
			}
		})
	}
	t.Run("the system does not know", func(t *testing.T) {
		own := OwnPath{func() (string, error) { return "", errors.New("no /proc") }, path}
		if _, err := own.Find(); err == nil || !strings.Contains(err.Error(), "no /proc") {
			t.Errorf("find: %v, want the cause", err)
		}
	})
}
