package warc

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// readRecord is a record as parsed by the test's reader.
type readRecord struct {
	Header map[string]string
	Block  string
}

// unpack splits a compressed file into its gzip members.
func unpack(t testing.TB, file []byte) [][]byte {
	t.Helper()
	in := bufio.NewReader(bytes.NewReader(file))
	var members [][]byte
	for {
		if _, err := in.Peek(1); errors.Is(err, io.EOF) {
			return members
		}
		z, err := gzip.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		z.Multistream(false)
		member, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		members = append(members, member)
	}
}

// parseOne parses one record and checks it against the standard: the version line, every field once and on one line, correct
// length and digests, two line ends after the block. It returns the rest.
func parseOne(in []byte) (r readRecord, rest []byte, err error) {
	head, rest, ok := bytes.Cut(in, []byte("\r\n\r\n"))
	if !ok {
		return r, nil, errors.New("a header without an end")
	}
	lines := strings.Split(string(head), "\r\n")
	if lines[0] != "WARC/1.1" {
		return r, nil, fmt.Errorf("version %q", lines[0])
	}
	r.Header = map[string]string{}
	for _, line := range lines[1:] {
		name, value, ok := strings.Cut(line, ": ")
		if _, twice := r.Header[name]; !ok || twice || value == "" || strings.ContainsAny(line, "\r\n") {
			return r, nil, fmt.Errorf("field %q", line)
		}
		r.Header[name] = value
	}
	for _, name := range []string{"WARC-Type", "WARC-Record-ID", "WARC-Date", "Content-Length", "WARC-Block-Digest"} {
		if r.Header[name] == "" {
			return r, nil, fmt.Errorf("%s is missing", name)
		}
	}
	n, err := strconv.Atoi(r.Header["Content-Length"])
	if err != nil || n > len(rest)-4 || string(rest[n:n+4]) != "\r\n\r\n" {
		return r, nil, fmt.Errorf("Content-Length %q does not lead to the record's end", r.Header["Content-Length"])
	}
	r.Block = string(rest[:n])
	if got := hashed(r.Block); got != r.Header["WARC-Block-Digest"] {
		return r, nil, fmt.Errorf("block digest %s, the block has %s", r.Header["WARC-Block-Digest"], got)
	}
	payload := r.Block
	if r.Header["WARC-Type"] == "response" {
		resp, err := http.ReadResponse(bufio.NewReader(strings.NewReader(r.Block)), nil)
		if err != nil {
			return r, nil, err
		}
		body, err := io.ReadAll(resp.Body)
		if err != nil || !strings.HasSuffix(r.Block, "\r\n\r\n"+string(body)) {
			return r, nil, fmt.Errorf("a body of %d bytes, %w", len(body), err)
		}
		payload = string(body)
	}
	if want := r.Header["WARC-Payload-Digest"]; want != "" && want != hashed(payload) {
		return r, nil, fmt.Errorf("payload digest %s, the payload has %s", want, hashed(payload))
	}
	return r, rest[n+4:], nil
}

func hashed(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256:" + hex.EncodeToString(sum[:])
}

// parse parses an uncompressed file.
func parse(t testing.TB, file []byte) []readRecord {
	t.Helper()
	var all []readRecord
	for len(file) > 0 {
		r, rest, err := parseOne(file)
		if err != nil {
			t.Fatalf("record %d: %v", len(all)+1, err)
		}
		all, file = append(all, r), rest
	}
	return all
}
