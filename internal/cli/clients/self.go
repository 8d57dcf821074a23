package clients

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/citeloop/citeloop/internal/cli/console"
	"github.com/citeloop/citeloop/internal/cli/install"
	"github.com/citeloop/citeloop/internal/cli/safefile"
)

// OwnPath finds the path by which a client can start this program from now on.
type OwnPath struct {
	executable func() (string, error) // os.Executable
	path       string                 // PATH
}

// Own returns the path of a run.
func Own(p console.Process) OwnPath {
	return OwnPath{executable: os.Executable, path: p.Env("PATH")}
}

// Find returns the path. It prefers a name on the PATH, even a link, because package managers keep the link when they
// replace its target. Otherwise it follows links.
func (o OwnPath) Find() (string, error) {
	exe, err := o.executable()
	if err != nil {
		return "", fmt.Errorf("cannot find the path of this program: %w", err)
	}
	if exe, err = filepath.Abs(exe); err != nil {
		return "", err
	}
	target, err := filepath.EvalSymlinks(exe)
	if err != nil {
		return "", fmt.Errorf("cannot find the path of this program: %w", err)
	}
	for _, path := range []string{exe, target} {
		if isGoRunBinary(path) {
			return "", fmt.Errorf("'go run' built this program in a cache (%s) that is cleaned up; run 'go install .' and then 'citeloop install', or 'go build' and then './citeloop install'", target)
		}
	}
	self, err := os.Stat(target)
	if err != nil {
		return "", err
	}
	for _, dir := range filepath.SplitList(o.path) {
		if !filepath.IsAbs(dir) {
			continue // depends on the current folder
		}
		candidate := filepath.Join(dir, filepath.Base(exe))
		if info, err := os.Stat(candidate); err == nil && os.SameFile(info, self) {
			return candidate, nil
		}
	}
	return target, nil
}

// OrNone returns the path that identifies entries, or "". Entries are then identified by the program's name.
func (o OwnPath) OrNone() string {
	path, err := o.Find()
	if err != nil {
		return ""
	}
	return path
}

// isGoRunBinary recognises the folders of the go command: go-build123 for temporary files, and the build cache, which is
// named go-build unless GOCACHE is set. go run keeps programs there in a folder whose name ends in -d.
func isGoRunBinary(path string) bool {
	for _, part := range strings.Split(filepath.ToSlash(filepath.Dir(path)), "/") {
		if strings.HasPrefix(part, "go-build") {
			return true
		}
	}
	dir := filepath.Base(filepath.Dir(path))
	hash, isCache := strings.CutSuffix(dir, "-d")
	return isCache && len(hash) == 64 && strings.Trim(hash, "0123456789abcdef") == ""
}

// OwnFile refuses a project's file that is a link out of the project: somebody else made the project, and install would write
// a file of the user that they did not name.
func OwnFile(path string, scope install.Scope) error {
	if scope != install.Project {
		return nil
	}
	_, err := safefile.InsidePath(path)
	if errors.Is(err, fs.ErrNotExist) {
		_, err = safefile.InsidePath(filepath.Dir(path))
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("nothing was written: %w; remove the link, or use --scope user", err)
	}
	return nil
}

// machine returns this machine.
func machine(p console.Process) (install.Machine, error) {
	dir, err := os.Getwd()
	if err != nil {
		return install.Machine{}, err
	}
	return install.Machine{OS: runtime.GOOS, Env: p.Env, Dir: dir, Exists: func(path string) bool {
		_, err := os.Stat(path)
		return !errors.Is(err, fs.ErrNotExist)
	}}, nil
}
