package research

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// words is a text; numbers and booleans are accepted.
type words string

func (w *words) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) != nil {
		if s = strings.Trim(string(data), `"`); s == "null" || strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[") {
			s = ""
		}
	}
	*w = words(strings.TrimSpace(s))
	return nil
}

// list is a list of T, or a single T. Items of other types are dropped.
type list[T any] []T

func (l *list[T]) UnmarshalJSON(data []byte) error {
	var raw []json.RawMessage
	if json.Unmarshal(data, &raw) != nil {
		raw = []json.RawMessage{data}
	}
	*l = nil
	for _, r := range raw {
		var item T
		if string(r) != "null" && len(*l) < maxListed && json.Unmarshal(r, &item) == nil {
			*l = append(*l, item)
		}
	}
	return nil
}

// maxListed bounds the items of a list.
const maxListed = 100

// yes is true for true and "true".
type yes bool

func (y *yes) UnmarshalJSON(data []byte) error {
	*y = yes(strings.EqualFold(strings.Trim(string(data), `"`), "true"))
	return nil
}

// number is a number, also in quotes; anything else is absent.
type number struct {
	value float64
	given bool
}

func (n *number) UnmarshalJSON(data []byte) error {
	v, err := strconv.ParseFloat(strings.TrimSpace(strings.Trim(string(data), `"`)), 64)
	if err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
		*n = number{v, true}
	}
	return nil
}

func (n number) MarshalJSON() ([]byte, error) { return json.Marshal(n.value) }

// share is a number from 0 to 1, or a percentage; anything else is absent.
type share struct{ number }

func (s *share) UnmarshalJSON(data []byte) error {
	text := strings.TrimSpace(strings.Trim(string(data), `"`))
	var n number
	_ = n.UnmarshalJSON([]byte(strings.TrimSuffix(text, "%"))) // never fails
	if strings.HasSuffix(text, "%") || n.value > 1 && n.value <= 100 {
		n.value /= 100
	}
	if n.given && n.value >= 0 && n.value <= 1 {
		*s = share{n}
	}
	return nil
}

// fits reports whether a text is not empty and has at most so many characters.
func fits(text words, chars int) bool {
	return text != "" && utf8.RuneCountInString(string(text)) <= chars
}

// orNone returns a text that fits, else "".
func orNone(text words, chars int) words {
	if fits(text, chars) {
		return text
	}
	return ""
}

// oneOf returns a text that is one of some, else "".
func oneOf(text words, of ...words) words {
	if slices.Contains(of, text) {
		return text
	}
	return ""
}
