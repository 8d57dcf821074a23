package fetch

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

const listOfMails = `From ada@example.org Thu Nov 19 10:00:00 2026
From: Ada Miller <ada@example.org>
Subject: Tidal mills
Date: Thu, 19 Nov 2026 10:00:00 +0000
Message-ID: <one@example.org>

The mill at the mouth of the river turns with the tide, twice a day, and has done so since the brothers built it.
>From the bridge one sees the wheel. It is made of oak and iron, and stands still for an hour between ebb and flood.

From jm@example.org Thu Nov 19 11:00:00 2026
From: =?utf-8?q?J=C3=B6rg_M=C3=BCller?= <jm@example.org>
Subject: Re: Tidal mills
Message-ID: <two@example.org>
In-Reply-To: <one@example.org>

Thanks.

From ada@example.org Thu Nov 19 10:00:00 2026
Subject: a copy of the first
Message-ID: <one@example.org>

The same again.
`

// EachDocument, which indexes folders, and Read of a file: address return the same text, so that offsets agree.
func TestEachDocumentMatchesRead(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	long := strings.Repeat("The keeper wrote down the height of the tide — every hour of the day. ", 8)
	files := map[string]string{
		"a.md": "---\ntitle: Tides\n---\n# Heights\n\n" + long,
		"c.html": "<html><head><title>Tides</title></head><body><nav><a href=x>Menu</a></nav><article><h1>Tides</h1><p>" + long +
			"</p></article></body></html>",
		"list.mbox":  listOfMails,
		"one.eml":    "Subject: One\nFrom: Ada\n\n" + long,
		"no one.txt": "short",
	}
	r := reader(t, func(c *Config) { c.Corpus = []string{dir} })
	seen := 0
	for name, body := range files {
		path := write(t, filepath.Join(dir, name), body)
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		err = r.EachDocument(context.Background(), path, f, func(part string, want document.Document) error {
			seen++
			address := (&url.URL{Scheme: "file", Path: slashPath(filepath.Join(path, part))}).String()
			got := r.Read(context.Background(), address)
			if diff := cmp.Diff(want, got.Document); diff != "" || got.Status != StatusRead {
				t.Errorf("%s: %s %s (-EachDocument +Read)\n%s", address, got.Status, got.Reason, diff)
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	}
	if seen != 6 { // two messages of the mailbox: the third is a copy of the first
		t.Errorf("%d documents, want 6", seen)
	}
}

func TestMessageAddresses(t *testing.T) {
	dir := t.TempDir()
	box := write(t, filepath.Join(dir, "list.mbox"), listOfMails)
	outside := write(t, filepath.Join(t.TempDir(), "secret.mbox"), listOfMails)
	r := reader(t, func(c *Config) { c.Corpus = []string{dir} })
	var parts []string
	if err := r.EachDocument(context.Background(), box, strings.NewReader(listOfMails), func(part string, _ document.Document) error {
		parts = append(parts, part)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]Status{
		filepath.Join(box, parts[0]):              StatusRead,
		filepath.Join(box, "0123456789abcdef"):    StatusNotFound,
		box:                                       StatusUnsupported,
		filepath.Join(box, "first"):               StatusNotFound,
		filepath.Join(outside, parts[0]):          StatusBlocked,
		filepath.Join(dir, "gone.mbox", parts[0]): StatusNotFound,
	} {
		got := r.Read(context.Background(), "file://"+slashPath(path))
		if got.Status != want || want == StatusRead && !strings.Contains(got.Text, "\nFrom the bridge") {
			t.Errorf("%s: %s (%s), want %s; %q", path, got.Status, got.Reason, want, got.Text)
		}
	}
}
