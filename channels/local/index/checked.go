package index

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"sync/atomic"
)

// ErrDamaged is the error of every read of a segment whose bytes have changed.
var ErrDamaged = errors.New("the index segment is damaged")

const (
	pageBytes    = 64 << 10
	trailerBytes = 32
	magic        = "citeidx7" // the last digit is the format's version
)

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// checkedWriter writes bytes and computes a checksum for each page.
type checkedWriter struct {
	w     *bufio.Writer // a segment is written list by list, and most lists are short
	n     int64
	table *crc32.Table
	sum   uint32
	sums  []uint32
	err   error
}

func newCheckedWriter(w io.Writer) *checkedWriter {
	return &checkedWriter{w: bufio.NewWriterSize(w, pageBytes), table: castagnoli()}
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	if c.err != nil {
		return 0, c.err
	}
	n, err := c.w.Write(p)
	if err == nil && n < len(p) {
		err = io.ErrShortWrite
	}
	c.err = err
	for done := p[:n]; len(done) > 0; {
		left := pageBytes - int(c.n%pageBytes)
		part := done[:min(left, len(done))]
		c.sum = crc32.Update(c.sum, c.table, part)
		c.n += int64(len(part))
		if c.n%pageBytes == 0 {
			c.sums = append(c.sums, c.sum)
			c.sum = 0
		}
		done = done[len(part):]
	}
	return n, err
}

// finish writes the checksums and the trailer.
func (c *checkedWriter) finish() error {
	if c.n%pageBytes != 0 {
		c.sums = append(c.sums, c.sum)
	}
	table := make([]byte, 0, 4*len(c.sums)+trailerBytes)
	for _, s := range c.sums {
		table = binary.LittleEndian.AppendUint32(table, s)
	}
	sum := crc32.Checksum(table, c.table)
	table = binary.LittleEndian.AppendUint64(table, uint64(c.n))
	table = binary.LittleEndian.AppendUint32(table, uint32(len(c.sums)))
	table = binary.LittleEndian.AppendUint32(table, sum)
	table = binary.LittleEndian.AppendUint32(table, crc32.Checksum(table[len(table)-16:], c.table))
	table = binary.LittleEndian.AppendUint32(table, 0)
	table = append(table, magic...)
	if c.err != nil {
		return c.err
	}
	if _, c.err = c.w.Write(table); c.err == nil {
		c.err = c.w.Flush()
	}
	return c.err
}

// checkedReader reads and verifies what a checkedWriter wrote.
type checkedReader struct {
	r     io.ReaderAt
	size  int64 // without checksums and trailer
	table *crc32.Table
	sums  []uint32
	sound []atomic.Bool // pages with verified checksums
}

func openChecked(r io.ReaderAt, size int64) (*checkedReader, error) {
	if size < trailerBytes {
		return nil, fmt.Errorf("%w: it is too short", ErrDamaged)
	}
	trailer := make([]byte, trailerBytes)
	if err := readAt(r, trailer, size-trailerBytes); err != nil {
		return nil, err
	}
	c := &checkedReader{r: r, table: castagnoli()}
	if end := string(trailer[24:]); end != magic && end[:len(magic)-1] == magic[:len(magic)-1] {
		return nil, fmt.Errorf("%w: it is of another version of the format", ErrDamaged)
	}
	if string(trailer[24:]) != magic || crc32.Checksum(trailer[:16], c.table) != binary.LittleEndian.Uint32(trailer[16:]) {
		return nil, fmt.Errorf("%w: its end is not that of a segment", ErrDamaged)
	}
	body, pages := binary.LittleEndian.Uint64(trailer), int64(binary.LittleEndian.Uint32(trailer[8:]))
	if body > uint64(size) || pages != (int64(body)+pageBytes-1)/pageBytes || int64(body)+4*pages+trailerBytes != size {
		return nil, fmt.Errorf("%w: its length is not what it says", ErrDamaged)
	}
	sums := make([]byte, 4*pages)
	if err := readAt(r, sums, int64(body)); err != nil {
		return nil, err
	}
	if crc32.Checksum(sums, c.table) != binary.LittleEndian.Uint32(trailer[12:]) {
		return nil, fmt.Errorf("%w: its checksums are", ErrDamaged)
	}
	c.size, c.sums, c.sound = int64(body), make([]uint32, pages), make([]atomic.Bool, pages)
	for i := range c.sums {
		c.sums[i] = binary.LittleEndian.Uint32(sums[4*i:])
	}
	return c, nil
}

// read returns n bytes from off, which the caller must not change.
func (c *checkedReader) read(off, n int64) ([]byte, error) {
	if off < 0 || n < 0 || off > c.size || n > c.size-off {
		return nil, fmt.Errorf("%w: a part lies outside of it", ErrDamaged)
	}
	if n == 0 {
		return nil, nil
	}
	first, last := off/pageBytes, (off+n-1)/pageBytes
	sound := true
	for p := first; p <= last && sound; p++ {
		sound = c.sound[p].Load()
	}
	if sound {
		buf := make([]byte, n)
		return buf, readAt(c.r, buf, off)
	}
	begin := first * pageBytes
	end := min((last+1)*pageBytes, c.size)
	buf := make([]byte, end-begin)
	if err := readAt(c.r, buf, begin); err != nil {
		return nil, err
	}
	for p := first; p <= last; p++ {
		page := buf[(p-first)*pageBytes : min((p-first+1)*pageBytes, end-begin)]
		if crc32.Checksum(page, c.table) != c.sums[p] {
			return nil, fmt.Errorf("%w: page %d of %d", ErrDamaged, p+1, len(c.sums))
		}
		c.sound[p].Store(true)
	}
	return buf[off-begin : off-begin+n], nil
}

func readAt(r io.ReaderAt, buf []byte, off int64) error {
	n, err := r.ReadAt(buf, off)
	if n == len(buf) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("%w: %w", ErrDamaged, err)
}
