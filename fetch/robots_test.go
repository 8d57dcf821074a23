package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestRobotsRules(t *testing.T) {
	tests := []struct {
		name, file string
		allowed    []string
		refused    []string
	}{
		{"empty", "", []string{"/", "/x"}, nil},
		{"everything", "User-agent: *\nDisallow: /", []string{"/robots.txt"}, []string{"/", "/x", "/x?y"}},
		{"an empty rule forbids nothing", "User-agent: *\nDisallow:", []string{"/x"}, nil},
		{"prefix", "User-agent: *\nDisallow: /private", []string{"/", "/privat"}, []string{"/private", "/private/x", "/privately"}},
		{"longest match", "User-agent: *\nDisallow: /a\nAllow: /a/b", []string{"/a/b/c"}, []string{"/a/c"}},
		{"between equals, allow", "User-agent: *\nDisallow: /a\nAllow: /a", []string{"/a"}, nil},
		{"our group before everyone's", "User-agent: *\nDisallow: /\n\nUser-agent: citeloop\nDisallow: /x", []string{"/y"}, []string{"/x"}},
		{"a version behind our name", "User-agent: citeloop/2\nDisallow: /", nil, []string{"/y"}},
		{"a longer name is another crawler", "User-agent: citeloopbot\nDisallow: /", []string{"/y"}, nil},
		{"groups of one name are merged", "User-agent: citeloop\nDisallow: /a\nUser-agent: other\nDisallow: /\nUser-agent: " +
			"citeloop\nDisallow: /b", []string{"/c"}, []string{"/a", "/b"}},
		{"one group for several names", "User-agent: other\nUser-agent: citeloop\nDisallow: /a", []string{"/b"}, []string{"/a"}},
		{"wildcard", "User-agent: *\nDisallow: /*/print", []string{"/print"}, []string{"/a/print", "/a/b/printed"}},
		{"end", "User-agent: *\nDisallow: /*.pdf$", []string{"/a.pdf?x", "/a.pdfs"}, []string{"/a.pdf", "/b/c.pdf"}},
		{"end without wildcard", "User-agent: *\nDisallow: /a$", []string{"/ab"}, []string{"/a"}},
		{"escapes are compared as octets", "User-agent: *\nDisallow: /%7Ejoe/\nDisallow: /caf\u00e9", nil,
			[]string{"/~joe/x", "/caf%C3%A9", "/caf%c3%a9"}},
		{"comments, case, carriage returns", "# hello\r\nUSER-AGENT: * # all\r\nDISALLOW: /a # not this\r\n", []string{"/b"},
			[]string{"/a"}},
		{"rules before any group", "Disallow: /\nUser-agent: *\nDisallow: /a", []string{"/b"}, []string{"/a"}},
		{"other lines do not end a group", "User-agent: *\nSitemap: http://x/s\nCrawl-delay: 5\nDisallow: /a", nil, []string{"/a"}},
	}
	for _, tt := range tests {
		rules := parseRobots([]byte(tt.file), "citeloop")
		for _, p := range slices.Concat(tt.allowed, tt.refused) {
			if want := slices.Contains(tt.allowed, p); rules.allows(p) != want {
				t.Errorf("%s: %s is allowed: %v", tt.name, p, !want)
			}
		}
	}
}

func TestRobotsLimits(t *testing.T) {
	file := "User-agent: *\nDisallow: /first\n" + strings.Repeat("# filler\n", maxRobotsBytes/8) + "Disallow: /last\n"
	if rules := parseRobots([]byte(file), "citeloop"); rules.allows("/first") || !rules.allows("/last") {
		t.Error("the limit of 500 KiB was not kept")
	}
}

