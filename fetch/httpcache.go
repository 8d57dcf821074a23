package fetch

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/citeloop/citeloop/fetch/extract/limit"
)

const (
	defaultPageCacheBytes = 256 << 20
	maxCachedHeader       = 128 << 10
	// The lifetime of pages without one is a tenth of their age (RFC 9111, 4.2.2), at most a day.
	heuristicShare = 10
	maxHeuristic   = 24 * time.Hour
	// storedHeader has the time when a stored response was received. It stays inside the program, and a server's header of
	// that name is dropped.
	storedHeader = "Citeloop-Stored-At"
)

// httpCache is a private cache (RFC 9111) on disk: fresh responses are not requested again, stale ones are validated.
// Bodies are stored compressed, as received, so that the limits of decompression apply to them as well.
type httpCache struct {
	next   http.RoundTripper
	dir    string
	limit  int64 // bytes of all files
	body   int64 // bytes of one
	now    func() time.Time
	logger *slog.Logger

	mu    sync.Mutex // guards size
	size  int64      // of all files, once they are counted
	known bool
}

// storedAnswer is the first line of a file, as JSON. The body follows.
type storedAnswer struct {
	URL     string
	Status  int
	Header  http.Header
	Vary    map[string]string // request headers that the response depends on
	At      time.Time         // when it was received or last confirmed
	Fetched time.Time         // when its body was received
}

// RoundTrip answers from the cache if possible, and stores responses that may be stored.
func (c *httpCache) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet || req.Header.Get("Range") != "" {
		return c.next.RoundTrip(req)
	}
	name := c.file(req.URL.String())
	stored, body, err := c.load(name, req)
	if err != nil {
		c.forget(name)
	}
	if stored != nil && stored.fresh(c.now()) {
		return stored.response(req, body), nil
	}
	if stored != nil {
		req = req.Clone(req.Context())
		if tag := stored.Header.Get("Etag"); tag != "" {
			req.Header.Set("If-None-Match", tag)
		}
		if at := stored.Header.Get("Last-Modified"); at != "" {
			req.Header.Set("If-Modified-Since", at)
		}
	}
	resp, err := c.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	resp.Header.Del(storedHeader)
	if stored != nil && resp.StatusCode == http.StatusNotModified {
		_ = resp.Body.Close()
		for _, key := range []string{"Cache-Control", "Date", "Etag", "Expires", "Last-Modified", "Vary", "Age"} {
			if v := resp.Header.Values(key); len(v) > 0 {
				stored.Header[key] = v
			} else if key == "Age" {
				stored.Header.Del(key)
			}
		}
		stored.At = c.now()
		c.store(name, stored, body)
		return stored.response(req, body), nil
	}
	if answer := storable(req, resp, c.now()); answer != nil {
		resp.Body = &keptBody{ReadCloser: resp.Body, limit: c.body, keep: func(b []byte) { c.store(name, answer, b) }, length: resp.ContentLength}
	} else if stored != nil && resp.StatusCode < 500 {
		c.forget(name)
	}
	return resp, nil
}

// storable returns the response as an entry of the cache, or nil if storing it is not allowed or not useful.
func storable(req *http.Request, resp *http.Response, now time.Time) *storedAnswer {
	control := directives(resp.Header)
	if _, no := control["no-store"]; no || resp.StatusCode != http.StatusOK {
		return nil
	}
	a := &storedAnswer{URL: req.URL.String(), Status: resp.StatusCode, Header: resp.Header.Clone(), Vary: map[string]string{}, At: now, Fetched: now}
	a.Header.Del("Set-Cookie") // belongs to one reader
	for _, line := range resp.Header.Values("Vary") {
		for name := range strings.SplitSeq(line, ",") {
			name = http.CanonicalHeaderKey(strings.TrimSpace(name))
			if name == "*" || len(a.Vary) > 20 {
				return nil
			}
			if name != "" {
				a.Vary[name] = req.Header.Get(name)
			}
		}
	}
	if a.Header.Get("Etag") == "" && a.Header.Get("Last-Modified") == "" && !a.fresh(now) {
		return nil
	}
	return a
}

// fresh reports whether the entry may be used without validation.
func (a *storedAnswer) fresh(now time.Time) bool {
	control := directives(a.Header)
	if _, no := control["no-cache"]; no {
		return false
	}
	age := now.Sub(a.At)
	if n, err := strconv.ParseInt(a.Header.Get("Age"), 10, 32); err == nil && n > 0 {
		age += time.Duration(n) * time.Second
	}
	if age < 0 { // the clock was set back
		return false
	}
	if seconds, ok := control["max-age"]; ok {
		n, err := strconv.ParseInt(seconds, 10, 32)
		return err == nil && age < time.Duration(n)*time.Second
	}
	sent, err := http.ParseTime(a.Header.Get("Date"))
	if err != nil {
		sent = a.At
	}
	if expires := a.Header.Get("Expires"); expires != "" {
		at, err := http.ParseTime(expires)
		return err == nil && age < at.Sub(sent)
	}
	if modified, err := http.ParseTime(a.Header.Get("Last-Modified")); err == nil {
		return age < min(sent.Sub(modified)/heuristicShare, maxHeuristic)
	}
	return false
}

