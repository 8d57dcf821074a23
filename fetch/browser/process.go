package browser

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"

	"github.com/citeloop/citeloop/internal/datafile"
)

// startTimeout bounds the start of the process. A cold start on a busy machine took 6 s.
const startTimeout = 15 * time.Second

var errCrashed = errors.New("the browser crashed")

// process is one running Chromium.
type process struct {
	ctx       context.Context // chromedp's, of the first tab; ends with the process
	cancel    context.CancelFunc
	closing   context.Context // ended by close, and by Close of the browser
	proxy     *proxy
	userAgent string
}

// startProcess starts Chromium and waits until it answers.
func startProcess(parent context.Context, cfg Config) (*process, error) {
	if parent.Err() != nil {
		return nil, errClosed
	}
	proxy, err := openProxy(cfg.Gate, cfg.Logger)
	if err != nil {
		return nil, err
	}
	closing, ended := context.WithCancel(parent)
	alloc, endAlloc := chromedp.NewExecAllocator(closing, options(cfg, proxy)...)
	say := func(format string, args ...any) {
		cfg.Logger.Debug("chromium", "message", fmt.Sprintf(format, args...))
	}
	ctx, endTab := chromedp.NewContext(alloc, chromedp.WithLogf(say), chromedp.WithErrorf(say))
	p := &process{ctx: ctx, closing: closing, proxy: proxy, cancel: func() { proxy.close(); ended(); endTab(); endAlloc() }}
	late := time.AfterFunc(startTimeout, ended)
	version, err := chromedp.CallBrowser(ctx, cdpbrowser.GetVersion, cdp.Empty{})
	if !late.Stop() && err == nil {
		err = fmt.Errorf("no answer within %s", startTimeout)
	}
	if err != nil {
		p.cancel()
		return nil, fmt.Errorf("the browser did not start: %w", explainStart(err, cfg.NoSandbox))
	}
	// The user agent of the same browser with a window, followed by ours: sites must not serve other pages to a headless one.
	p.userAgent = strings.TrimSpace(strings.ReplaceAll(version.UserAgent, "HeadlessChrome/", "Chrome/") + " " + cfg.UserAgent)
	cfg.Logger.Info("browser started", "product", version.Product)
	return p, nil
}

// explainStart adds a remedy to the error of a failed start.
func explainStart(err error, noSandbox bool) error {
	said := err.Error()
	if !noSandbox && (strings.Contains(said, "No usable sandbox") || strings.Contains(said, "sandbox_host") ||
		strings.Contains(said, "Operation not permitted")) {
		return errors.New("the system does not allow Chromium's sandbox (user namespaces are off): allow them, or set " +
			"CITELOOP_BROWSER_NO_SANDBOX=1 where the whole machine is a sandbox")
	}
	if len(said) > 500 { // its whole output
		said = said[:500] + " …"
	}
	return errors.New(said)
}

// alive reports whether the process can render pages.
func (p *process) alive() bool {
	if p == nil || p.ctx.Err() != nil {
		return false
	}
	select {
	case <-chromedp.FromContext(p.ctx).Browser.LostConnection: // known before the context ends
		return false
	default:
		return true
	}
}

// close ends the process and waits until its folder is removed.
func (p *process) close() {
	if p != nil {
		p.cancel()
	}
}

// explain returns why a page failed: its caller, citeloop, or the process ended it.
func (p *process) explain(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case p.closing.Err() != nil:
		return errClosed
	case !p.alive(), errors.Is(err, context.Canceled): // neither the caller nor Close has cancelled it
		return errCrashed
	}
	return err
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
		chromedp.ExecPath(cfg.Path), chromedp.NoInheritEnv, chromedp.Env(cfg.Env...), chromedp.Flag("no-sandbox", cfg.NoSandbox),
		chromedp.Flag("proxy-server", "http://"+proxyName+":"+proxy.port()), chromedp.Flag("proxy-bypass-list", direct),
		chromedp.Flag("host-resolver-rules", "MAP "+proxyName+" 127.0.0.1, MAP * ~NOTFOUND"), // no other name is resolved
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
