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

// manifest names the segments of an index. The file is a line with number and checksum, followed by readable JSON.
type manifest struct {
	Edition  string          `json:"edition"`
	Folder   string          `json:"folder"`
	Segments []segmentRecord `json:"segments"`

	number int64 // one more than that of the previous manifest
}

type segmentRecord struct {
	Name    string           `json:"name"`
	Deleted []byte           `json:"deleted,omitempty"` // index.Bits of deleted files
	Touched map[string]int64 `json:"touched,omitempty"` // by path: modification time of files with unchanged content
}

const (
	manifestFile  = "manifest"
	manifestHead  = "citeloop corpus 1 %d %08x\n"
	segmentSuffix = ".segment"
	maxManifest   = 256 << 20
)

var errManifest = errors.New("the manifest is damaged")

// indexDir is the folder of an index on disk. With dir "" nothing is stored.
type indexDir struct{ dir string }

// number returns the number of the manifest on disk; 0 = none.
func (s indexDir) number() int64 {
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

// load reads the manifest. The error is fs.ErrNotExist if it is missing.
func (s indexDir) load() (manifest, error) {
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

// save replaces the manifest.
func (s indexDir) save(m manifest) error {
	if s.dir == "" {
		return nil
	}
	raw, err := m.encode()
	if err != nil {
		return err
	}
	return s.write(manifestFile, func(w io.Writer) error { _, err := w.Write(raw); return err })
}

// write creates a file atomically, also if the machine crashes meanwhile.
func (s indexDir) write(name string, fill func(io.Writer) error) error {
	f, err := os.CreateTemp(s.dir, "new-*") // readable by its owner only, since the texts may be private
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
	if d, err := os.Open(s.dir); err == nil { // makes the new name durable; not every system can
		_ = d.Sync()
		_ = d.Close()
	}
	return nil
}

// put writes a segment and opens it.
func (s indexDir) put(name string, b *index.Builder) (*index.Segment, io.Closer, error) {
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

func (s indexDir) open(name string) (*index.Segment, io.Closer, error) {
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

// sweep removes unnamed segments, such as merged ones, and files left by a crash.
func (s indexDir) sweep(named map[string]bool) {
	if s.dir == "" {
		return
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !named[e.Name()] && (strings.HasPrefix(e.Name(), "new-") || strings.HasSuffix(e.Name(), segmentSuffix)) {
			_ = os.Remove(filepath.Join(s.dir, e.Name())) // fails on some systems while another process has it open; the next sweep removes it
		}
	}
}

// bytes returns the size of the index on disk.
func (s indexDir) bytes() int64 {
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
