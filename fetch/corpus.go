package fetch

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/citeloop/citeloop/fetch/extract"
	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// corpus lists the folders inside which files may be read, absolute and with links resolved, once, so that a later change of a
// link cannot widen what may be read.
type corpus []string

func openCorpus(folders []string) (corpus, error) {
	var out corpus
	for _, folder := range folders {
		real, err := filepath.Abs(folder)
		if err == nil {
			real, err = filepath.EvalSymlinks(real)
		}
		if info, problem := os.Stat(real); err == nil && problem == nil && !info.IsDir() {
			err = errors.New("it is not a folder")
		}
		if err != nil {
			return nil, fmt.Errorf("fetch: corpus folder %q: %w", folder, err)
		}
		out = append(out, real)
	}
	return out, nil
}

// Why a file is not read, in words for the user.
var (
	errHidden = errors.New("hidden files and files in hidden folders are not read, because they may hold secrets; " +
		"name their folder with --corpus to allow it")
	errOutside = errors.New("files are read only inside corpus folders; name the folder with --corpus to allow it")
	errInvalid = errors.New("the file address is not valid")
	// ErrIrregular is the error for links, folders, pipes and devices.
	ErrIrregular = errors.New("not a regular file")
)

// unreadFile converts the error of a file that was not read.
func unreadFile(err error) Page {
	refused := func(why error) bool { return errors.Is(err, why) }
	switch {
	case refused(errSecrets):
		return Page{Status: StatusBlocked, Reason: "left out: " + extract.Secrets}
	case refused(errHidden), refused(errOutside), refused(errInvalid), refused(ErrIrregular):
		return Page{Status: StatusBlocked, Reason: err.Error()}
	case refused(fs.ErrPermission):
		return Page{Status: StatusBlocked, Reason: "permission denied for this file"}
	case refused(fs.ErrNotExist), refused(syscall.ENOTDIR): // a part of the path may be a file
		return Page{Status: StatusNotFound, Reason: "no such file"}
	}
	return failed(err)
}

// readAll reads a file within the limit of a page.
func readAll(in io.Reader, most int64) ([]byte, error) {
	return io.ReadAll(&limit.Reader{R: in, Left: most, Over: fmt.Errorf("%w: more than %s", limit.ErrTooLarge, limit.Size(most))})
}

// open opens a regular file inside a corpus folder, and returns its path with links resolved. The path is resolved first to
// find its folder. It is then opened under an os.Root, which refuses a link out of the folder that was created in between.
// Outside of the folders the error does not reveal whether the file exists.
func (c corpus) open(name string) (in *os.File, shown string, err error) {
	real, err := resolved(name)
	for _, folder := range c {
		rel, inside := filepath.Rel(folder, real)
		switch {
		case inside != nil || !filepath.IsLocal(rel):
			continue
		case Hidden(rel): // whether it exists or not; the index skips such files, too
			return nil, "", errHidden
		case err != nil:
			return nil, "", err
		}
		in, err = OpenInside(folder, rel)
		return in, real, err
	}
	return nil, "", errOutside
}

// resolved resolves the links of a path, with an error as far as it exists.
func resolved(name string) (string, error) {
	real, err := filepath.EvalSymlinks(name)
	if folder := filepath.Dir(name); err != nil && folder != name {
		folder, _ = resolved(folder)
		return filepath.Join(folder, filepath.Base(name)), err
	}
	return real, err
}

// OpenInside opens a regular file inside a folder. It refuses links, also one that replaces the file meanwhile, and files
// whose opening might block, such as pipes, with [ErrIrregular].
func OpenInside(folder, rel string) (*os.File, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	before, err := root.Lstat(rel)
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, ErrIrregular
	}
	f, err := root.Open(rel)
	if err != nil {
		return nil, err
	}
	if after, err := f.Stat(); err != nil || !os.SameFile(before, after) {
		_ = f.Close()
		return nil, ErrIrregular
	}
	return f, nil
}

// Hidden reports whether a part of a relative path begins with a dot.
func Hidden(path string) bool {
	return slices.ContainsFunc(strings.Split(filepath.ToSlash(path), "/"), func(part string) bool {
		return strings.HasPrefix(part, ".") && part != "." && part != ".."
	})
}

// FilePath converts a file: address to a path of this system.
func FilePath(raw string) (string, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Opaque != "" || strings.ContainsRune(u.Path, 0) {
		return "", fmt.Errorf("%w: write file:///folder/name", errInvalid)
	}
	if u.Host != "" && !strings.EqualFold(u.Host, "localhost") {
		return "", fmt.Errorf("%w: files of other machines (%s) are not read", errInvalid, u.Host)
	}
	if slices.Contains(strings.FieldsFunc(u.Path, func(r rune) bool { return r == '/' || r == '\\' }), "..") {
		return "", fmt.Errorf("%w: addresses with .. are not read", errInvalid)
	}
	p := u.Path
	if runtime.GOOS == "windows" { // file:///C:/folder/name
		p = strings.TrimPrefix(p, "/")
	}
	if p = filepath.FromSlash(p); !filepath.IsAbs(p) {
		return "", fmt.Errorf("%w: it is not absolute, write file:///folder/name", errInvalid)
	}
	return filepath.Clean(p), nil
}

// FileAddress returns the file: address of an absolute path.
func FileAddress(path string) string {
	return (&url.URL{Scheme: "file", Path: slashPath(path)}).String()
}

func slashPath(p string) string { return "/" + strings.TrimPrefix(filepath.ToSlash(p), "/") }

// windowsPath begins with a drive: "C:\papers\a.pdf", "c:/papers/a.pdf".
var windowsPath = lazyregexp.New(`^/?[A-Za-z]:[\\/]`)

// fileAddress returns the file: address of a path that was given instead of an address: "/home/ann/a.pdf",
// "~/a.pdf", "C:\a.pdf". ok is false for anything else.
func fileAddress(name string) (address string, ok bool) {
	switch {
	case windowsPath.MatchString(name):
		name = "/" + strings.TrimPrefix(strings.ReplaceAll(name, `\`, "/"), "/")
	case strings.HasPrefix(name, "~/") || strings.HasPrefix(name, `~\`):
		home, err := os.UserHomeDir()
		if err != nil {
			return "", false
		}
		name = slashPath(home) + "/" + filepath.ToSlash(name[2:])
	case strings.HasPrefix(name, "/") && !strings.HasPrefix(name, "//"): // //host/page is an address without its scheme
	default:
		return "", false
	}
	return (&url.URL{Scheme: "file", Path: name}).String(), true
}
