package local

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/citeloop/citeloop/channels/local/index"
)

// manifest names the segments of an index. It is a line with its number and checksum, and JSON: a person who
// looks into the folder can see what lies there.
type manifest struct {
	Edition  string          `json:"edition"`
	Folder   string          `json:"folder"`
	Segments []segmentRecord `json:"segments"`

	number int64 // one more than that of the manifest before
}

type segmentRecord struct {
	Name    string           `json:"name"`
	Deleted []byte           `json:"deleted,omitempty"` // index.Bits of files that are gone
	Touched map[string]int64 `json:"touched,omitempty"` // by path: the time of change of files whose content stayed
}

const (
	manifestFile  = "manifest"
	manifestHead  = "citeloop corpus 1 %d %08x\n"
	segmentSuffix = ".segment"
	maxManifest   = 256 << 20
)

var errManifest = errors.New("the manifest is damaged")

// shelf is the folder on disk in which an index lies. Without a folder nothing is kept.
type shelf struct{ dir string }

// number reads how far the index on disk is: 0 = there is none.
func (s shelf) number() int64 {
	f, err := os.Open(filepath.Join(s.dir, manifestFile))
	if s.dir == "" || err != nil {
		return 0
	}
	defer f.Close()
	head := make([]byte, 64)
	n, _ := io.ReadFull(f, head)
	var number int64
	var sum uint32
	if _, err := fmt.Sscanf(string(head[:n]), manifestHead, &number, &sum); err != nil {
		return 0
	}
	return number
}

// load reads the manifest. That there is none is fs.ErrNotExist.
func (s shelf) load() (manifest, error) {
	if s.dir == "" {
		return manifest{}, fs.ErrNotExist
	}
	f, err := os.Open(filepath.Join(s.dir, manifestFile))
	if err != nil {
		return manifest{}, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxManifest))
	if err != nil {
		return manifest{}, err
	}
	return decodeManifest(raw)
}

func decodeManifest(raw []byte) (manifest, error) {
	var m manifest
	var sum uint32
	head, body, ok := bytes.Cut(raw, []byte("\n"))
	if _, err := fmt.Sscanf(string(head)+"\n", manifestHead, &m.number, &sum); err != nil || !ok || m.number < 1 {
		return manifest{}, errManifest
	}
	if crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli)) != sum {
		return manifest{}, errManifest
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return manifest{}, errManifest
	}
	for _, r := range m.Segments {
		if filepath.Base(r.Name) != r.Name || !strings.HasSuffix(r.Name, segmentSuffix) {
			return manifest{}, errManifest
		}
	}
	return m, nil
}

func (m manifest) encode() ([]byte, error) {
	body, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	return append(fmt.Appendf(nil, manifestHead, m.number, crc32.Checksum(body, crc32.MakeTable(crc32.Castagnoli))), body...), nil
}

// save puts a manifest in the place of the one before.
func (s shelf) save(m manifest) error {
	if s.dir == "" {
		return nil
	}
	raw, err := m.encode()
	if err != nil {
		return err
	}
	return s.write(manifestFile, func(w io.Writer) error { _, err := w.Write(raw); return err })
}

// write makes a file that is there as a whole or not at all, also when the machine stops in between.
func (s shelf) write(name string, fill func(io.Writer) error) error {
	f, err := os.CreateTemp(s.dir, "new-*") // readable by its owner alone, as what it holds may have to be
	if err != nil {
		return err
	}
	err = fill(f)
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(s.dir, name))
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	if d, err := os.Open(s.dir); err == nil { // makes the new name last; not every system can
		_ = d.Sync()
		_ = d.Close()
	}
	return nil
}

// put writes a segment and opens it.
func (s shelf) put(name string, b *index.Builder) (*index.Segment, io.Closer, error) {
	if s.dir == "" {
		var buf bytes.Buffer
		if _, err := b.WriteTo(&buf); err != nil {
			return nil, nil, err
		}
		seg, err := index.Open(bytes.NewReader(buf.Bytes()), int64(buf.Len()))
		return seg, nil, err
	}
	if err := s.write(name, func(w io.Writer) error { _, err := b.WriteTo(w); return err }); err != nil {
		return nil, nil, err
	}
	return s.open(name)
}

func (s shelf) open(name string) (*index.Segment, io.Closer, error) {
	f, err := os.Open(filepath.Join(s.dir, name))
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	seg, err := index.Open(f, info.Size())
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return seg, f, nil
}

// sweep removes segments that are not named, as those that were merged, and files that a crash left.
func (s shelf) sweep(named map[string]bool) {
	if s.dir == "" {
		return
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !named[e.Name()] && (strings.HasPrefix(e.Name(), "new-") || strings.HasSuffix(e.Name(), segmentSuffix)) {
			_ = os.Remove(filepath.Join(s.dir, e.Name())) // where another process has it open and the system minds: next time
		}
	}
}

// bytes is the size of the index on disk.
func (s shelf) bytes() int64 {
	var n int64
	if entries, err := os.ReadDir(s.dir); err == nil && s.dir != "" {
		for _, e := range entries {
			if info, err := e.Info(); err == nil {
				n += info.Size()
			}
		}
	}
	return n
}
