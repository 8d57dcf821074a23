package local

import (
	"cmp"
	"context"
	"crypto/sha256"
	"database/sql"
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
)

// schema has the files of the folders and their documents. The words of documents, and those of the links between them, are in FTS5
// tables without content, which is split at white space alone: what goes in are terms. The body of a document has each term once
// for each passage that has it, so that word_counts counts passages. A link names its target by path, which may be read later. The id
// of a document is never given again: a search finds either the text that it has rated, or none.
const schema = `
CREATE TABLE IF NOT EXISTS files (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, stem TEXT NOT NULL, size INTEGER NOT NULL,
	mtime INTEGER NOT NULL, hash BLOB NOT NULL, problem TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS files_stem ON files(stem);
CREATE TABLE IF NOT EXISTS documents (id INTEGER PRIMARY KEY AUTOINCREMENT, file INTEGER NOT NULL, part TEXT NOT NULL,
	language TEXT NOT NULL, passages INTEGER NOT NULL, words INTEGER NOT NULL, title_words INTEGER NOT NULL,
	about TEXT NOT NULL, digest BLOB NOT NULL, text BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS documents_file ON documents(file);
CREATE INDEX IF NOT EXISTS documents_sizes ON documents(language, passages, words, title_words);
CREATE TABLE IF NOT EXISTS links (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, target TEXT NOT NULL, terms TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS links_source ON links(source);
CREATE INDEX IF NOT EXISTS links_target ON links(target);
CREATE VIRTUAL TABLE IF NOT EXISTS document_words USING fts5(title, author, head, body, content='', contentless_delete=1,
	tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'");
CREATE VIRTUAL TABLE IF NOT EXISTS link_words USING fts5(terms, content='', contentless_delete=1,
	tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'");
CREATE VIRTUAL TABLE IF NOT EXISTS word_counts USING fts5vocab(document_words, col);
CREATE TRIGGER IF NOT EXISTS no_file AFTER DELETE ON files BEGIN DELETE FROM documents WHERE file = old.id; END;
CREATE TRIGGER IF NOT EXISTS no_document AFTER DELETE ON documents BEGIN
	DELETE FROM document_words WHERE rowid = old.id;
	DELETE FROM links WHERE source = old.id;
END;
CREATE TRIGGER IF NOT EXISTS new_link AFTER INSERT ON links BEGIN
	INSERT INTO link_words (rowid, terms) VALUES (new.id, new.terms);
END;
CREATE TRIGGER IF NOT EXISTS no_link AFTER DELETE ON links BEGIN DELETE FROM link_words WHERE rowid = old.id; END;
`

// index is an SQLite file.
type index struct {
	*sql.DB
	name  string // of the file
	codec *codec
}

const (
	busyTimeout = 10 * time.Second // how long a process waits for one that writes; less than half of the time of a call
	busyPause   = 20 * time.Millisecond
)

// openIndex opens the index of the folders, in a file for them and the edition. It creates the file if it is missing or damaged, and
// removes those of other editions.
func openIndex(dir string, roots []string, edition string) (*index, error) {
	c, err := newCodec()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	folders := filepath.Join(dir, short(strings.Join(roots, "\x00")))
	ix := &index{name: folders + "-" + short(edition) + ".db", codec: c}
	others, _ := filepath.Glob(folders + "*.db")
	for _, name := range others {
		if name != ix.name {
			_ = (&index{name: name}).remove() // on Windows not while a program has it open
		}
	}
	err = ix.open()
	// If two processes create a file at the same moment, SQLite may say so at once, without waiting for busy_timeout.
	for end := time.Now().Add(busyTimeout); hasCode(err, codes.SQLITE_BUSY) && time.Now().Before(end); err = ix.open() {
		time.Sleep(busyPause)
	}
	if isDamage(err) {
		err = cmp.Or(ix.remove(), ix.open())
	}
	return ix, err
}

func short(text string) string {
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%x", sum[:8])
}

func (ix *index) open() (err error) {
	settings := url.Values{"_txlock": {"immediate"}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()),
		"journal_mode(WAL)", "synchronous(NORMAL)"}}
	name := (&url.URL{Path: filepath.ToSlash(ix.name)}).EscapedPath()
	if ix.DB, err = sql.Open("sqlite", "file:"+name+"?"+settings.Encode()); err != nil {
		return err
	}
	err = ix.update(context.Background(), func(t update) error { return t.exec(schema) })
	if err != nil {
		return errors.Join(err, ix.Close())
	}
	now := time.Now()
	return errors.Join(os.Chmod(ix.name, 0o600), os.Chtimes(ix.name, now, now)) // see Sweep
}

