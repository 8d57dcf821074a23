package extract

import (
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRestructured(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, want string }{
		{"headings", "=====\nSluice\n=====\n\nGates\n=====\n\nNorth\n-----\n", "\n# Sluice\n\n\n## Gates\n\n\n### North"},
		{"a comment, a target and a transition", ".. unseen\n   too\n\n.. _gate:\n\nText\n\n-----\n\nMore", "\n\n\n\n\nText\n\n\n\nMore"},
		{"inline marks", "An *open* **gate**, ``a *b*`` and :func:`~arden.gate.open`.", "An open gate, a *b* and open."},
		{"a link over two lines", "See `the\nplan <https://plan.example.org/>`_ of\nthe gate.", "See the\nplan of\nthe gate."},
		{"marks that are none", "2 * 3 * 4 and a_b and __init__ and x * y", "2 * 3 * 4 and a_b and __init__ and x * y"},
		{"notes", "One [#]_, two [#b]_, three [#]_.\n\n.. [#] First.\n.. [#b] Second.\n.. [#] Third.",
			"One [1], two [b], three [2].\n\n[1] First.\n[b] Second.\n[2] Third."},
		{"an admonition", ".. note:: Do not open\n   it.\n\n.. versionadded:: 3.2\n", "Note: Do not open\nit.\n\nNew in version 3.2"},
		{"code", "Call::\n\n    gate *open*\n      now\n\nDone.", "Call:\n```\ngate *open*\n  now\n```\nDone."},
		{"code by a directive, at the end", ".. code-block:: go\n   :linenos:\n\n   func main() {\n   }", "\n\n```\nfunc main() {\n}\n```"},
		{"a grid", "+---+-----+\n| A | B   |\n+===+=====+\n| 1 | two |\n|   | too |\n+---+-----+\n",
			"\nA | B\n---|---\n1 | two too\n---|---"},
		{"a simple table", "===  ===\nA    B\n===  ===\n1    two\n2    three\n===  ===\n\nEnd",
			"\nA | B\n---|---\n1 | two\n2 | three\n\n\nEnd"},
		{"fields, lines and numbers", ":param gate: the gate\n\n| one\n| two\n\n#. a\n#. b\n",
			"param gate: the gate\n\none\ntwo\n\n1. a\n2. b"},
		{"a substitution", "Since |year|.\n\n.. |year| replace:: 1931\n", "Since 1931."},
		{"a directive of a domain that is not shown", ".. py:module:: arden.gate\n\nText", "\n\nText"},
		{"nothing", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := restructured(strings.TrimSuffix(tt.text, "\n"))
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestIsRestructured(t *testing.T) {
	t.Parallel()
	const text = "Sluice\n======\n\nSee :ref:`x`.\n\nGates\n-----\n\nOpen."
	for address, want := range map[string]bool{"https://arden.example/a.rst": true, "https://arden.example/a.txt": true,
		"https://arden.example/a.md": false} {
		u, _ := url.Parse(address)
		if got := isRestructured(text, u); got != want {
			t.Errorf("%s: %t", address, got)
		}
	}
	if isRestructured("Sluice\n======\n\nA plain text.\n\nGates\n-----\n", nil) {
		t.Error("titles alone")
	}
}

// Every line keeps its number, unless the text ends with code.
func FuzzRestructured(f *testing.F) {
	f.Add(".. note:: x\n\n   y::\n\n     z\n\n+--+\n|a |\n+--+\n")
	f.Add("=\n==\n.. [#] `a\nb`_ **c\n\n* - d\n")
	f.Fuzz(func(t *testing.T, text string) {
		before, got := strings.Count(text, "\n"), ""
		if len(text) > 4_000 {
			return
		}
		if got = restructured(text); strings.Count(got, "\n") > before+1 {
			t.Errorf("%q became %q", text, got)
		}
	})
}
