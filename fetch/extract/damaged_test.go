package extract

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// A damaged file is called damaged, not a type that is not read.
func TestDamaged(t *testing.T) {
	zip, noise := "PK\x03\x04"+strings.Repeat("x", 500), "\x01\x02\xfe"+strings.Repeat("\x00\x9c", 300)
	for _, tt := range []struct{ contentType, path, body, want string }{
		{document.TypePDF, "", noise, "the PDF is damaged"},
		{"application/octet-stream", "/a.pdf", noise, "the PDF is damaged"},
		{document.TypeDOCX, "", zip, "the DOCX is damaged"},
		{document.TypeEPUB, "", zip, "the EPUB is damaged"},
		{document.TypeDOCX, "", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + noise, "the DOCX needs a password"},
		{"application/zip", "", zip, "the file is a damaged zip archive"},
		{"application/octet-stream", "", noise, "binary data is not read"},
	} {
		_, err := Text(t.Context(), tt.contentType, []byte(tt.body), &url.URL{Path: tt.path})
		if !errors.Is(err, document.ErrUnsupported) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %s: %v, want one that says %q", tt.contentType, tt.path, err, tt.want)
		}
	}
}
