package fetch

import (
	"os"
	"testing"
)

func TestFileAddress(t *testing.T) {
	home, err := os.UserHomeDir()
	if err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct{ raw, want string }{
		{"/home/ann/a.pdf", "file:///home/ann/a.pdf"},
		{"/home/ann/a #1?.pdf", "file:///home/ann/a%20%231%3F.pdf"},
		{"https:///home/ann/a.pdf", "file:///home/ann/a.pdf"},
		{"~/a.pdf", fileURL(home + "/a.pdf")},
		{`C:\papers\a.pdf`, "file:///C:/papers/a.pdf"},
		{"c:/papers/a.pdf", "file:///c:/papers/a.pdf"},
		{"https://example.org/a.pdf", ""},
		{"https://c:80/a.pdf", ""},
		{"//example.org/a.pdf", ""},
		{"example.org/~ann/a.pdf", ""},
	} {
		if got, ok := fileAddress(tt.raw); got != tt.want || ok != (tt.want != "") {
			t.Errorf("fileAddress(%q) = %q, %v; want %q", tt.raw, got, ok, tt.want)
		}
	}
}
