package docid

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/idna"
)

// The checks before the patterns of addresses change no result. Each is compared with its pattern alone, on texts of the
// characters that matter to it.
func TestShortcutsAgreeWithPatterns(t *testing.T) {
	amp := regexp.MustCompile(`(?i)(/amp|\.amp)$`)
	random := rand.New(rand.NewPCG(7, 7))
	parts := []string{".", ":", "/", "?", "#", "@", "[", "]", " ", "\t", "\u00a0", "a", "b", "org", "80", "é", "-", "--", "xn--", "0", "amp", "AMP", "/amp", ".aMp", "ampe", "10.", "10.1000/", "10.1000/x", "1", "%2F", "%31", "http://", "https:"}
	hosts, paths, dois, plain := 0, 0, 0, 0
	for range 200_000 {
		s := ""
		for range 1 + random.IntN(7) {
			s += parts[random.IntN(len(parts))]
		}
		if got, want := startsWithHost(s), hostFirst.MatchString(s); got != want {
			t.Fatalf("startsWithHost(%q) = %v, the pattern says %v", s, got, want)
		} else if got {
			hosts++
		}
		if isPlainHost(s) {
			plain++
			if ascii, err := idna.Lookup.ToASCII(s); err == nil && ascii != s {
				t.Fatalf("the host %q becomes %q", s, ascii)
			}
		}
		if got, want := withoutAMP(s), amp.ReplaceAllString(s, ""); got != want {
			t.Fatalf("withoutAMP(%q) = %q, the pattern says %q", s, got, want)
		} else if got != s {
			paths++
		}
		if text := unescapeAll(s); doiPattern.MatchString(text) {
			dois++
			if !strings.Contains(text, "10.") {
				t.Fatalf("NormalizeDOI does not look at %q, where the pattern finds a DOI", s)
			}
		}
	}
	if hosts == 0 || paths == 0 || dois == 0 || plain == 0 {
		t.Errorf("%d hosts, %d AMP paths, %d DOIs and %d plain hosts were compared", hosts, paths, dois, plain)
	}
}
