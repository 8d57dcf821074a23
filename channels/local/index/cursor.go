package index

import (
	"encoding/binary"
	"math/bits"
)

// cursor reads numbers and strings from untrusted bytes. After the first error it is bad and returns zeros.
type cursor struct {
	b   []byte
	bad bool
}

func (c *cursor) uvarint() uint64 {
	// Most numbers of an index fit into one byte.
	if len(c.b) > 0 && c.b[0] < 0x80 {
		v := c.b[0]
		c.b = c.b[1:]
		return uint64(v)
	}
	v, n := binary.Uvarint(c.b)
	if n <= 0 {
		c.bad, c.b = true, nil
		return 0
	}
	c.b = c.b[n:]
	return v
}

// skip passes over n varints.
func (c *cursor) skip(n int) {
	at := 0
	for ; n >= 8 && len(c.b)-at >= 8; at += 8 { // eight bytes hold at most eight varints
		n -= bits.OnesCount64(^binary.LittleEndian.Uint64(c.b[at:]) & 0x8080808080808080)
	}
	for ; n > 0 && at < len(c.b); at++ {
		if c.b[at] < 0x80 {
			n--
		}
	}
	if c.b = c.b[at:]; n > 0 {
		c.bad, c.b = true, nil
	}
}

// count reads a number that must not exceed a limit.
func (c *cursor) count(limit int) int {
	v := c.uvarint()
	if v > uint64(limit) {
		c.bad, c.b = true, nil
		return 0
	}
	return int(v)
}

func (c *cursor) varint() int64 {
	v := c.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

func (c *cursor) bytes(n int) []byte {
	if n < 0 || n > len(c.b) {
		c.bad, c.b = true, nil
		return nil
	}
	out := c.b[:n]
	c.b = c.b[n:]
	return out
}

func (c *cursor) string() string { return string(c.bytes(c.count(len(c.b)))) }

func appendString(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
