package normal

import "testing"

func TestNormalDate(t *testing.T) {
	tests := []struct{ in, want string }{
		{"2020", "2020"},
		{"2020-05", "2020-05"},
		{"2020-05-06", "2020-05-06"},
		{"2020-05-06T07:08:09Z", "2020-05-06"},
		{"2020-05-06 07:08:09", "2020-05-06"},
		{"20200506", "2020-05-06"},
		{"2020/05/06", "2020-05-06"},
		{"2020/5/6", "2020-05-06"},
		{"2020 May", "2020-05"},
		{"2020 May 6", "2020-05-06"},
		{"May 6, 2020", "2020-05-06"},
		{"6 May 2020", "2020-05-06"},
		{"Wed, 06 May 2020 07:08:09 GMT", "2020-05-06"},
		{"2020-13", "2020"},
		{"2020-02-30", "2020-02"},
		{"2020-00-00", "2020"},
		{"0000-00-00", ""},
		{"0001-01-01T00:00:00Z", ""},
		{"20", ""},
		{"soon", ""},
		{"", ""},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			if got := Date(tt.in); got != tt.want {
				t.Errorf("%q, want %q", got, tt.want)
			}
		})
	}
}

func TestWithin(t *testing.T) {
	tests := []struct {
		name, date, since, until string
		want                     bool
	}{
		{"no limits", "2020", "", "", true},
		{"first day", "2020-06-01", "2020-06", "", true},
		{"day before", "2020-05-31", "2020-06", "", false},
		{"last day of a leap February", "2024-02-29", "", "2024-02", true},
		{"day after", "2024-03-01", "", "2024-02", false},
		{"a year that overlaps", "2020", "2020-06", "2020-07", true},
		{"a year before", "2019", "2020-01-01", "", false},
		{"the same day", "2020-06-06", "2020-06-06", "2020-06-06", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Within(tt.date, tt.since, tt.until); got != tt.want {
				t.Errorf("%v, want %v", got, tt.want)
			}
		})
	}
}
