package local

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"github.com/citeloop/citeloop/internal/lazyregexp"
)

// schema has the files of the folders and their documents. The words of documents, and those of the links between them, are in FTS5
// tables without content, which is split at white space alone: what goes in are terms. The body of a document has each term once
// for each passage that has it, so that word_counts counts passages. A link names its target by path, which may be read later. The id
// of a document is never given again: a search finds either the text that it has rated, or none.
const schema = `
CREATE TABLE edition (value TEXT NOT NULL);
CREATE TABLE files (id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, path TEXT NOT NULL, stem TEXT NOT NULL, size INTEGER NOT NULL,
	mtime INTEGER NOT NULL, hash BLOB NOT NULL, problem TEXT NOT NULL, passing INTEGER NOT NULL, UNIQUE (folder, path));
CREATE INDEX files_stem ON files(folder, stem);
CREATE TABLE documents (id INTEGER PRIMARY KEY AUTOINCREMENT, file INTEGER NOT NULL, part TEXT NOT NULL, type TEXT NOT NULL,
	language TEXT NOT NULL, bytes INTEGER NOT NULL, passages INTEGER NOT NULL, words INTEGER NOT NULL, title_words INTEGER NOT NULL,
	about TEXT NOT NULL, digest BLOB NOT NULL, text BLOB NOT NULL);
CREATE INDEX documents_file ON documents(file);
CREATE INDEX documents_sizes ON documents(language, passages, words, title_words, bytes);
CREATE TABLE links (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, folder INTEGER NOT NULL, target TEXT NOT NULL, terms TEXT NOT NULL);
CREATE INDEX links_source ON links(source);
CREATE INDEX links_target ON links(folder, target);
CREATE VIRTUAL TABLE document_words USING fts5(title, author, head, body, content='', contentless_delete=1,
	tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'");
CREATE VIRTUAL TABLE link_words USING fts5(terms, content='', contentless_delete=1,
	tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'");
CREATE VIRTUAL TABLE word_counts USING fts5vocab(document_words, col);
CREATE TRIGGER no_file AFTER DELETE ON files BEGIN DELETE FROM documents WHERE file = old.id; END;
CREATE TRIGGER no_document AFTER DELETE ON documents BEGIN
	DELETE FROM document_words WHERE rowid = old.id;
	DELETE FROM links WHERE source = old.id;
END;
CREATE TRIGGER new_link AFTER INSERT ON links BEGIN INSERT INTO link_words (rowid, terms) VALUES (new.id, new.terms); END;
CREATE TRIGGER no_link AFTER DELETE ON links BEGIN DELETE FROM link_words WHERE rowid = old.id; END;
`

var tables = []string{"word_counts", "document_words", "link_words", "edition", "files", "documents", "links", "meta", "linked"}

// index is an SQLite file.
type index struct {
	name    string // of the file; "" = in memory
	edition string
	reader  *sql.DB
	writer  *sql.DB
	codec   *codec
}

// indexFile is the file of the index of some folders.
func indexFile(dir string, roots []string) string {
	sum := sha256.Sum256([]byte(strings.Join(roots, "\x00")))
	return filepath.Join(dir, hex.EncodeToString(sum[:8])+".db")
}

const (
	busyTimeout = 10 * time.Second // how long a process waits for one that writes; less than half of the time of a call
	busyPause   = 20 * time.Millisecond
)

// openIndex opens the index of the folders. It creates the index if it is missing or of another edition.
func openIndex(dir string, roots []string, edition string) (*index, error) {
	c, err := newCodec()
	if err != nil {
		return nil, err
	}
	ix := &index{codec: c, edition: edition}
	if dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
		ix.name = indexFile(dir, roots)
	}
	err = ix.open()
	// If two processes create a file at the same moment, SQLite may say so at once, without waiting for busy_timeout.
	for end := time.Now().Add(busyTimeout); hasCode(err, codes.SQLITE_BUSY) && time.Now().Before(end); err = ix.open() {
		time.Sleep(busyPause)
	}
	if isDamage(err) {
		if err = ix.remove(); err == nil {
			err = ix.open()
		}
	}
	return ix, err
}

