package mail

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

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
			Subject: "Ebbe und Flut in Münster am Meer", From: []string{"Jörg Müller", "ada@example.org"},
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
