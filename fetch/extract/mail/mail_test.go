package mail

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func split(t testing.TB, box string) []string {
	t.Helper()
	var out []string
	if err := Split(strings.NewReader(box), func(raw []byte) bool {
		out = append(out, string(raw))
		return true
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSplit(t *testing.T) {
	tests := []struct {
		name, box string
		want      []string
	}{
		{"two", "From a@b Thu Nov 19 10:00:00 2026\nSubject: x\n\nOne.\n\nFrom - Thu Nov 19 11:00:00 2026\nSubject: y\n\nTwo.\n",
			[]string{"Subject: x\n\nOne.\n", "Subject: y\n\nTwo."}},
		{"escaped", "From a@b Thu Nov 19 10:00:00 2026\nSubject: x\n\n>From here to 10:00\n>>From there\n> From a quotation\n",
			[]string{"Subject: x\n\nFrom here to 10:00\n>From there\n> From a quotation"}},
		{"not a separator", "From a@b Thu Nov 19 10:00:00 2026\nSubject: x\n\nFrom the beginning it rained.\nFrom a@b Thu Nov 19 " +
			"10:00:00 2026\n", []string{"Subject: x\n\nFrom the beginning it rained.\nFrom a@b Thu Nov 19 10:00:00 2026"}},
		{"carriage returns", "From a@b Thu Nov 19 10:00:00 2026\r\nSubject: x\r\n\r\nOne.\r\n\r\nFrom a@b Thu Nov 19 10:00:00 " +
			"2026\r\n\r\nTwo.", []string{"Subject: x\r\n\r\nOne.\r\n\r", "\r\nTwo."}},
		{"blank lines first", "\n\nFrom a@b Thu Nov 19 10:00:00 2026\n\nOne.", []string{"\nOne."}},
		{"empty", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, split(t, tt.box)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	if err := Split(strings.NewReader("Dear diary"), func([]byte) bool { return true }); !errors.Is(err, ErrNotMailbox) {
		t.Errorf("no mailbox: %v", err)
	}
	long := "From a@b Thu Nov 19 10:00:00 2026\n\n" + strings.Repeat("x", MaxMessageBytes+100)
	if got := split(t, long); len(got) != 1 || len(got[0]) != MaxMessageBytes {
		t.Errorf("%d messages, the first of %d bytes", len(got), len(got[0]))
	}
}

const multi = `From: =?utf-8?q?J=C3=B6rg_M=C3=BCller?= <jm@example.org>, ada@example.org
Subject: =?iso-8859-1?Q?Ebbe_und_Flut_in_M=FCnster?=
 am Meer
Date: Thu, 19 Nov 2026 23:30:00 -0500
Message-ID: <one@example.org>
In-Reply-To: <zero@example.org>
References: <root@example.org>
 <zero@example.org>
this line is no field
Content-Type: multipart/mixed; boundary="outer"

preamble
--outer
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

Die M=FChle mahlt mit dem=
 Wasser.
--inner
Content-Type: text/html

<p>Die Mühle mahlt</p>
--inner--
--outer
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: base64

w4ZvbGlhbg==
--outer
Content-Type: application/pdf; name="report.pdf"
Content-Disposition: attachment
Content-Transfer-Encoding: base64

JVBERg==
--outer
Content-Type: message/rfc822

Subject: Inside
Content-Type: text/html; charset=utf-8

<b>Forwarded</b>
--outer--
`

func TestParse(t *testing.T) {
	tests := []struct {
		name, raw string
		want      Message
	}{
		{"all of it", multi, Message{
			ID: "one@example.org", Subject: "Ebbe und Flut in Münster am Meer", From: []string{"Jörg Müller", "ada@example.org"},
			Date:     "2026-11-19",
			Attached: []string{"report.pdf"},
			Parts: []Part{
				{ContentType: "text/html", Body: []byte("<p>Die Mühle mahlt</p>"),
					Plain: &Part{ContentType: "text/plain; charset=iso-8859-1", Body: []byte("Die M\xfchle mahlt mit dem Wasser.")}},
				{ContentType: "text/plain; charset=utf-8", Body: []byte("Æolian")},
				{ContentType: "text/plain; charset=utf-8", Body: []byte("Forwarded: Inside")},
				{ContentType: "text/html; charset=utf-8", Body: []byte("<b>Forwarded</b>")},
			},
		}},
		{"plain", "From: ada\nSubject: x\n\nBody.",
			Message{Subject: "x", From: []string{"ada"}, Parts: []Part{{ContentType: "text/plain", Body: []byte("Body.")}}}},
		{"HTML alone", "Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/html\n\n<p>x</p>\n--b--",
			Message{Parts: []Part{{ContentType: "text/html", Body: []byte("<p>x</p>")}}}},
		{"alternatives, cut off", "Content-Type: multipart/alternative; boundary=b\n\n--b\n\nplain",
			Message{Parts: []Part{{ContentType: "text/plain", Body: []byte("plain")}}}},
		{"base64, cut off", "Content-Transfer-Encoding: base64\n\nw4Zvb",
			Message{Parts: []Part{{ContentType: "text/plain", Body: []byte("Æo")}}}},
		{"attachment alone", "Content-Type: image/png; name=\"=?utf-8?q?=C3=A9.png?=\"\n\nPNG", Message{Attached: []string{"é.png"}}},
		{"no boundary", "Content-Type: multipart/mixed\n\nx", Message{}},
		{"an old date", "Date: Thu Nov 19 10:00:00 2026\n\n", Message{Date: "2026-11-19"}},
		{"nothing", "", Message{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Parse([]byte(tt.raw))
			got.Head = nil
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
	for raw, want := range map[string]string{
		"To: Bo Ek <bo@example.org>, ann@example.org\nDate: Tue, 05 Mar 2024 08:15:00 +0100\nFrom: Ida\nSubject: x\n\n": "From: " +
			"Ida\nTo: Bo Ek, " +
			"ann@example.org\nDate: 2024-03-05 08:15\nSubject: x",
		"From: <Saved by Blink>\nSubject: x\n\n": "Subject: x",
	} {
		if got := strings.Join(Parse([]byte(raw)).Head, "\n"); got != want {
			t.Errorf("the head of %q is %q, want %q", raw, got, want)
		}
	}
}

func TestNames(t *testing.T) {
	one := Parse([]byte(multi))
	if Name(one, []byte(multi)) != Name(Message{ID: one.ID}, nil) {
		t.Error("the name of a message with an id depends on more than the id")
	}
	if Name(Message{}, []byte("a")) == Name(Message{}, []byte("b")) {
		t.Error("two messages without an id share a name")
	}
	if name := Name(Message{}, []byte("x")); len(name) != 16 {
		t.Errorf("name %q", name)
	}
}

// The depth and the number of nested parts are bounded.
func TestNesting(t *testing.T) {
	var deep, wide strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&deep, "Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n", i, i)
	}
	deep.WriteString("\nbottom")
	wide.WriteString("Content-Type: multipart/mixed; boundary=b\n\n")
	for range 1000 {
		wide.WriteString("--b\n\nx\n")
	}
	if m := Parse([]byte(deep.String())); len(m.Parts) != 0 {
		t.Errorf("%d parts at a depth of 1000", len(m.Parts))
	}
	if m := Parse([]byte(wide.String())); len(m.Parts) >= maxParts || len(m.Parts) < maxParts-2 {
		t.Errorf("%d parts of 1000", len(m.Parts))
	}
}

// FuzzMailbox checks that splitting and parsing end for any bytes, and that no message exceeds the limit.
func FuzzMailbox(f *testing.F) {
	f.Add([]byte("From a@b Thu Nov 19 10:00:00 2026\n" + multi))
	f.Add([]byte("From a@b Thu Nov 19 10:00:00 2026\n\n>From x\n\nFrom - Thu Nov 19 10:00:00 2026\nContent-Transfer-Encoding: " +
		"base64\n\n===="))
	f.Fuzz(func(t *testing.T, box []byte) {
		total := 0
		err := Split(strings.NewReader(string(box)), func(raw []byte) bool {
			total += len(raw)
			m := Parse(raw)
			if len(m.Parts) > maxParts*2 || len(Name(m, raw)) != 16 {
				t.Errorf("%d parts", len(m.Parts))
			}
			return true
		})
		if err != nil && !errors.Is(err, ErrNotMailbox) || total > len(box) {
			t.Errorf("%v, %d of %d bytes", err, total, len(box))
		}
	})
}
