package judge

import "testing"

func TestCleaned(t *testing.T) {
	for _, row := range []struct {
		name, in string
		chars    int
		want     string
	}{
		{"as it is", "one line", 20, "one line"},
		{"lines and tabs", " a\n\tb\u00a0 c ", 20, "a b c"},
		{"hidden characters", "a\x00\u200bb\u202ec\U000e0041", 20, "abc"},
		{"exactly as long", "abcde", 5, "abcde"},
		{"one too long", "abcdef", 5, "abcd…"},
		{"cut at a space", "abc defgh", 5, "abc…"},
		{"code points, not bytes", "数据数据数据", 4, "数据数…"},
		{"not UTF-8", "a\xff\xfeb", 20, "ab"},
		{"empty", "", 5, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := cleaned(row.in, row.chars); got != row.want {
				t.Errorf("cleaned(%q, %d) = %q, want %q", row.in, row.chars, got, row.want)
			}
		})
	}
}