func (ix *index) open() (err error) {
	dsn := ":memory:"
	if ix.name != "" {
		settings := url.Values{"_txlock": {"immediate"}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()),
			"journal_mode(WAL)", "synchronous(NORMAL)"}}
		dsn = "file:" + (&url.URL{Path: filepath.ToSlash(ix.name)}).EscapedPath() + "?" + settings.Encode()
	}
	if ix.writer, err = sql.Open("sqlite", dsn); err != nil {
		return err
	}
	ix.writer.SetMaxOpenConns(1)
	ix.reader = ix.writer
	if ix.name != "" {
		if ix.reader, err = sql.Open("sqlite", dsn); err != nil {
			return errors.Join(err, ix.writer.Close())
		}
		ix.reader.SetMaxOpenConns(4)
	}
	ctx := context.Background()
	err = ix.transaction(ctx, func(t *update) error {
		if known, err := t.edition(); err == nil && known == ix.edition || isDamage(err) {
			return err
		}
		for _, table := range tables {
			if err := t.exec("DROP TABLE IF EXISTS " + table); err != nil {
				return err
			}
		}
		return errors.Join(t.exec(schema), t.exec(`INSERT INTO edition VALUES (?)`, ix.edition))
	})
	if err != nil {
		return errors.Join(err, ix.close())
	}
	if ix.name == "" {
		return nil
	}
	now := time.Now()
	return errors.Join(os.Chmod(ix.name, 0o600), os.Chtimes(ix.name, now, now)) // see Sweep
}

