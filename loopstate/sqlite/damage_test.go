package sqlite_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/citeloop/citeloop/loopstate"
	"github.com/citeloop/citeloop/loopstate/sqlite"
	"github.com/citeloop/citeloop/loopstate/storage"
)

func TestDamageIsDetected(t *testing.T) {
	t.Run("another text", func(t *testing.T) {
		path := written(t, 1)
		other := filepath.Join(t.TempDir(), "other.db")
		store := open(t, other, sqlite.Options{})
		must(store.PutBlob(t.Context(), []byte("b text")))(t)
		var packed []byte // valid zstd of another text
		noError(t, database(t, other).QueryRow(`SELECT text FROM citeloop_blobs`).Scan(&packed))
		for name, spoiled := range map[string][]byte{
			"another text": packed, "no zstd": []byte("noise"), "cut short": packed[:len(packed)-3], "nothing": {},
			// A frame header with a size of 2^60 bytes.
			"a promise": {0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0x03, 0xff, 0xff},
		} {
			execute(t, path, `UPDATE citeloop_blobs SET text = ?`, spoiled)
			store := open(t, path, sqlite.Options{})
			hash := loopstate.HashText([]byte("a text"))
			if text, err := store.Blob(t.Context(), hash); !errors.Is(err, storage.ErrDamaged) || !strings.Contains(err.Error(), "fetch its source again") {
				t.Errorf("%s: Blob: %q, %v, want ErrDamaged", name, text, err)
			}
			if _, err := store.PutBlob(t.Context(), []byte("a text")); err != nil {
				t.Errorf("%s: PutBlob: %v", name, err)
			}
			if text, err := store.Blob(t.Context(), hash); err != nil || string(text) != "a text" {
				t.Errorf("%s: Blob after another put: %q, %v", name, text, err)
			}
		}
	})

	t.Run("a text above the limit", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "loops.db")
		store := open(t, path, sqlite.Options{})
		encoder := must(zstd.NewWriter(nil))(t)
		bomb := make([]byte, 64<<20+1)
		hash := loopstate.HashText(bomb) // with the right hash, so that only the size is wrong
		packed := encoder.EncodeAll(bomb, nil)
		execute(t, path, `INSERT INTO citeloop_blobs (hash, text) VALUES (?, ?)`, hash[:], packed)
		if text, err := store.Blob(t.Context(), hash); !errors.Is(err, storage.ErrDamaged) {
			t.Errorf("Blob: %d bytes out of %d, %v, want ErrDamaged", len(text), len(packed), err)
		}
	})

	t.Run("a missing event", func(t *testing.T) {
		for name, query := range map[string]string{
			"in the middle": `DELETE FROM citeloop_events WHERE seq = 700`,
			"at the start":  `DELETE FROM citeloop_events WHERE seq = 1`,
			"a whole page":  `DELETE FROM citeloop_events WHERE seq BETWEEN 500 AND 1200`,
		} {
			path := longLog(t)
			execute(t, path, query)
			var last error
			for _, err := range open(t, path, sqlite.Options{}).Load(t.Context(), "L", 0) {
				last = err
			}
			if !errors.Is(last, storage.ErrDamaged) || !strings.Contains(last.Error(), "is missing") {
				t.Errorf("%s: Load ends with %v, want ErrDamaged", name, last)
			}
		}
	})

	t.Run("a page of the heads", func(t *testing.T) {
		path := written(t, 1)
		execute(t, path, `WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
			INSERT INTO citeloop_heads SELECT 'loop' || i, owner, seq, query, round, status, updated_at, stored, readings FROM citeloop_heads, n`)
		spoilPage(t, path, "loop222")
		if heads, err := open(t, path, sqlite.Options{}).Loops(t.Context(), "ada"); !errors.Is(err, storage.ErrDamaged) {
			t.Errorf("Loops: %d heads and %v, want ErrDamaged", len(heads), err)
		}
	})

	t.Run("a page of the log", func(t *testing.T) {
		path := written(t, 300)
		spoilPage(t, path, `"w/150"`)
		var last error
		for _, err := range open(t, path, sqlite.Options{}).Load(t.Context(), "L", 0) {
			last = err
		}
		if !errors.Is(last, storage.ErrDamaged) || !strings.Contains(last.Error(), "backup") {
			t.Errorf("Load ends with %v, want ErrDamaged", last)
		}
	})

	t.Run("a damaged snapshot counts as missing", func(t *testing.T) {
		path := written(t, 1)
		store := open(t, path, sqlite.Options{})
		noError(t, store.PutSnapshot(t.Context(), loopstate.Snapshot{Loop: "L", Seq: 1, Fold: 1, State: []byte("{}")}))
		execute(t, path, `UPDATE citeloop_snapshots SET state = x'00'`)
		if _, err := store.Snapshot(t.Context(), "L"); !errors.Is(err, loopstate.ErrNotFound) {
			t.Errorf("Snapshot: %v, want ErrNotFound", err)
		}
	})
}

// longLog returns a store whose loop L has 1,300 events: more than two pages of a Load.
func longLog(t *testing.T) (path string) {
	t.Helper()
	path = written(t, 1)
	execute(t, path, `WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 1300)
		INSERT INTO citeloop_events SELECT loop, i, at, kind, version, 'op' || i, data FROM citeloop_events, n`)
	execute(t, path, `UPDATE citeloop_heads SET seq = 1300`)
	return path
}

// spoilPage overwrites the first page (4,096 bytes) that contains text.
func spoilPage(t *testing.T, path, text string) {
	t.Helper()
	b := read(t, path)
	at := bytes.Index(b, []byte(text))
	if at < 4096 {
		t.Fatalf("%q is at %d in the file", text, at)
	}
	copy(b[at/4096*4096:], bytes.Repeat([]byte{0xa5}, 4096))
	write(t, path, b)
}
