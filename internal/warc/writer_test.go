package warc

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const tidePage = "https://example.org/tides?year=1931"

// exchange returns the records of one page: response, request, text and metadata.
func exchange(t testing.TB, w *Writer) {
	t.Helper()
	at := time.Date(2026, 3, 1, 10, 0, 0, 700, time.FixedZone("", 3600))
	body := []byte("<p>The tide rises 4 metres.</p>")
	write := func(r Record) string {
		t.Helper()
		r.Date = at
		id, err := w.Write(r)
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	write(Record{Type: Info, ContentType: FieldsType, Body: Fields([]Field{{"software", "citeloop test"}})})
	header := map[string][]string{"Content-Type": {"text/html"}, "Content-Encoding": {"br"}, "Content-Length": {"12"}, "X-Odd\r\nName": {"x"}, "Link": {"<a>", "<b>\r\nSet-Cookie: x"}}
	answer := write(Record{Type: Response, Target: tidePage, ContentType: ResponseType, PayloadType: "text/html", Head: ResponseHead(200, header, len(body)), Body: body})
	write(Record{Type: Request, Target: tidePage, ContentType: RequestType, ConcurrentTo: answer, Head: RequestHead(tidePage, "text/html")})
	write(Record{Type: Conversion, Target: tidePage, ContentType: "text/plain; charset=utf-8", RefersTo: answer, Body: []byte("The tide rises 4 metres.")})
	write(Record{Type: Metadata, Target: tidePage, ContentType: FieldsType, RefersTo: answer, Body: Fields([]Field{{"title", " Tides\r\n of 1931\x00 "}, {"creator", ""}, {"creator", "Ada \xff"}})})
	write(Record{Type: Resource, Target: "file:///papers/empty.txt", ContentType: "text/plain", Body: nil})
}

func TestWriter(t *testing.T) {
	var plain, packed bytes.Buffer
	exchange(t, NewWriter(&plain, false))
	exchange(t, NewWriter(&packed, true))
	got := parse(t, plain.Bytes())
	members := unpack(t, packed.Bytes())
	if len(members) != len(got) || !bytes.Equal(bytes.Join(members, nil), plain.Bytes()) {
		t.Errorf("%d members hold %d bytes, want %d records in as many members", len(members), len(bytes.Join(members, nil)), len(got))
	}
	seen := map[string]bool{}
	for i, r := range got {
		id := r.Header["WARC-Record-ID"]
		if !strings.HasPrefix(id, "<urn:uuid:") || !strings.HasSuffix(id, ">") || seen[id] {
			t.Errorf("record %d has the id %s", i, id)
		}
		seen[id] = true
		if r.Header["WARC-Date"] != "2026-03-01T09:00:00Z" {
			t.Errorf("record %d is of %s", i, r.Header["WARC-Date"])
		}
		if i > 0 && r.Header["WARC-Warcinfo-ID"] != got[0].Header["WARC-Record-ID"] {
			t.Errorf("record %d belongs to %s", i, r.Header["WARC-Warcinfo-ID"])
		}
	}
	answer := got[1].Header["WARC-Record-ID"]
	for i, want := range []struct {
		name, kind, target, block string
		header                    map[string]string
	}{
		{"info", "warcinfo", "", "software: citeloop test\r\n", nil},
		{"response", "response", tidePage, "HTTP/1.1 200 OK\r\nX-Archive-Orig-Content-Encoding: br\r\nX-Archive-Orig-Content-Length: 12\r\nContent-Type: text/html\r\nLink: <a>\r\nContent-Length: 31\r\n\r\n<p>The tide rises 4 metres.</p>",
			map[string]string{"WARC-Identified-Payload-Type": "text/html"}},
		{"request", "request", tidePage, "GET /tides?year=1931 HTTP/1.1\r\nHost: example.org\r\nAccept: text/html\r\n\r\n", map[string]string{"WARC-Concurrent-To": answer}},
		{"conversion", "conversion", tidePage, "The tide rises 4 metres.", map[string]string{"WARC-Refers-To": answer, "Content-Type": "text/plain; charset=utf-8"}},
		{"metadata", "metadata", tidePage, "title: Tides of 1931\r\ncreator: Ada \uFFFD\r\n", map[string]string{"WARC-Refers-To": answer, "WARC-Payload-Digest": ""}},
		{"resource", "resource", "file:///papers/empty.txt", "", map[string]string{"Content-Length": "0", "WARC-Payload-Digest": hashed("")}},
	} {
		r := got[i]
		if r.Header["WARC-Type"] != want.kind || r.Header["WARC-Target-URI"] != want.target {
			t.Errorf("%s: a %s of %q", want.name, r.Header["WARC-Type"], r.Header["WARC-Target-URI"])
		}
		if diff := cmp.Diff(want.block, r.Block); diff != "" {
			t.Errorf("%s (-want +got):\n%s", want.name, diff)
		}
		for field, value := range want.header {
			if r.Header[field] != value {
				t.Errorf("%s: %s is %q, want %q", want.name, field, r.Header[field], value)
			}
		}
	}
}

func TestWriterIsDeterministic(t *testing.T) {
	var one, two bytes.Buffer
	exchange(t, NewWriter(&one, true))
	exchange(t, NewWriter(&two, true))
	if !bytes.Equal(one.Bytes(), two.Bytes()) {
		t.Error("the same records give other bytes")
	}
}

// Two equal records have different ids.
func TestIDsAreUnique(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out, false)
	r := Record{Type: Resource, Target: "urn:x:1", Date: time.Unix(1, 0), ContentType: "text/plain", Body: []byte("x")}
	first, err := w.Write(r)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := w.Write(r); err != nil || second == first {
		t.Errorf("%s and %s, %v", first, second, err)
	}
}

