package html

import "strings"

const (
	// Attributes that are kept of one tag, and of a page. Each takes some 50 bytes in the tree, and finding one takes
	// time in proportion to their number.
	maxTagAttributes  = 256
	maxPageAttributes = 500_000
)

// boundAttributes returns src without the attributes beyond these bounds. It reads src once, and returns it as it is
// when there are none.
func boundAttributes(src string) string {
	var out strings.Builder
	from, total := 0, 0 // src[:from] is in out or left out
	for i := 0; ; {
		open := strings.IndexByte(src[i:], '<')
		if open < 0 || i+open+1 >= len(src) {
			break
		}
		i += open + 1
		if c := src[i] | 0x20; c < 'a' || c > 'z' {
			continue
		}
		for i < len(src) && !endsName(src[i]) {
			i++
		}
		for n := 0; ; {
			gap := i
			for i < len(src) && (isSpace(src[i]) || src[i] == '/') {
				i++
			}
			if i >= len(src) || src[i] == '>' {
				break
			}
			i = endOfAttribute(src, i)
			n, total = n+1, total+1
			if n > maxTagAttributes || total > maxPageAttributes {
				if gap != from { // the first of this tag; the space keeps a following '/' out of the value before
					out.WriteString(src[from:gap])
					out.WriteByte(' ')
				}
				from = i
			}
		}
	}
	if from == 0 {
		return src
	}
	out.WriteString(src[from:])
	return out.String()
}

// endOfAttribute is where the attribute that begins at i ends, as the tokenizer of the HTML standard reads it.
func endOfAttribute(src string, i int) int {
	for i++; i < len(src) && !endsName(src[i]) && src[i] != '='; i++ { // a first '=' is part of the name
	}
	value := i
	for value < len(src) && isSpace(src[value]) {
		value++
	}
	if value >= len(src) || src[value] != '=' {
		return i
	}
	for value++; value < len(src) && isSpace(src[value]); value++ {
	}
	if value >= len(src) {
		return value
	}
	if quote := src[value]; quote == '"' || quote == '\'' {
		end := strings.IndexByte(src[value+1:], quote)
		if end < 0 {
			return len(src)
		}
		return value + 1 + end + 1
	}
	for value < len(src) && !isSpace(src[value]) && src[value] != '>' {
		value++
	}
	return value
}

// endsName reports whether c ends the name of a tag or an attribute.
func endsName(c byte) bool { return isSpace(c) || c == '/' || c == '>' }
