package extract

import (
	"testing"

	"github.com/citeloop/citeloop/fetch/extract/mail"
)

// A message says what mail programs show of it.
func TestAlternatives(t *testing.T) {
	const long = "The harbour was dredged in spring and the ferry ran again from the old mole to the lighthouse on the island."
	tests := []struct{ name, html, want string }{
		{"HTML", "<p>" + long + "</p><p>More.</p>", long + "\n\nMore."},
		{"HTML that shows nothing", "<p hidden>" + long + "</p>", "It is plain."},
		{"words that the HTML hides", "<p>" + long + "<span hidden>It is not safe</span></p>", long},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			raw := "Subject: x\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\nIt is plain.\n" +
				"--b\nContent-Type: text/html\n\n" + tt.html + "\n--b--\n"
			x, err := New(Config{}).Message(t.Context(), mail.Parse([]byte(raw)))
			if err != nil {
				t.Fatal(err)
			}
			if want := "Subject: x\n\n" + tt.want; x.Text != want {
				t.Errorf("text %q, want %q", x.Text, want)
			}
		})
	}
}
