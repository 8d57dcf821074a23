package html

import (
	"strings"
	"testing"
)

// A manual keeps the term of each definition, the warning at the end of a section and its headings.
func TestManualsAreKeptWhole(t *testing.T) {
	var b strings.Builder
	for _, name := range []string{"fsync", "wal_level", "work_mem", "port", "jit", "hot_standby"} {
		b.WriteString(`<dt><span class="term"><code>` + name + `</code> (<code>boolean</code>)</span></dt><dd><p>Sets how <code>` + name + `</code> behaves when the server starts. The default is <code>on</code>, which suits most servers and needs no change.</p></dd>`)
	}
	const warning, term = "Do not turn it off.", "ssl"
	src := `<html><head><title>Settings</title></head><body><div class="navheader"><a href="a">Prev</a> <a href="b">Next</a></div><div class="sect1" id="SQL-DROP-FORM"><h2>Settings</h2><p>These settings control the server, and each of them has a default that suits most servers.</p>` +
		`<dl>` + b.String() + `<dt>` + term + `</dt><dd><p>Sets whether connections are encrypted. The default is off, which is not recommended on public networks.</p></dd></dl>` +
		`<h2>Compatibility</h2><p>None.</p><div class="warning"><h3>Warning</h3><p>` + warning + `</p></div></div><div class="navfooter"><a href="a">Prev</a> <a href="b">Next</a></div></body></html>`
	x, err := Read(t.Context(), src, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{warning, "Warning", "\nssl\n", "Compatibility", "None."} {
		if !strings.Contains(x.Text, want) {
			t.Errorf("%q is lost", want)
		}
	}
	if strings.Contains(x.Text, "Prev") {
		t.Error("navigation is kept")
	}
	if t.Failed() {
		t.Log(x.Text)
	}
}
