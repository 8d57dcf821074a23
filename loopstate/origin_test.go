package loopstate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPublication(t *testing.T) {
	for _, tt := range []struct {
		name string
		src  Source
		want []string
	}{
		{"pages of one site", Source{Key: "url:docs.example.org/a", ContentType: "text/html"}, []string{"site example.org"}},
		{"a page and its publisher", Source{Key: "url:example.org/a", ContentType: "text/html", Publisher: "The Example"}, []string{"site example.org", "publisher the example"}},
		{"a saved page of a manual", Source{Key: "file:/docs/manual/a.html", ContentType: "text/html"}, []string{"folder /docs/manual"}},
		{"a saved page that names its publisher", Source{Key: "file:/saved/a.html", ContentType: "text/html", Publisher: "The Example"}, []string{"publisher the example"}},
		{"a paper in a folder", Source{Key: "file:/papers/a.pdf", ContentType: "application/pdf", Publisher: "Press"}, nil},
		{"an article with an identifier", Source{Key: "doi:10.1000/1", Publisher: "Press"}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, tt.src.Publication()); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}