// checkpoint moves what was written into the file, unless another process is reading.
func (ix *index) checkpoint() { _, _ = ix.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`) }

// remove removes the files of a closed index.
func (ix *index) remove() (err error) {
	for _, end := range []string{"", "-wal", "-shm"} {
		if e := os.Remove(ix.name + end); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// keepUnused is how long an index is kept that nobody searches: its folders may be on a disk that is not mounted. Chosen.
const keepUnused = 30 * 24 * time.Hour

// Sweep removes the indexes in dir that nobody has opened for 30 days. Everything else in dir stays.
func Sweep(dir string, now time.Time) (err error) {
	files, _ := filepath.Glob(filepath.Join(dir, "*.db"))
	for _, name := range files {
		if info, statErr := os.Stat(name); statErr == nil && now.Sub(info.ModTime()) > keepUnused {
			err = errors.Join(err, (&index{name: name}).remove())
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
	rows, err := ix.QueryContext(ctx, query, args...)
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
	path string // absolute, with slashes
	stamp
	hash    [16]byte // the first half of its SHA-256
	problem string   // why it could not be read; "" = it was read
}

const fileColumns = `path, size, mtime, hash, problem`

func (f *fileRow) scan(scan scanner) error {
	var hash []byte
	err := scan(&f.path, &f.size, &f.mtime, &hash, &f.problem)
	copy(f.hash[:], hash)
	return err
}

// files returns all files.
func (ix *index) files(ctx context.Context) (map[string]fileRow, error) {
	out := map[string]fileRow{}
	return out, ix.each(ctx, func(scan scanner) error {
		var f fileRow
		err := f.scan(scan)
		out[f.path] = f
		return err
	}, `SELECT `+fileColumns+` FROM files`)
}

// file returns one file, or sql.ErrNoRows.
func (ix *index) file(ctx context.Context, path string) (f fileRow, err error) {
	err = f.scan(ix.QueryRowContext(ctx, `SELECT `+fileColumns+` FROM files WHERE path = ?`, path).Scan)
	return f, err
}

// update is one transaction that writes.
type update struct {
	ctx context.Context
	tx  *sql.Tx
}

// update runs do in a transaction, and commits it if do succeeds.
func (ix *index) update(ctx context.Context, do func(update) error) error {
	tx, err := ix.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(update{ctx, tx}); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func (t update) exec(query string, args ...any) error {
	_, err := t.tx.ExecContext(t.ctx, query, args...)
	return err
}

// insert returns the id of a new row.
func (t update) insert(query string, args ...any) (id int64, err error) {
	row, err := t.tx.ExecContext(t.ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return row.LastInsertId()
}

// remove removes files with their documents.
func (t update) remove(gone ...string) error {
	for _, path := range gone {
		if err := t.exec(`DELETE FROM files WHERE path = ?`, path); err != nil {
			return err
		}
	}
	return nil
}

// file writes a file as it was read, in place of what the index has of it.
func (t update) file(r result) error {
	f := r.row
	if r.unchanged {
		return t.exec(`UPDATE files SET size = ?, mtime = ? WHERE path = ?`, f.size, f.mtime, f.path)
	}
	if err := t.remove(f.path); err != nil {
		return err
	}
	file, err := t.insert(`INSERT INTO files (`+fileColumns+`, stem) VALUES (?, ?, ?, ?, ?, ?)`,
		f.path, f.size, f.mtime, f.hash[:], f.problem, withoutExtension(f.path))
	if err != nil {
		return err
	}
	for _, e := range r.documents {
		if err := t.document(file, e); err != nil {
			return fmt.Errorf("%s: %w", f.path, err)
		}
	}
	return nil
}

func (t update) document(file int64, e entry) error {
	id, err := t.insert(`INSERT INTO documents (file, part, language, passages, words, title_words, about, digest, text)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		file, e.part, e.language, e.passages, e.words, e.titleWords, e.about, e.digest, e.text)
	if err != nil {
		return err
	}
	err = t.exec(`INSERT INTO document_words (rowid, title, author, head, body) VALUES (?, ?, ?, ?, ?)`,
		id, e.title, e.author, e.head, e.body)
	for _, l := range e.links {
		if err == nil {
			err = t.exec(`INSERT INTO links (source, target, terms) VALUES (?, ?, ?)`, id, l.to, l.text)
		}
	}
	return err
}

// withoutExtension returns a path without the ending that names its format.
func withoutExtension(rel string) string {
	rel = strings.TrimSuffix(rel, ".gz")
	return strings.TrimSuffix(rel, path.Ext(rel))
}
