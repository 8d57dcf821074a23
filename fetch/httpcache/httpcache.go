// Package httpcache is a private HTTP cache (RFC 9111) on disk: fresh responses are not requested again, stale ones are
// validated.
//
// Bodies are stored as received, so that the limits of decompression apply to them as well. A file holds a response: its
// description as a line of JSON, then its body.
package httpcache

import (
	"bytes"
	"cmp"
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
	maxHeader = 128 << 10
	// The lifetime of pages without one is a tenth of their age (RFC 9111, 4.2.2), at most a day.
	heuristicShare = 10
	maxHeuristic   = 24 * time.Hour
	// storedAt is the header with the time when a stored response was received. It stays inside the program, and a server's
	// header of that name is dropped.
	storedAt = "Citeloop-Stored-At"
)

// Transport is the cache in front of another transport.
type Transport struct {
	Next     http.RoundTripper
	Dir      string
	MaxBytes int64 // of all files
	MaxBody  int64
	Now      func() time.Time
	Logger   *slog.Logger

	mu      sync.Mutex // guards the fields below
	size    int64      // of all files, once they are counted
	counted bool
}

// entry describes a stored response.
type entry struct {
	URL, Accept string // of the request
	Header      http.Header
	At          time.Time // when it was received or last confirmed
	Fetched     time.Time // when its body was received
}

// StoredAt returns the time when the body of a response from the cache was received.
func StoredAt(resp *http.Response) (time.Time, bool) {
	at, err := time.Parse(time.RFC3339Nano, resp.Header.Get(storedAt))
	return at, err == nil
}

// RoundTrip answers from the cache if possible, and stores responses that may be stored.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.Method != http.MethodGet || req.Header.Get("Range") != "" {
		return t.Next.RoundTrip(req)
	}
	name := t.file(req)
	stored, body := t.load(name, req)
	if _, validate := directives(req.Header)["no-cache"]; stored != nil && !validate && stored.fresh(t.Now()) {
		return stored.response(req, body), nil
	}
	if stored != nil {
		req = req.Clone(req.Context())
		for condition, header := range map[string]string{"If-None-Match": "Etag", "If-Modified-Since": "Last-Modified"} {
			if value := stored.Header.Get(header); value != "" {
				req.Header.Set(condition, value)
			}
		}
	}
	resp, err := t.Next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	resp.Header.Del(storedAt)
	if stored != nil && resp.StatusCode == http.StatusNotModified {
		_ = resp.Body.Close()
		stored.confirm(resp.Header, t.Now())
		t.store(name, stored, body)
		return stored.response(req, body), nil
	}
	if made := storable(req, resp, t.Now()); made != nil {
		resp.Body = &keptBody{ReadCloser: resp.Body, left: t.MaxBody, keep: func(body []byte) { t.store(name, made, body) }}
	} else if stored != nil && resp.StatusCode < 500 {
		_ = os.Remove(name)
	}
	return resp, nil
}

// sameHeaders are the request headers that differ in no two requests for the same types. Responses that vary by others are
// not stored.
var sameHeaders = []string{"", "Accept", "Accept-Encoding", "Accept-Language", "User-Agent"}

// storable returns the entry for a response, or nil if storing it is not allowed or not useful.
func storable(req *http.Request, resp *http.Response, now time.Time) *entry {
	if _, no := directives(resp.Header)["no-store"]; no || resp.StatusCode != http.StatusOK {
		return nil
	}
	for name := range strings.SplitSeq(strings.Join(resp.Header.Values("Vary"), ","), ",") {
		if !slices.Contains(sameHeaders, http.CanonicalHeaderKey(strings.TrimSpace(name))) {
			return nil
		}
	}
	e := &entry{URL: req.URL.String(), Accept: req.Header.Get("Accept"), Header: resp.Header.Clone(), At: now, Fetched: now}
	e.Header.Del("Set-Cookie") // belongs to one reader
	if cmp.Or(e.Header.Get("Etag"), e.Header.Get("Last-Modified")) == "" && !e.fresh(now) {
		return nil
	}
	return e
}

// confirm takes over what a 304 says about the response.
func (e *entry) confirm(said http.Header, now time.Time) {
	e.At = now
	e.Header.Del("Age")
	for _, name := range []string{"Age", "Cache-Control", "Date", "Etag", "Expires", "Last-Modified"} {
		if values := said.Values(name); len(values) > 0 {
			e.Header[name] = values
		}
	}
}

