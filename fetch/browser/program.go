package browser

import (
	_ "embed"
	"os"

	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/internal/datafile"
)

// Usual is the path for the first Chromium or Chrome in its usual places, in which chromedp looks.
const Usual = "chromium"

// variables are the environment variables that Chromium gets if they are set. It gets no others, so that it never sees secrets in
// citeloop's environment.
var variables = []string{"HOME", "PATH", "LANG", "LC_ALL", "TMPDIR", "TMP", "TEMP", "XDG_RUNTIME_DIR", "FONTCONFIG_PATH",
	"USERPROFILE", "LOCALAPPDATA", "APPDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMDATA", "SYSTEMROOT", "WINDIR"}

const (
	// proxyName is the name of the proxy for Chromium. No page can name it.
	proxyName = "page-proxy.invalid"
	// direct makes Chromium use the proxy for all addresses, including loopback.
	direct = "<-loopback>"
)

//go:embed flags.txt
var flagList string

// options returns the command line of Chromium.
func options(cfg Config, proxyPort string) []chromedp.ExecAllocatorOption {
	out := []chromedp.ExecAllocatorOption{
		chromedp.NoInheritEnv, chromedp.Flag("no-sandbox", cfg.NoSandbox),
		chromedp.Flag("proxy-server", "socks5://"+proxyName+":"+proxyPort), chromedp.Flag("proxy-bypass-list", direct),
		chromedp.Flag("host-resolver-rules", "MAP "+proxyName+" 127.0.0.1, MAP * ~NOTFOUND"), // no other name is resolved
	}
	for _, name := range variables {
		if value, ok := os.LookupEnv(name); ok {
			out = append(out, chromedp.Env(name+"="+value))
		}
	}
	if cfg.Path != Usual {
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
