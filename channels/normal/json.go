package normal

import (
	"strings"

	"github.com/tidwall/gjson"

	"github.com/citeloop/citeloop/internal/sanitize"
)

// MaxAuthors bounds the texts of a list; sources send author lists of 3,000.
const MaxAuthors = 50

// Text returns the text or number at a path, or a list of them on one line; "" for other types.
func Text(r gjson.Result, path string) string { return strings.Join(Texts(r, path), " ") }

// Texts returns the texts and numbers at a path, a single one as a list.
func Texts(r gjson.Result, path string) []string {
	if path == "" {
		return nil
	}
	var out []string
	at := r.Get(path)
	if !at.IsArray() {
		at = gjson.Parse("[" + at.Raw + "]")
	}
	at.ForEach(func(_, v gjson.Result) bool {
		if text := sanitize.Line(v.String()); text != "" && (v.Type == gjson.String || v.Type == gjson.Number) {
			out = append(out, text)
		}
		return len(out) < MaxAuthors
	})
	return out
}

// DateAt returns the date at a path: a text, a number of seconds or milliseconds since 1970, or a list of year, month and day. Four
// digits are a year.
func DateAt(r gjson.Result, path string) string {
	said := Texts(r, path)
	if len(said) == 0 {
		return ""
	}
	if at := r.Get(path); at.IsArray() && len(said) <= 3 && at.Get("0").Type == gjson.Number { // year, month and day
		return PartialDate(int(at.Get("0").Int()), int(at.Get("1").Int()), int(at.Get("2").Int()))
	}
	if n := r.Get(path); n.Type == gjson.Number && n.Num > 9999 {
		seconds := n.Num
		if seconds > 1e11 {
			seconds /= 1000
		}
		if Date(said[0]) == "" { // 20240131 is a day
			return UnixDay(seconds)
		}
	}
	return said[0]
}
