package pdf

import (
	"bytes"
	"compress/zlib"
	"io"
	"strings"
	"testing"
)

// Entries that map to nothing are taken out of a map of characters, packed or not, and nothing else of the file moves.
func TestWithoutEmptyMappings(t *testing.T) {
	t.Parallel()
	const mapping = "begincmap\n3 beginbfchar <02> <0000> <03> <FFFD> <04> <0041> endbfchar endcmap"
	var packed bytes.Buffer
	w, _ := zlib.NewWriterLevel(&packed, zlib.BestSpeed)
	_, _ = io.WriteString(w, mapping)
	_ = w.Close()
	for name, data := range map[string]string{"plain": mapping, "packed": packed.String()} {
		file := "%PDF-1.5\n1 0 obj\nstream\n" + data + "\nendstream\nendobj\n2 0 obj\nstream\nBT (x) Tj ET\nendstream"
		got, changed := withoutEmptyMappings([]byte(file))
		if changed != 1 || len(got) != len(file) || !bytes.HasSuffix(got, []byte("2 0 obj\nstream\nBT (x) Tj ET\nendstream")) {
			t.Errorf("%s: %q", name, got)
			continue
		}
		stream := got[bytes.Index(got, []byte("stream\n"))+len("stream\n"):]
		text := string(stream)
		if r, err := zlib.NewReader(bytes.NewReader(stream)); err == nil {
			plain, _ := io.ReadAll(io.LimitReader(r, int64(len(mapping))))
			text = string(plain)
		}
		if strings.Contains(text, "<0000>") || strings.Contains(text, "<FFFD>") || !strings.Contains(text, "<04> <0041>") {
			t.Errorf("%s: %q", name, text)
		}
	}
	if _, changed := withoutEmptyMappings([]byte("stream\nbeginbfchar <02> <0041> endbfchar\nendstream")); changed > 0 {
		t.Error("a map without such entries is changed")
	}
}
