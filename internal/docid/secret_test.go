package docid

import "testing"

func TestWithoutCredentials(t *testing.T) {
	for in, want := range map[string]string{
		"https://anna:s3cret@example.org/a?b=c":                       "https://example.org/a?b=c",
		"HTTP://token@example.org":                                    "HTTP://example.org",
		"see (https://a:b@c@example.org/x) and ftp://u:p@f.example/y": "see (https://example.org/x) and ftp://f.example/y",
		"https://example.org/@anna/post":                              "https://example.org/@anna/post",
		"https://example.org?mail=anna@b.org":                         "https://example.org?mail=anna@b.org",
		"write to anna@example.org or //a@b":                          "write to anna@example.org or //a@b",
		`http:\\a:b@example.org`:                                      "http://example.org",
	} {
		if got := WithoutCredentials(in); got != want {
			t.Errorf("WithoutCredentials(%q) = %q, want %q", in, got, want)
		}
	}
}
