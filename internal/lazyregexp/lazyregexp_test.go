package lazyregexp

import "testing"

func TestCompilesOnce(t *testing.T) {
	defer func(was bool) { inTest = was }(inTest)
	inTest = false
	made := 0
	r := From(func() string { made++; return `a(b+)` })
	if made != 0 {
		t.Error("the pattern was made before the first use")
	}
	if got := r.FindStringSubmatch("xabby"); len(got) != 2 || got[1] != "bb" || !r.MatchString("ab") || made != 1 {
		t.Errorf("submatch = %q, and the pattern was made %d times", got, made)
	}
}

func TestInvalidPatternFailsEarlyInTests(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an invalid pattern did not panic")
		}
	}()
	New(`(`)
}
