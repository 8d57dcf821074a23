package tomledit

import "testing"

// Set changes a value at the top of a file and leaves the rest; in tables it is tested by the clients' files (package install).
func TestSetWithoutTable(t *testing.T) {
	for _, tt := range []struct {
		before, key string
		value       any
		want        string
	}{
		{"", "offline", true, "offline = true\n"},
		{"# mine\ncorpus = [ # old\n \"a\",\n] # folders\nstrict = true\n", "corpus", []string{"b"}, "# mine\ncorpus = [\"b\"] # folders\nstrict = true\n"},
		{"strict = true\n\n[[suppress]]\nreason = \"x\"\n", "reader", "none", "strict = true\n\nreader = \"none\"\n[[suppress]]\nreason = \"x\"\n"},
		{"strict = true", "offline", true, "strict = true\noffline = true\n"},
	} {
		f, err := Open([]byte(tt.before))
		if err == nil {
			err = f.Set(tt.value, tt.key)
		}
		if err != nil || string(f.Text()) != tt.want {
			t.Errorf("%q: %v, %q, want %q", tt.before, err, f.Text(), tt.want)
		}
	}
}
