// Package jsoncount counts the values of JSON texts before they are decoded. A decoded value takes hundreds of bytes,
// so a limit on the size of a text does not bound the memory for decoding it.
package jsoncount

// Count returns the number of values in a JSON text, without decoding it. It counts the values in a string that itself looks
// like a JSON list or object too, because arguments may be given in that form. It counts an empty list or object twice, and
// invalid JSON in any way.
func Count(text []byte) int {
	var c counter
	c.read(text)
	return c.values
}

type counter struct {
	values  int
	inside  bool // a string
	begun   bool // the string has a character other than white space
	json    bool // the string looks like JSON
	escaped bool
	digits  int  // missing ones of \u0000
	code    rune // the digits so far
}

func (c *counter) read(text []byte) {
	for _, b := range text {
		switch {
		case !c.inside:
			if b == '"' {
				c.inside, c.begun, c.json = true, false, false
			} else {
				c.count(rune(b))
			}
		case c.digits > 0:
			c.code = c.code<<4 | hexDigit(b)
			if c.digits--; c.digits == 0 {
				c.character(c.code)
			}
		case c.escaped:
			if c.escaped = false; b == 'u' {
				c.digits, c.code = 4, 0
			} else if b == '"' || b == '\\' || b == '/' {
				c.character(rune(b))
			}
		case b == '\\':
			c.escaped = true
		case b == '"':
			c.inside = false
		default:
			c.character(rune(b))
		}
	}
}

// character processes a decoded character of a string, or a byte of a character beyond ASCII.
func (c *counter) character(r rune) {
	if !c.begun && ' ' < r && r < 0x80 { // beyond ASCII there is more white space
		c.begun, c.json = true, r == '[' || r == '{'
	}
	if c.json {
		c.count(r)
	}
}

func (c *counter) count(r rune) {
	if r == ',' || r == '[' || r == '{' {
		c.values++
	}
}

// hexDigit returns the value of a digit, or 0.
func hexDigit(b byte) rune {
	switch {
	case '0' <= b && b <= '9':
		return rune(b - '0')
	case 'a' <= b|0x20 && b|0x20 <= 'f':
		return rune(b|0x20-'a') + 10
	}
	return 0
}
