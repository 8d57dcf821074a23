package folder

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/loopstate"
)

// Original returns the path of the user's own file that a source was read from, if the lines of that file are still those
// of the stored text, or "". Then a host reads the file itself, and need not know a second one.
func Original(src loopstate.Source, text string) string {
	if src.ContentType != "text/plain" && src.ContentType != "text/markdown" || !strings.HasPrefix(src.FinalURL, "file:") {
		return ""
	}
	name, err := fetch.FilePath(src.FinalURL)
	if err != nil || !filepath.IsAbs(name) {
		return ""
	}
	in, err := fetch.OpenInside(filepath.Dir(name), filepath.Base(name))
	if err != nil {
		return ""
	}
	defer in.Close()
	// A file of the same lines is longer only by its mark of UTF-8, a carriage return in each line, and spaces at their ends.
	most := 2*int64(len(text)) + 4096
	body, err := io.ReadAll(io.LimitReader(in, most+1))
	if err != nil || int64(len(body)) > most || !sameLines(string(body), text) {
		return ""
	}
	return name
}

// sameLines reports whether two texts have the same words in every line. White space at the ends of lines, line breaks of
// Windows and empty lines at the end do not count.
func sameLines(a, b string) bool {
	a, b = strings.TrimPrefix(a, "\ufeff"), strings.TrimPrefix(b, "\ufeff")
	for {
		lineA, restA, moreA := strings.Cut(a, "\n")
		lineB, restB, moreB := strings.Cut(b, "\n")
		if strings.TrimRight(lineA, " \t\r") != strings.TrimRight(lineB, " \t\r") {
			return false
		}
		if !moreA || !moreB {
			return strings.TrimSpace(restA) == "" && strings.TrimSpace(restB) == ""
		}
		a, b = restA, restB
	}
}
