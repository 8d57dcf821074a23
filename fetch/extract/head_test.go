package extract

import (
	"net/url"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/internal/text/lines"
)

// What a reader would cite is taken from each form of a head.
func TestHead(t *testing.T) {
	for _, tt := range []struct {
		name, file, text, want string
	}{
		{"an Ethereum proposal", "eip-90001.md", "---\neip: 90001\ntitle: Lamp opcodes\nauthor: Ann Lee (@annlee), Bo Ek " +
			"<bo@harbour.example>, Cy\ndiscussions-to: https://forum.example/t/1\nstatus: Withdrawn\ntype: Standards Track\ncreated: " +
			"2019-06-14\nrequires: 20, 35\nwithdrawal-reason: Superseded by 90002\n---\n\n## Abstract\n\nText.",
			"Title=Lamp opcodes; Authors=Ann Lee & Bo Ek & Cy; DocStatus=Withdrawn; PublishedAt=2019-06-14"},
		{"a Kubernetes proposal", "kep.yaml", "title: Graceful lamps\nkep-number: 90001\nauthors:\n  - \"@annlee\"\n  - " +
			"\"@boek\"\nowning-sig: sig-lamp\nstatus: implementable\ncreation-date: 2020-09-03\nlast-updated: 2021-05-06 # by Bo\n\n# " +
			"The stage.\nstage: beta\n",
			"Title=Graceful lamps; Authors=@annlee & @boek; DocStatus=implementable; PublishedAt=2020-09-03; ModifiedAt=2021-05-06"},
		{"a Python proposal", "pep-90001.rst", "PEP: 90001\nTitle: Lamps\nAuthor: Ann Lee <ann at harbour.example>,\n        Bo Ek " +
			"<bo@harbour.example>\nStatus: Final\nType: Standards Track\nCreated: 14-Mar-2022\n\nAbstract\n========\n",
			"Title=Lamps; Authors=Ann Lee & Bo Ek; DocStatus=Final; PublishedAt=2022-03-14"},
		{"an address before the name", "p.txt", "Title: Lamps\nAuthor: ann@harbour.example (Ann Lee), bo@harbour.example\n\nText.",
			"Title=Lamps; Authors=Ann Lee & bo@harbour.example"},
		{"TOML", "lamps.md", "+++\ntitle = \"Lamps: a history\"\ndate = 2021-03-04T10:00:00Z\nauthors = [\n  \"Ann Lee\",\n  \"Bo " +
			"Ek\",\n]\ntags = [\"light\", \"oil\"]\nlanguage = 'en'\n[extra]\ntitle = \"Other\"\n+++\n\n# Heading\n",
			"Title=Lamps: a history; Authors=Ann Lee & Bo Ek; Keywords=light, oil; PublishedAt=2021-03-04; Language=en"},
		{"YAML with names in lists and folded text", "lamps.md",
			"---\ntitle: >-\n  Lamps of\n  the coast\nauthor:\n  - name: Ann Lee\n    affiliation: Aldmoor\n  - name: Bo Ek\njournal: " +
				"Annals of Light\ndoi: 10.1234/LAMP\nkeywords: [light, 'oil, whale']\n---\nText.",
			"Title=Lamps of the coast; Authors=Ann Lee & Bo Ek; Publisher=Annals of Light; Keywords=light, oil, whale; " +
				"DOI=10.1234/lamp"},
		{"family name first", "lamps.md", "---\ntitle: Lamps\nauthor: Lee, Ann; Ek, Bo\npublisher: \"Aldmoor Press\"\n---\nText.",
			"Title=Lamps; Authors=Lee, Ann & Ek, Bo; Publisher=Aldmoor Press"},
		{"mail", "note.txt", "From: Ann Lee <ann@harbour.example>\nTo: Bo\nDate: Mon, 5 Jan 2026 10:00:00 +0100\nSubject: The " +
			"lamp\n\nIt is lit.",
			"Title=The lamp; Authors=Ann Lee; PublishedAt=2026-01-05"},
		{"RFC", "rfc90001.txt", "\n\nHarbour Engineering Group (HEG)                            A. Keeper, Ed.\nRequest for Comments: " +
			"90001                                Aldmoor Light\nObsoletes: 80001                                               B. " +
			"Wick\nCategory: Standards Track                              Lamp Institute\nISSN: 1234-5678                         " +
			"                      June 2019\n\n\n                 The Lamp Signal Protocol (LSP):\n                     " +
			"Flashes and Their Meaning\n\nAbstract\n\n   Text.\n",
			"Title=The Lamp Signal Protocol (LSP): Flashes and Their Meaning; Authors=A. Keeper & B. Wick; Publisher=Harbour " +
				"Engineering Group (HEG); DocStatus=Standards Track; PublishedAt=2019-06"},
		{"Org", "lamps.org", "#+TITLE: Lamps\n#+AUTHOR: Ann Lee\n\n* Oil\n",
			"Title=Lamps; Authors=Ann Lee"},
		{"AsciiDoc", "lamps.adoc", "= Lamps\n\nText.", "Title=Lamps"},
		{"TeX", "lamps.tex", "\\documentclass{article}\n\\title{Lamps of the coast}\n\\begin{document}",
			"Title=Lamps of the coast"},
		{"reStructuredText", "lamps.rst", "..\n   Licensed to nobody.\n\n.. _lamps:\n\n=====\nLamps\n=====\n\nText of lamps.\n",
			"Title=Lamps"},
		{"source code has no title in its first line", "lamp.go", "package lamp\n\nfunc Light() {}\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d, err := textOf(t.Context(), kindOf(t, tt.file), []byte(tt.text), &url.URL{Scheme: "file", Path: "/corpus/" + tt.file})
			if got := said(d); err != nil || got != tt.want {
				t.Errorf("%v, %s\nwant %s", err, got, tt.want)
			}
			if !strings.HasSuffix(tt.file, ".rst") && strings.TrimRight(d.Text, "\n") != strings.TrimRight(tt.text, "\n") {
				t.Errorf("the text is %q", d.Text)
			}
		})
	}
}

func kindOf(t *testing.T, file string) string {
	t.Helper()
	kind, left := FileType(file)
	if kind == "" {
		t.Fatalf("%s is left out: %s", file, left)
	}
	return kind
}

// A head never costs more than its text, and what is taken from it keeps the limits of a document.
func FuzzReadHead(f *testing.F) {
	for _, s := range []string{"---\ntitle: a\nauthor: [b, 'c']\n---\nd", "+++\na = [\n1\n]\n+++", "% A\n% B\n% C\n\nD",
		"A  B. C\nRequest for Comments: 1  May 2019\n\nT", "title: |\n  a\nauthors:\n- name: x\n- y\nstatus: z"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		head, rest := lines.Head(s)
		var d document.Document
		readHead(head, rest, &d)
		if len(d.Authors) > document.MaxAuthors {
			t.Errorf("%d authors", len(d.Authors))
		}
		for _, value := range append([]string{d.Title, d.Publisher, d.DocStatus, d.Subject, d.Keywords}, d.Authors...) {
			if strings.ContainsAny(value, "\n\r") || len([]rune(value)) > document.MaxNameChars+1 {
				t.Errorf("%q", value)
			}
		}
	})
}
