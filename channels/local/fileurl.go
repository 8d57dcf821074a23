package local

import (
	"net/url"
	"path/filepath"
	"strings"
)

// FileURL is the file: address of an absolute path of this system.
func FileURL(path string) string { return fileURL(filepath.ToSlash(path)) }

// fileURL takes a path with slashes: /home/x, C:/x (Windows), //server/share/x (a Windows share).
func fileURL(path string) string {
	u := url.URL{Scheme: "file", Path: path}
	if rest, ok := strings.CutPrefix(path, "//"); ok {
		host, below, _ := strings.Cut(rest, "/")
		u.Host, u.Path = host, "/"+below
	} else if !strings.HasPrefix(path, "/") {
		u.Path = "/" + path
	}
	if u.Host == "" {
		return "file://" + u.EscapedPath()
	}
	return u.String()
}
