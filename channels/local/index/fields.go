package index

import "encoding/binary"

// fields reads the fields of a record from untrusted bytes or, if it writes, appends them. A record lists its fields once, for both.
type fields struct {
	cursor
	writes bool
	out    []byte
}

// count is a number that must not exceed a limit.
func (f *fields) count(n *int, limit int) {
	if f.writes {
		f.out = binary.AppendUvarint(f.out, uint64(*n))
	} else {
		*n = f.cursor.count(limit)
	}
}

func (f *fields) signed(n *int64) {
	if f.writes {
		f.out = binary.AppendVarint(f.out, *n)
	} else {
		*n = f.varint()
	}
}

func (f *fields) string(s *string) {
	if f.writes {
		f.out = appendString(f.out, *s)
	} else {
		*s = f.cursor.string()
	}
}

// raw is a number of bytes that is known.
func (f *fields) raw(b []byte) {
	if f.writes {
		f.out = append(f.out, b...)
	} else {
		copy(b, f.bytes(len(b)))
	}
}

// listOf is a list. An element has a byte at least, so what is left bounds their number.
func listOf[T any](f *fields, list *[]T, element func(*T)) {
	n := len(*list)
	f.count(&n, len(f.b))
	for i := range n {
		if !f.writes {
			*list = append(*list, *new(T))
		}
		element(&(*list)[i])
	}
}