// robots.txt is asked for once, and holds for redirects. With IgnoreRobots, requested addresses and their redirects are read
// nevertheless, and the page is marked; copies were not requested and are not read.
func TestReadHonoursRobots(t *testing.T) {
	var asked atomic.Int32
	pages := site{"/open": page(article), "/private/x": page(article), "/to": leads("/private/x"),
		"/robots.txt": func(w http.ResponseWriter, r *http.Request) {
			asked.Add(1)
			says("User-agent: citeloop\nDisallow: /private")(w, r)
		}}
	for _, ignore := range []bool{false, true} {
		asked.Store(0)
		r, srv := serve(t, pages, func(c *Config) { c.IgnoreRobots = ignore })
		for path, want := range map[string]Status{"/open": StatusRead, "/private/x": StatusRobots, "/to": StatusRobots} {
			ignored := ignore && want == StatusRobots
			if ignored {
				want = StatusRead
			}
			if p := r.Read(t.Context(), srv.URL+path); p.Status != want || p.RobotsIgnored != ignored {
				t.Errorf("%s: %s, %q, ignored %v; want %s", path, p.Status, p.Reason, p.RobotsIgnored, want)
			}
		}
		if n := asked.Load(); n != 1 {
			t.Errorf("robots.txt was asked for %d times, want 1", n)
		}
	}
	w := &web{sites: map[string]http.HandlerFunc{"wayback.example/wayback/available": snapshot,
		"web.archive.example/robots.txt":                                  says("User-agent: *\nDisallow: /"),
		"web.archive.example/web/20190304050607id_/http://gone.example/a": page(article)}}
	if p := onWeb(t, w, func(c *Config) { c.IgnoreRobots = true }).Read(t.Context(), "http://gone.example/a"); p.Status != StatusNotFound ||
		p.RobotsIgnored || w.has("id_") {
		t.Errorf("a copy: %s, %q, ignored %v", p.Status, p.Reason, p.RobotsIgnored)
	}
}

func TestReadWhenRobotsFails(t *testing.T) {
	for _, tt := range []struct {
		name   string
		robots http.HandlerFunc
		want   Status
		reason string
	}{
		{"none", answers(404, "text/plain", ""), StatusRead, ""},
		{"forbidden", answers(403, "text/plain", ""), StatusRead, ""},
		{"server fails", answers(500, "text/plain", ""), StatusRobots, "robots.txt with 500"},
		{"busy", answers(429, "text/plain", ""), StatusRobots, "robots.txt with 429"},
		{"loop", leads("/robots.txt"), StatusRead, ""},
		{"leads to a private address", leads("http://10.0.0.1/"), StatusBlocked, "private"},
		{"larger than its limit", says("User-agent: *\nDisallow: /x\n" + strings.Repeat("#\n", 400<<10)), StatusRead, ""},
	} {
		r, srv := serve(t, site{"/robots.txt": tt.robots, "/": page(article)})
		if p := r.Read(t.Context(), srv.URL+"/"); p.Status != tt.want || !strings.Contains(p.Reason, tt.reason) {
			t.Errorf("%s: %s, %q; want %s, %q", tt.name, p.Status, p.Reason, tt.want, tt.reason)
		}
	}
}

func TestRobotsCache(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	asked := 0
	var fail error
	c := newRobotsCache("citeloop", roundTrip(func(req *http.Request) (*http.Response, error) {
		asked++
		return &http.Response{StatusCode: http.StatusNotFound, Request: req, Body: http.NoBody}, fail
	}), time.Second, func() time.Time { return now })
	ask := func(host string) error {
		return c.allows(t.Context(), &url.URL{Scheme: "https", Host: host, Path: "/"})
	}
	steps := []struct {
		name  string
		after time.Duration
		fail  error
		asked int
	}{
		{"first", 0, nil, 1},
		{"kept", 23 * time.Hour, nil, 1},
		{"a day later", 2 * time.Hour, errors.New("down"), 2},
		{"a failure is kept for a minute", 59 * time.Second, nil, 2},
		{"and no longer", 2 * time.Second, nil, 3},
	}
	for _, s := range steps {
		now, fail = now.Add(s.after), s.fail
		_ = ask("example.com")
		if asked != s.asked {
			t.Errorf("%s: asked %d times, want %d", s.name, asked, s.asked)
		}
	}
	for i := range maxRobotsHosts + 10 {
		_ = ask(fmt.Sprintf("h%d.example.com", i))
	}
	if n := c.answers.Len(); n > maxRobotsHosts {
		t.Errorf("%d hosts are kept, the limit is %d", n, maxRobotsHosts)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// No file or path breaks the parser or makes a match slow, and all spellings of the same octets get the same answer.
func FuzzRobots(f *testing.F) {
	f.Add("User-agent: *\nDisallow: /*a*b*c$\nAllow: /x", "/a/b/c?d")
	f.Add("User-agent: citeloop\nUser-agent: *\nDisallow: %zz\r\rAllow: *", "/%7Ejoe")
	f.Add("\xef\xbb\xbfuser-agent:*\ndisallow:/"+strings.Repeat("*a", 50), "/"+strings.Repeat("a", 100))
	f.Fuzz(func(t *testing.T, file, path string) {
		rules := parseRobots([]byte(file), "citeloop")
		if rules.allows(path) != rules.allows(escapePath(path)) && path != "/robots.txt" && escapePath(path) != "/robots.txt" {
			t.Errorf("%q and %q differ", path, escapePath(path))
		}
		if !rules.allows("/robots.txt") {
			t.Error("robots.txt itself is refused")
		}
	})
}
