package extract

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch/extract/mail"
)

// A message says what its HTML shows where its plain text says something else.
func TestAlternativesThatDiffer(t *testing.T) {
	const long = "The harbour was dredged in spring and the ferry ran again from the old mole to the lighthouse on the island. "
	tests := []struct {
		name, plain, html, want string
		notice                  bool
	}{
		{"the same", long + "p = 5", "<p>" + long + "p = 5</p>", long + "p = 5", false},
		{"an address more", long + "https://harbour.example/a", `<p>` + long + `<a href="https://harbour.example/a">more</a></p>`, long + "https://harbour.example/a", false},
		{"another sign", long + "p < 5", "<p>" + long + "p &gt; 5</p>", long + "p > 5", false},
		{"another text", long + strings.Repeat("obeyed all other orders quietly ", 10), "<p>" + long + "</p>", strings.TrimSpace(long), true},
		{"HTML that shows nothing", long, "<p hidden>" + long + "</p>", strings.TrimSpace(long), false},
		{"words that the HTML hides", long + "It is not safe", "<p>" + long + "<span hidden>It is not safe</span></p>", strings.TrimSpace(long), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			raw := "Subject: x\nContent-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain\n\n" + tt.plain + "\n--b\nContent-Type: text/html\n\n" + tt.html + "\n--b--\n"
			e := New(Config{})
			x, err := e.Message(t.Context(), mail.Parse([]byte(raw)))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasSuffix(x.Text, "\n\n"+tt.want) {
				t.Errorf("text %q, want it to end with %q", x.Text, tt.want)
			}
			if got := strings.Contains(x.Text, "differs from its HTML"); got != tt.notice {
				t.Errorf("notice = %t, want %t", got, tt.notice)
			}
		})
	}
}