// fresh reports whether the response may be used without validation.
func (e *entry) fresh(now time.Time) bool {
	control := directives(e.Header)
	if _, no := control["no-cache"]; no {
		return false
	}
	age := now.Sub(e.At)
	if n, err := strconv.ParseInt(e.Header.Get("Age"), 10, 32); err == nil && n > 0 {
		age += time.Duration(n) * time.Second
	}
	if age < 0 { // the clock was set back
		return false
	}
	if seconds, ok := control["max-age"]; ok {
		n, err := strconv.ParseInt(seconds, 10, 32)
		return err == nil && age < time.Duration(n)*time.Second
	}
	sent, err := http.ParseTime(e.Header.Get("Date"))
	if err != nil {
		sent = e.At
	}
	if expires := e.Header.Get("Expires"); expires != "" {
		at, err := http.ParseTime(expires)
		return err == nil && age < at.Sub(sent)
	}
	modified, err := http.ParseTime(e.Header.Get("Last-Modified"))
	return err == nil && age < min(sent.Sub(modified)/heuristicShare, maxHeuristic)
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

func (e *entry) response(req *http.Request, body []byte) *http.Response {
	h := e.Header.Clone()
	h.Set(storedAt, e.Fetched.UTC().Format(time.RFC3339Nano))
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: h, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}
}

func (t *Transport) file(req *http.Request) string {
	sum := sha256.Sum256([]byte(req.Header.Get("Accept") + " " + req.URL.String()))
	name := hex.EncodeToString(sum[:])
	return filepath.Join(t.Dir, name[:2], name)
}

// load reads the entry for a request. It removes a file that it cannot read.
func (t *Transport) load(name string, req *http.Request) (*entry, []byte) {
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var e *entry
	var body []byte
	if err == nil {
		defer f.Close()
		e, body, err = decode(&limit.Reader{R: f, Left: t.MaxBody + maxHeader, Over: limit.ErrTooLarge}, req)
	}
	if err != nil {
		t.Logger.Debug("a cached response is not used", "url", req.URL.String(), "error", err)
		_ = os.Remove(name)
		return nil, nil
	}
	return e, body
}

func decode(r io.Reader, req *http.Request) (*entry, []byte, error) {
	all, err := io.ReadAll(r)
	if err != nil {
		return nil, nil, err
	}
	head, body, _ := bytes.Cut(all, []byte("\n"))
	e := &entry{}
	if err := json.Unmarshal(head, e); err != nil {
		return nil, nil, err
	}
	if e.URL != req.URL.String() || e.Accept != req.Header.Get("Accept") || e.Header == nil {
		return nil, nil, errors.New("stored for another request")
	}
	return e, body, nil
}

// store writes an entry. It only logs a failure.
func (t *Transport) store(name string, e *entry, body []byte) {
	head, err := json.Marshal(e)
	if err == nil && len(head) >= maxHeader {
		err = fmt.Errorf("%w: a header of %d bytes", limit.ErrTooLarge, len(head))
	}
	if err == nil {
		err = t.write(name, slices.Concat(head, []byte("\n"), body))
	}
	if err != nil {
		t.Logger.Debug("not kept in the cache", "url", e.URL, "error", err)
	}
}

// write replaces a file in one step.
func (t *Transport) write(name string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), "new-")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = cmp.Or(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.size += int64(len(content)); !t.counted || t.size > t.MaxBytes {
		t.evict()
	}
	return nil
}

// evict counts the files, and deletes the oldest until a tenth of the limit is free. The caller holds mu.
func (t *Transport) evict() {
	type file struct {
		name string
		fs.FileInfo
	}
	var files []file
	t.size, t.counted = 0, true
	_ = filepath.WalkDir(t.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			files = append(files, file{name, info})
			t.size += info.Size()
		}
		return nil
	})
	if t.size <= t.MaxBytes {
		return
	}
	slices.SortFunc(files, func(a, b file) int { return a.ModTime().Compare(b.ModTime()) })
	for _, f := range files {
		if t.size <= t.MaxBytes-t.MaxBytes/10 {
			break
		}
		if os.Remove(f.name) == nil {
			t.size -= f.Size()
		}
	}
}

// keptBody passes a body on, and keeps it if it was read to its end and is not too long.
type keptBody struct {
	io.ReadCloser
	left  int64 // bytes that may still be kept
	keep  func([]byte)
	buf   bytes.Buffer
	ended bool
}

func (b *keptBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left >= 0 {
		b.buf.Write(p[:n])
	} else {
		b.buf = bytes.Buffer{}
	}
	b.ended = b.ended || err == io.EOF
	return n, err
}

func (b *keptBody) Close() error {
	if !b.ended && b.left >= 0 { // a decoder may stop before it has seen the end
		_, _ = b.Read(make([]byte, 1))
	}
	if b.ended && b.left >= 0 && b.keep != nil {
		b.keep(b.buf.Bytes())
	}
	b.keep = nil
	return b.ReadCloser.Close()
}
