package browser

import (
	_ "embed"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/internal/datafile"
)

// Any is the name for the first Chromium or Chrome in its usual places, in which chromedp looks.
const Any = "chromium"

// ErrNotFound is returned by Find when the browser is missing.
var ErrNotFound = errors.New("browser not found")

// Find returns the program for a name: a path, a name in PATH, or [Any], which is looked for when it starts.
func Find(name string) (string, error) {
	if name == Any {
		return Any, nil
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%w: %q is neither a program nor the name of one in PATH", ErrNotFound, name)
	}
	return filepath.Abs(path)
}

// Variables are the names of the environment variables that Chromium gets if they are set. It gets no others, so that it
// never sees secrets in citeloop's environment.
func Variables() []string {
	return []string{"HOME", "PATH", "LANG", "LC_ALL", "TMPDIR", "TMP", "TEMP", "XDG_RUNTIME_DIR", "FONTCONFIG_PATH",
		"USERPROFILE", "LOCALAPPDATA", "APPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMDATA", "SYSTEMROOT", "WINDIR"}
}

const (
	// proxyName is the name of the proxy for Chromium. For the gate, which handles requests of pages, it does not exist.
	proxyName = "page-proxy.invalid"
	// direct makes Chromium use the proxy for all addresses, including loopback.
	direct = "<-loopback>"
)

//go:embed flags.txt
var flagList string

// options returns the command line of Chromium.
func options(cfg Config, proxy *proxy) []chromedp.ExecAllocatorOption {
	out := []chromedp.ExecAllocatorOption{
		chromedp.NoInheritEnv, chromedp.Env(cfg.Env...), chromedp.Flag("no-sandbox", cfg.NoSandbox),
		chromedp.Flag("proxy-server", "http://"+proxyName+":"+proxy.port()), chromedp.Flag("proxy-bypass-list", direct),
		chromedp.Flag("host-resolver-rules", "MAP "+proxyName+" 127.0.0.1, MAP * ~NOTFOUND"), // no other name is resolved
	}
	if cfg.Path != Any {
		out = append(out, chromedp.ExecPath(cfg.Path))
	}
	for name, value := range datafile.Pairs(flagList) {
		if value == "" {
			out = append(out, chromedp.Flag(name, true))
		} else {
			out = append(out, chromedp.Flag(name, value))
		}
	}
	for name, value := range cfg.flags {
		out = append(out, chromedp.Flag(name, value))
	}
	return out
}
