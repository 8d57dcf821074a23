package document

import "testing"

func TestPageAt(t *testing.T) {
	d := Document{Pages: []int{0, 10, 10, 25}, PageLabels: []string{"i", "ii", "1", "2"}}
	tests := []struct {
		name   string
		offset int
		number int
		label  string
	}{
		{"the first", 0, 1, "i"},
		{"its last", 9, 1, "i"},
		{"behind an empty one", 10, 3, "1"},
		{"inside", 24, 3, "1"},
		{"the last", 25, 4, "2"},
		{"past the end", 999, 4, "2"},
		{"before the start", -1, 1, "i"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if number, label := d.PageAt(tt.offset); number != tt.number || label != tt.label {
				t.Errorf("%d %q, want %d %q", number, label, tt.number, tt.label)
			}
		})
	}
	if n, label := (&Document{}).PageAt(5); n != 0 || label != "" {
		t.Errorf("without pages: %d %q", n, label)
	}
	if c := (&Document{Chapters: []Chapter{{5, "One"}}}).ChapterAt(4); c != (Chapter{}) {
		t.Errorf("before the first chapter: %+v", c)
	}
}
