package verify_test

import (
	"os"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/internal/verify/reader"
	"github.com/citeloop/citeloop/loopstate"
)

// row is a line of a set of claims: id, language, kind, supported, claim, source.
type row struct {
	id, language string
	supported    bool
	claim        string
	source       string
}

func rows(t *testing.T, name string) []row {
	t.Helper()
	var out []row
	for _, f := range tsv(t, name) {
		out = append(out, row{f[0], f[1], f[3] == "1", f[4], f[5]})
	}
	return out
}

func tsv(t *testing.T, name string) [][]string {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out [][]string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimRight(line, "\n"); !strings.HasPrefix(line, "#") && line != "" {
			out = append(out, strings.Split(line, "\t"))
		}
	}
	return out
}

// checked checks the claim of a row against its source, as a whole and by its first line.
func (r row) checked(t *testing.T, cite string) verify.Claim {
	t.Helper()
	return check(t, shelf(r.source), verify.New(r.claim, cite))[0]
}

// Without a reader nothing is grounded and nothing unsupported, however near the words are. Remarks say what to look at: on
// at least 12 % of the false claims and at most 3 % of the true ones (see package remark, which measures more sets).
func TestGateWithoutAReader(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"restrictions.tsv", "embedded.tsv"} {
		for _, cite := range []string{"S1", "S1:1"} {
			remarked, of := map[bool]int{}, map[bool]int{}
			for _, r := range rows(t, name) {
				c := r.checked(t, cite)
				if c.Status != loopstate.Inferred || c.Basis() != "" || c.Read() {
					t.Errorf("%s: %s without a reader", r.id, c.Status)
				}
				of[r.supported]++
				if len(c.Remarks) > 0 {
					remarked[r.supported]++
				}
			}
			falsely, truly := float64(remarked[false])/float64(of[false]), float64(remarked[true])/float64(of[true])
			t.Logf("%s citing %s: remarks on %.1f %% of %d false and %.1f %% of %d true claims", name, cite, 100*falsely, of[false],
				100*truly, of[true])
			if falsely < .12 || truly > .03 {
				t.Errorf("%s citing %s: remarks on %.1f %% of the false and %.1f %% of the true claims", name, cite, 100*falsely, 100*truly)
			}
		}
	}
}

// With the recorded answers of a blind reader, hardly a false claim is grounded, and hardly a true one is not.
func TestGateWithAReader(t *testing.T) {
	t.Parallel()
	answers := map[string]loopstate.Reading{}
	for _, f := range tsv(t, "readings.tsv") {
		answers[f[0]] = loopstate.Reading{Item: f[0], Answer: f[1], Quote: f[2]}
	}
	grounded, of := map[bool]int{}, map[bool]int{}
	for _, r := range rows(t, "restrictions.tsv") {
		c := r.checked(t, "S1:1")
		reading, read := answers[r.id]
		if !read {
			t.Fatalf("%s was not read", r.id)
		}
		if reading.Answer != loopstate.AnswerNotStated && !reader.QuoteFound(reading.Quote, c.Passages) {
			t.Errorf("%s: the quote %q is not in what the reader is shown", r.id, reading.Quote)
		}
		if c.Apply(reading); c.Status == loopstate.Grounded {
			grounded[r.supported]++
		}
		of[r.supported]++
	}
	falsely, truly := float64(grounded[false])/float64(of[false]), float64(grounded[true])/float64(of[true])
	t.Logf("grounded: %d of %d false and %d of %d true claims", grounded[false], of[false], grounded[true], of[true])
	if falsely > .005 || truly < .97 {
		t.Errorf("grounded: %.1f %% of the false and %.1f %% of the true claims", 100*falsely, 100*truly)
	}
}