func TestWriterRefuses(t *testing.T) {
	good := func() Record {
		return Record{Type: Resource, Target: "https://example.org/", Date: time.Unix(1, 0), ContentType: "text/plain"}
	}
	tests := []struct {
		name   string
		change func(*Record)
		field  string
	}{
		{"no type", func(r *Record) { r.Type = "" }, "WARC-Type"},
		{"no target", func(r *Record) { r.Target = "" }, "WARC-Target-URI"},
		{"a path", func(r *Record) { r.Target = "/a:b" }, "WARC-Target-URI"},
		{"a target with a line end", func(r *Record) { r.Target += "\r\nWARC-Type: request" }, "WARC-Target-URI"},
		{"a target with a blank", func(r *Record) { r.Target += " x" }, "WARC-Target-URI"},
		{"a target in Unicode", func(r *Record) { r.Target += "é" }, "WARC-Target-URI"},
		{"a warcinfo with a target", func(r *Record) { r.Type = Info }, "WARC-Target-URI"},
		{"no date", func(r *Record) { r.Date = time.Time{} }, "WARC-Date"},
		{"a far date", func(r *Record) { r.Date = time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC) }, "WARC-Date"},
		{"no content type", func(r *Record) { r.ContentType = "" }, "Content-Type"},
		{"a content type of two lines", func(r *Record) { r.ContentType = "text/plain\r\nX: y" }, "Content-Type"},
		{"a reference of two lines", func(r *Record) { r.RefersTo = "urn:x>\nX: <y" }, "WARC-Refers-To"},
		{"a response without a head", func(r *Record) { r.Type = Response }, "the block"},
		{"a text with a head", func(r *Record) { r.Head = []byte("HTTP/1.1 200 OK\r\n\r\n") }, "the block"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := good()
			tt.change(&r)
			var out bytes.Buffer
			var wrong *FieldError
			if _, err := NewWriter(&out, false).Write(r); !errors.As(err, &wrong) || wrong.Field != tt.field {
				t.Errorf("error %v, want one about %s", err, tt.field)
			}
			if out.Len() > 0 {
				t.Errorf("%d bytes were written all the same", out.Len())
			}
		})
	}
}

func TestURI(t *testing.T) {
	for in, want := range map[string]string{
		"https://example.org/a?b=c#d":   "https://example.org/a?b=c#d",
		"https://example.org/a b":       "https://example.org/a%20b",
		"https://example.org/é\r\n<x>":  "https://example.org/%C3%A9%0D%0A%3Cx%3E",
		"https://[2001:db8::1]/":        "https://[2001:db8::1]/",
		"urn:sha256:00":                 "urn:sha256:00",
		"notes of Tuesday":              "",
		"":                              "",
		":x":                            "",
		"Minutes (see below): the rest": "",
	} {
		if got := URI(in); got != want {
			t.Errorf("URI(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestRequestHeadOfOtherSchemes(t *testing.T) {
	for _, address := range []string{"file:///a", "urn:sha256:00", "", "http://", "https://a\x00b/", "gopher://example.org/"} {
		if got := RequestHead(address, "*/*"); got != nil {
			t.Errorf("RequestHead(%q) = %q", address, got)
		}
	}
}

// For any response of a server, a strict reader accepts the record.
func FuzzResponse(f *testing.F) {
	f.Add(200, "Content-Type", "text/html", "<p>x", "https://example.org/", "Title")
	f.Add(0, "Content-Encoding", "gzip", "", "urn:x:y", "a\r\nb")
	f.Add(-7, "Transfer-Encoding", "chunked", "5\r\nhello", "https://example.org/a b", "\x00")
	f.Add(99999, "content-length", "3", "four", "file:///é", "\u2028")
	f.Add(204, "Trailer", "Content-Length", "x", "x:", "")
	f.Add(304, "Connection", "upgrade", "x", "x:", "")
	f.Fuzz(func(t *testing.T, status int, name, value, body, target, title string) {
		if status < 200 || status > 599 || status == 204 || status == 304 { // only responses with a body are read
			status = 200
		}
		target = URI(target)
		if target == "" {
			target = "urn:x:none"
		}
		var out bytes.Buffer
		w := NewWriter(&out, false)
		at := time.Unix(1_700_000_000, 0)
		if strings.EqualFold(name, "Trailer") { // Go rejects it without chunks; other readers accept it
			name = "X-Trailer"
		}
		if _, err := w.Write(Record{Type: Response, Target: target, Date: at, ContentType: ResponseType, Head: ResponseHead(status, map[string][]string{name: {value}}, len(body)), Body: []byte(body)}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(Record{Type: Metadata, Target: target, Date: at, ContentType: FieldsType, Body: Fields([]Field{{"title", title}})}); err != nil {
			t.Fatal(err)
		}
		got := parse(t, out.Bytes())
		if len(got) != 2 {
			t.Fatalf("%d records", len(got))
		}
		if n := strings.Count(got[1].Block, "\n"); n > 1 {
			t.Errorf("%q became %d lines: %q", title, n, got[1].Block)
		}
	})
}
