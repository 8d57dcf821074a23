package loops_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
)

// verifyDraft verifies a draft in a loop with S1, "The lighthouse of Cape Arden", and S2, "The harbour of Port Arden".
func verifyDraft(t *testing.T, draft string) verify.Result {
	t.Helper()
	h := newHarness(t)
	loop := h.start("What is at Cape Arden?")
	h.web.put("https://example.org/lighthouse", "The lighthouse of Cape Arden", lighthouse)
	h.web.put("https://example.org/harbour", "The harbour of Port Arden", harbour)
	h.read(loop, "https://example.org/lighthouse", "https://example.org/harbour")
	return h.check(loops.VerifyInput{Loop: loop, Draft: draft})
}

// citations returns the resolved and the dead citations of a verification.
func citations(v verify.Result) (cited, dead []string) {
	for _, c := range v.Claims {
		cited = append(cited, strings.Join(c.SourceIDs(), " "))
	}
	for _, h := range v.Hallucinated {
		dead = append(dead, h.Citation)
	}
	return cited, dead
}

func TestDraftCitationsResolve(t *testing.T) {
	t.Parallel()
	const built, herring = "The lighthouse was built in 1874 by Maria Holt", "Local fishermen land about 300 tonnes of herring a year"
	tests := []struct {
		name, draft string
		cited, dead []string
	}{
		{"an entry that only names the title", built + " [1].\n\n## References\n\n[1] J. Holt, The Lighthouse of Cape Arden, Arden Press",
			[]string{"S1"}, nil},
		{"an entry of something not read", built + " [1].\n\n## References\n\n[1] J. Holt, Storms of the north, Arden Press", []string{""},
			[]string{"[1]"}},
		{"an unread page", built + " [1].\n\n[1] https://example.org/storms - Storms", []string{""}, []string{"[1]"}},
		{"no such entry", built + " [2].\n\n[1] https://example.org/lighthouse - The lighthouse", []string{""}, []string{"[2]"}},
		{"no such source", built + " [S1, S4].", []string{"S1"}, []string{"[S1, S4]"}},
		{"a number without a list is a source", herring + " [2].", []string{"S2"}, nil},
		{"marks on questions and headings", "## The light [7]\n\nWho built it [S8]?\n\n" + built + " [S1].", []string{"S1"},
			[]string{"[S8]", "[7]"}},
		{"links elsewhere than on claims", "## The [light](https://example.org/light)\n\n- [Storms](https://example.org/storms)\n\n" +
			built + " [S1].", []string{"S1"}, nil},
		{"an unread link", built + " ([Storms](https://example.org/storms)).", []string{""}, []string{"https://example.org/storms"}},
		{"footnotes and raised numbers", built + ".¹ " + herring +
			"[^b].\n\n## Sources\n\n¹ https://example.org/lighthouse\n[^b]: https://example.org/harbour", []string{"S1", "S2"}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := verifyDraft(t, tt.draft)
			cited, dead := citations(v)
			if diff := cmp.Diff(tt.cited, cited); diff != "" {
				t.Errorf("cited (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.dead, dead); diff != "" {
				t.Errorf("leading nowhere (-want +got):\n%s", diff)
			}
			if v.Gate() != (len(tt.dead) == 0) {
				t.Errorf("gate %v", v.Gate())
			}
		})
	}
}

func TestReferenceListAgainstSources(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, entry, want string }{
		{"its title", "[1] https://example.org/lighthouse - The lighthouse of Cape Arden", ""},
		{"with the site", "[1] The Lighthouse of Cape Arden | Example Org, https://example.org/lighthouse", ""},
		{"no title", "[1] https://example.org/lighthouse", ""},
		{"another title", "[1] https://example.org/lighthouse - Herring fisheries of the northern coast",
			"title_mismatch: the reference list calls S1"},
		{"another title, never cited", "[1] https://example.org/lighthouse\n[2] https://example.org/harbour - A history of whaling ships",
			"title_mismatch: the reference list calls S2"},
		{"another source's address", "[S1] https://example.org/harbour - The harbour",
			"address_mismatch: the reference list gives S1 the address https://example.org/harbour"},
		{"an address never read", "[S1] https://example.org/storms - The lighthouse", "address_mismatch: the reference list gives S1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := verifyDraft(t, "The lighthouse was built in 1874 by Maria Holt [S1].\n\n## References\n\n"+tt.entry+"\n")
			var found []string
			for _, f := range v.Flags {
				if strings.Contains(f, "_mismatch: the reference") {
					found = append(found, f)
				}
			}
			switch {
			case tt.want == "" && len(found) > 0:
				t.Errorf("flags %q, want none", found)
			case tt.want != "" && (len(found) != 1 || !strings.HasPrefix(found[0], tt.want)):
				t.Errorf("flags %q, want %q…", found, tt.want)
			}
		})
	}
}
