package main

import "fmt"

// What the packages say of citeloop.
const (
	homepage = "https://github.com/citeloop/citeloop"
	summary  = "Research in rounds, with every sentence traced to text that was actually read"
)

// platform is a platform of a release, with its names in npm.
type platform struct {
	name    string // in Go
	npmOS   string
	npmCPU  string
	program string
}

// platforms are those of .goreleaser.yaml. The binaries for Linux are static, so that they run with glibc and with musl.
var platforms = []platform{
	{"linux/amd64", "linux", "x64", "citeloop"},
	{"linux/arm64", "linux", "arm64", "citeloop"},
	{"darwin/amd64", "darwin", "x64", "citeloop"},
	{"darwin/arm64", "darwin", "arm64", "citeloop"},
	{"windows/amd64", "win32", "x64", "citeloop.exe"},
	{"windows/arm64", "win32", "arm64", "citeloop.exe"},
}

func platformOf(name string) (platform, error) {
	for _, p := range platforms {
		if p.name == name {
			return p, nil
		}
	}
	return platform{}, fmt.Errorf("unknown platform %q: use linux, darwin or windows with amd64 or arm64", name)
}
