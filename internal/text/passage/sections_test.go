package passage

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJoinLeads(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
	}{
		{"a parameter", "lock_timeout (integer)\n\nAborts a statement that waits too long.\n\nThe default is zero.", []string{"lock_timeout (integer)\n\nAborts a statement that waits too long.", "The default is zero."}},
		{"a heading and a question", "Räume (2)\n\n(12) Is this a bug?\n\nNo, it is not.", []string{"Räume (2)\n\n(12) Is this a bug?\n\nNo, it is not."}},
		{"a sentence", "It is short.\n\nSo is this.", []string{"It is short.", "So is this."}},
		{"at the end", "It is short.\n\nSee also (1)", []string{"It is short.", "See also (1)"}},
		{"nothing", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, p := range Split(tt.text, 75) {
				got = append(got, p.Text)
				if s := string([]rune(tt.text)[p.Start:p.End]); s != p.Text {
					t.Errorf("%q is not what is at %d to %d: %q", p.Text, p.Start, p.End, s)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
