package arguments

// MaxValues bounds the JSON values of one call, see [CountValues]. The largest lists of a call have 1,000 items.
const MaxValues = 100_000

// CountValues returns the number of values in a JSON text, without decoding it: a decoded value takes hundreds of bytes, so a limit on the
// size of a text does not bound the memory for decoding it. It counts an empty list or object twice, and invalid JSON in any way.
func CountValues(text []byte) (n int) {
	quoted, escaped := false, false
	for _, b := range text {
		switch {
		case escaped:
			escaped = false
		case quoted:
			quoted, escaped = b != '"', b == '\\'
		case b == '"':
			quoted = true
		case b == ',' || b == '[' || b == '{':
			n++
		}
	}
	return n
}