func directives(h http.Header) map[string]string {
	out := map[string]string{}
	for part := range strings.SplitSeq(strings.Join(h.Values("Cache-Control"), ","), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		if name != "" && len(out) < 50 {
			out[strings.ToLower(name)] = strings.Trim(value, `"`)
		}
	}
	return out
}

func (a *storedAnswer) response(req *http.Request, body []byte) *http.Response {
	h := a.Header.Clone()
	h.Set(storedHeader, a.Fetched.UTC().Format(time.RFC3339Nano))
	return &http.Response{
		Status: fmt.Sprintf("%d %s", a.Status, http.StatusText(a.Status)), StatusCode: a.Status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: h, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}
}

func (c *httpCache) file(address string) string {
	sum := sha256.Sum256([]byte(address))
	name := hex.EncodeToString(sum[:])
	return filepath.Join(c.dir, name[:2], name)
}

// load reads the entry for a request.
func (c *httpCache) load(name string, req *http.Request) (*storedAnswer, []byte, error) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	r := bufio.NewReader(&limit.Reader{R: f, Left: c.body + maxCachedHeader, Over: limit.ErrTooLarge})
	line, err := r.ReadBytes('\n')
	if err != nil {
		return nil, nil, err
	}
	a := &storedAnswer{}
	if err := json.Unmarshal(line, a); err != nil {
		return nil, nil, err
	}
	if a.URL != req.URL.String() || a.Header == nil {
		return nil, nil, errors.New("stored under a different address")
	}
	for name, value := range a.Vary {
		if req.Header.Get(name) != value {
			return nil, nil, nil // another variant of the page; it stays until this one replaces it
		}
	}
	body, err := io.ReadAll(r)
	return a, body, err
}

// store writes an entry. It only logs a failure.
func (c *httpCache) store(name string, a *storedAnswer, body []byte) {
	head, err := json.Marshal(a)
	if err == nil && len(head) < maxCachedHeader {
		err = c.write(name, append(head, '\n'), body)
	}
	if err != nil {
		c.logger.Debug("not kept in the cache", "url", a.URL, "error", err)
	}
}

func (c *httpCache) write(name string, head, body []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "new-")
	if err != nil {
		return err
	}
	_, err = f.Write(head)
	if err == nil {
		_, err = f.Write(body)
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.Name(), name) // atomic
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.size += int64(len(head) + len(body))
	if !c.known || c.size > c.limit {
		c.evict()
	}
	return nil
}

func (c *httpCache) forget(name string) { _ = os.Remove(name) }

// evict counts the files, and deletes the oldest until a tenth of the limit is free. The caller holds mu.
func (c *httpCache) evict() {
	type file struct {
		name string
		size int64
		at   time.Time
	}
	var files []file
	c.size, c.known = 0, true
	_ = filepath.WalkDir(c.dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			files = append(files, file{name, info.Size(), info.ModTime()})
			c.size += info.Size()
		}
		return nil
	})
	if c.size <= c.limit {
		return
	}
	slices.SortFunc(files, func(a, b file) int { return a.at.Compare(b.at) })
	for _, f := range files {
		if c.size <= c.limit-c.limit/10 {
			break
		}
		if os.Remove(f.name) == nil {
			c.size -= f.size
		}
	}
}

// keptBody passes a body on, and stores it when it is complete.
type keptBody struct {
	io.ReadCloser
	limit  int64
	length int64 // announced; -1 = unknown
	keep   func([]byte)

	buf   bytes.Buffer
	ended bool
	over  bool
}

func (b *keptBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if !b.over {
		if int64(b.buf.Len()+n) > b.limit {
			b.over, b.buf = true, bytes.Buffer{}
		} else {
			b.buf.Write(p[:n])
		}
	}
	b.ended = b.ended || err == io.EOF
	return n, err
}

func (b *keptBody) Close() error {
	if !b.ended && !b.over { // a decoder may stop before it has seen the end
		var one [1]byte
		_, _ = b.Read(one[:])
	}
	if b.ended && !b.over && b.keep != nil && (b.length < 0 || b.length == int64(b.buf.Len())) {
		b.keep(b.buf.Bytes())
	}
	b.keep = nil
	return b.ReadCloser.Close()
}
