package local

import "testing"

func TestFileURL(t *testing.T) {
	tests := []struct{ name, path, want string }{
		{"plain", "/home/x/a.md", "file:///home/x/a.md"},
		{"to escape", "/home/x y/100%/#1?.md", "file:///home/x%20y/100%25/%231%3F.md"},
		{"not ASCII", "/home/é/潮.md", "file:///home/%C3%A9/%E6%BD%AE.md"},
		{"backslash in a name", `/a\b.md`, "file:///a%5Cb.md"},
		{"Windows", "C:/Users/x y/a.md", "file:///C:/Users/x%20y/a.md"},
		{"Windows share", "//server/share/a b.md", "file://server/share/a%20b.md"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := fileURL(tt.path); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}
