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
	"strings"
	"syscall"

	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// corpus lists the folders inside which files may be read, absolute and with links resolved.
type corpus []string

// openCorpus resolves the folders inside which file: addresses may be read, once, so that a later change of a link cannot widen what may be read.
func openCorpus(folders []string) (corpus, error) {
	var out corpus
	for _, folder := range folders {
		abs, err := filepath.Abs(folder)
		if err != nil {
			return nil, fmt.Errorf("fetch: corpus folder %q: %w", folder, err)
		}
		real, err := filepath.EvalSymlinks(abs)
		if err != nil {
			return nil, fmt.Errorf("fetch: corpus folder %q: %w", folder, err)
		}
		info, err := os.Stat(real)
		if err != nil {
			return nil, fmt.Errorf("fetch: corpus folder %q: %w", folder, err)
		}
		if !info.IsDir() {
			return nil, fmt.Errorf("fetch: corpus folder %q is not a folder", folder)
		}
		out = append(out, real)
	}
	return out, nil
}

var (
	errHidden  = errors.New("hidden")
	errOutside = errors.New("outside of the corpus")
	// ErrIrregular is the error for links, folders, pipes and devices.
	ErrIrregular = errors.New("not a regular file")
)

// unreadFile converts the error of a file that was not read.
func unreadFile(err error) Page {
	switch {
	case errors.Is(err, errHidden):
		return Page{Status: StatusBlocked, Reason: "hidden files and files in hidden folders are not read, because they may hold secrets; name their folder with --corpus to allow it"}
	case errors.Is(err, errOutside):
		return Page{Status: StatusBlocked, Reason: "files are read only inside corpus folders; name the folder with --corpus to allow it"}
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR): // a part of the path may be a file
		return Page{Status: StatusNotFound, Reason: "no such file or message in the corpus"}
	case errors.Is(err, ErrIrregular):
		return Page{Status: StatusBlocked, Reason: "only regular files are read"}
	case errors.Is(err, fs.ErrPermission):
		return Page{Status: StatusBlocked, Reason: "permission denied for this file"}
	}
	return failed(err)
}

// read reads a file, and returns its path with links resolved.
func (c corpus) read(name string, most int64) (body []byte, shown string, err error) {
	in, shown, err := c.open(name)
	if err != nil {
		return nil, "", err
	}
	body, err = readOpen(in, most)
	return body, shown, err
}

// readOpen reads an open file to its end and closes it.
func readOpen(in *os.File, most int64) ([]byte, error) {
	defer in.Close()
	return readAll(in, most, "")
}

// readAll reads a file, within the limit of a page. when ends the message of a longer one.
func readAll(in io.Reader, most int64, when string) ([]byte, error) {
	return io.ReadAll(&limit.Reader{R: in, Left: most, Over: fmt.Errorf("%w: more than %s%s", limit.ErrTooLarge, limit.Size(most), when)})
}

// open opens a regular file inside a corpus folder, and returns its path with links resolved. The path is resolved first to
// find its folder. It is then opened under an os.Root, which refuses a link out of the folder that was created in between.
func (c corpus) open(name string) (in *os.File, shown string, err error) {
	real, err := filepath.EvalSymlinks(name)
	if err != nil {
		for _, folder := range c {
			if _, ok := relative(folder, name); ok {
				return nil, "", err
			}
		}
		return nil, "", errOutside
	}
	for _, folder := range c {
		if rel, ok := relative(folder, real); ok {
			if hidden(rel) {
				return nil, "", errHidden
			}
			in, err = OpenInside(folder, rel)
			return in, real, err
		}
	}
	return nil, "", errOutside
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

// relative returns the path of name relative to folder, if it is inside.
func relative(folder, name string) (string, bool) {
	rel, err := filepath.Rel(folder, name)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return rel, true
}

// hidden reports whether a part of a path below a corpus folder begins with a dot: the index skips such files, too.
func hidden(rel string) bool {
	for part := range strings.SplitSeq(filepath.ToSlash(rel), "/") {
		if strings.HasPrefix(part, ".") && part != "." {
			return true
		}
	}
	return false
}

// FilePath converts a file: address to a path of this system.
func FilePath(raw string) (string, error) {
	u, err := url.Parse(raw)
	if err != nil || u.Opaque != "" {
		return "", errors.New("the file address is not valid: write file:///folder/name")
	}
	if u.Host != "" && !strings.EqualFold(u.Host, "localhost") {
		return "", fmt.Errorf("file addresses of other machines (%s) are not read", u.Host)
	}
	p := u.Path
	for part := range strings.SplitSeq(strings.ReplaceAll(p, `\`, "/"), "/") {
		if part == ".." {
			return "", errors.New("file addresses with .. are not read")
		}
	}
	if strings.ContainsRune(p, 0) {
		return "", errors.New("the file address is not valid")
	}
	if runtime.GOOS == "windows" { // file:///C:/folder/name
		p = strings.TrimPrefix(p, "/")
	}
	p = filepath.FromSlash(p)
	if !filepath.IsAbs(p) {
		return "", errors.New("the file address is not absolute: write file:///folder/name")
	}
	return filepath.Clean(p), nil
}

// FileAddress returns the file: address of an absolute path.
func FileAddress(path string) string {
	return (&url.URL{Scheme: "file", Path: slashPath(path)}).String()
}

func slashPath(p string) string {
	p = filepath.ToSlash(p)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return p
}

// windowsPath begins with a drive: "C:\papers\a.pdf", "c:/papers/a.pdf".
var windowsPath = lazyregexp.New(`^/?[A-Za-z]:[\\/]`)

// fileAddress returns the file: address of a path that was given instead of an address: "/home/ann/a.pdf",
// "~/a.pdf", "C:\a.pdf", or a path after http:// or https:// ("https:///home/ann/a.pdf"). ok is false for anything else.
func fileAddress(raw string) (address string, ok bool) {
	name := raw
	for _, scheme := range []string{"https://", "http://"} {
		rest, found := cutPrefixFold(raw, scheme)
		if found && (strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "~/") || windowsPath.MatchString(rest)) {
			name = rest
		}
	}
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

func cutPrefixFold(s, prefix string) (rest string, found bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