// checkpoint moves what was written into the index, unless another process is reading.
func (ix *index) checkpoint() { _, _ = ix.writer.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`) }

func (ix *index) close() error {
	if ix.reader == ix.writer {
		return ix.writer.Close()
	}
	ix.checkpoint()
	return errors.Join(ix.reader.Close(), ix.writer.Close())
}

// remove removes the files of a closed index.
func (ix *index) remove() (err error) {
	if ix.name == "" {
		return nil
	}
	for _, end := range []string{"", "-wal", "-shm"} {
		if e := os.Remove(ix.name + end); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// keepUnused is how long an index is kept that nobody searches: its folders may be on a disk that is not mounted. Chosen.
const keepUnused = 30 * 24 * time.Hour

// ofBefore matches the name of an index of builds before FTS5, a folder with a manifest.
var ofBefore = lazyregexp.New(`^[0-9a-f]{16}$`)

// Sweep removes the indexes in dir that nobody has opened for 30 days, and those of builds before FTS5. Everything else in dir stays.
func Sweep(dir string, now time.Time) (err error) {
	files, _ := filepath.Glob(filepath.Join(dir, "*.db"))
	for _, name := range files {
		if info, statErr := os.Stat(name); statErr == nil && now.Sub(info.ModTime()) > keepUnused {
			err = errors.Join(err, (&index{name: name}).remove())
		}
	}
	old, _ := filepath.Glob(filepath.Join(dir, "*", "manifest"))
	for _, name := range old {
		if folder := filepath.Dir(name); ofBefore.MatchString(filepath.Base(folder)) {
			err = errors.Join(err, os.RemoveAll(folder))
		}
	}
	return err
}

// errDamaged is the error of stored bytes that cannot be.
var errDamaged = errors.New("the index is damaged")

// isDamage reports an error after which only a new index helps.
func isDamage(err error) bool {
	return errors.Is(err, errDamaged) || hasCode(err, codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB, codes.SQLITE_FORMAT)
}

// hasCode reports an error of SQLite with one of the primary result codes.
func hasCode(err error, all ...int) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && slices.Contains(all, e.Code()&0xff)
}

// scanner reads the columns of a row.
type scanner func(...any) error

// each calls row with every row of a query.
func (ix *index) each(ctx context.Context, row func(scanner) error, query string, args ...any) error {
	rows, err := ix.reader.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// fileRow is a file as the index knows it.
type fileRow struct {
	place
	stamp
	hash    [16]byte // the first half of its SHA-256
	problem string   // why it could not be read; "" = it was read
	passing bool     // the problem may go away without a change of the file
}

const fileColumns = `folder, path, size, mtime, hash, problem, passing`

func (f *fileRow) scan(scan scanner) error {
	var hash []byte
	err := scan(&f.folder, &f.path, &f.size, &f.mtime, &hash, &f.problem, &f.passing)
	copy(f.hash[:], hash)
	return err
}

// files returns all files.
func (ix *index) files(ctx context.Context) (map[place]fileRow, error) {
	out := map[place]fileRow{}
	return out, ix.each(ctx, func(scan scanner) error {
		var f fileRow
		err := f.scan(scan)
		out[f.place] = f
		return err
	}, `SELECT `+fileColumns+` FROM files`)
}

// file returns one file, or sql.ErrNoRows.
func (ix *index) file(ctx context.Context, at place) (f fileRow, err error) {
	err = f.scan(ix.reader.QueryRowContext(ctx, `SELECT `+fileColumns+` FROM files WHERE folder = ? AND path = ?`, at.folder, at.path).Scan)
	return f, err
}

// update is one transaction that writes.
type update struct {
	ctx context.Context
	tx  *sql.Tx
}

// errOtherEdition is the error of an index that another version of the program has built again meanwhile.
var errOtherEdition = errors.New("another version of citeloop has built the index again: restart this process")

// update runs do in a transaction, and commits it if do succeeds. An index that is of another edition by now is not written.
func (ix *index) update(ctx context.Context, do func(*update) error) error {
	return ix.transaction(ctx, func(t *update) error {
		if known, err := t.edition(); err != nil || known != ix.edition {
			return cmp.Or(err, errOtherEdition)
		}
		return do(t)
	})
}

func (ix *index) transaction(ctx context.Context, do func(*update) error) error {
	tx, err := ix.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(&update{ctx, tx}); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func (t *update) edition() (known string, err error) {
	return known, t.tx.QueryRowContext(t.ctx, `SELECT value FROM edition`).Scan(&known)
}

func (t *update) exec(query string, args ...any) error {
	_, err := t.tx.ExecContext(t.ctx, query, args...)
	return err
}

// insert returns the id of a new row.
func (t *update) insert(query string, args ...any) (id int64, err error) {
	row, err := t.tx.ExecContext(t.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return row.LastInsertId()
}

// remove removes files with their documents.
func (t *update) remove(gone []place) error {
	for _, at := range gone {
		if err := t.exec(`DELETE FROM files WHERE folder = ? AND path = ?`, at.folder, at.path); err != nil {
			return err
		}
	}
	return nil
}

// file writes a file as it was read, in place of what the index has of it.
func (t *update) file(r result) error {
	f := r.row
	if r.unchanged {
		return t.exec(`UPDATE files SET size = ?, mtime = ? WHERE folder = ? AND path = ?`, f.size, f.mtime, f.folder, f.path)
	}
	if err := t.remove([]place{f.place}); err != nil {
		return err
	}
	file, err := t.insert(`INSERT INTO files (`+fileColumns+`, stem) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
		f.folder, f.path, f.size, f.mtime, f.hash[:], f.problem, f.passing, withoutExtension(f.path))
	if err != nil {
		return err
	}
	for _, e := range r.documents {
		if err := t.document(f.folder, file, e); err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
	}
	return nil
}

func (t *update) document(folder int, file int64, e entry) error {
	about, err := json.Marshal(e.about)
	if err != nil {
		return err
	}
	id, err := t.insert(`INSERT INTO documents (file, part, type, language, bytes, passages, words, title_words, about, digest, text)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		file, e.part, e.about.Type, e.language, e.bytes, e.passages, e.words, e.titleWords, about, e.digest, e.text)
	if err != nil {
		return err
	}
	err = t.exec(`INSERT INTO document_words (rowid, title, author, head, body) VALUES (?, ?, ?, ?, ?)`,
		id, e.title, e.author, e.head, e.body)
	for _, l := range e.links {
		if err == nil {
			err = t.exec(`INSERT INTO links (source, folder, target, terms) VALUES (?, ?, ?, ?)`, id, folder, l.to, l.text)
		}
	}
	return err
}

// withoutExtension returns a path without the ending that names its format.
func withoutExtension(rel string) string {
	rel = strings.TrimSuffix(rel, ".gz")
	return strings.TrimSuffix(rel, path.Ext(rel))
}
