package local

import (
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
)

// schema has the files of the folders and their documents. The words of documents, and those of the links between them, are in FTS5
// tables without content, which is split at white space alone: what goes in are terms. The body of a document has each term once
// for each passage that has it, so that word_counts counts passages. A link names its target by path, which may be read later. The id
// of a document is never given again: a search finds either the text that it has rated, or none.
const schema = `
CREATE TABLE IF NOT EXISTS files (id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, path TEXT NOT NULL, stem TEXT NOT NULL,
	size INTEGER NOT NULL, mtime INTEGER NOT NULL, hash TEXT NOT NULL, problem TEXT NOT NULL, UNIQUE (folder, path));
CREATE INDEX IF NOT EXISTS files_stem ON files(folder, stem);
CREATE TABLE IF NOT EXISTS documents (id INTEGER PRIMARY KEY AUTOINCREMENT, file INTEGER NOT NULL,
	language TEXT NOT NULL, passages INTEGER NOT NULL, words INTEGER NOT NULL, title_words INTEGER NOT NULL,
	about TEXT NOT NULL, digest BLOB NOT NULL, text BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS documents_file ON documents(file);
CREATE INDEX IF NOT EXISTS documents_sizes ON documents(language, passages, words, title_words);
CREATE TABLE IF NOT EXISTS links (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, folder INTEGER NOT NULL, target TEXT NOT NULL,
	terms TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS links_source ON links(source);
CREATE INDEX IF NOT EXISTS links_target ON links(folder, target);
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

const documentsInFiles = `documents d JOIN files f ON f.id = d.file`

// index is an SQLite file.
type index struct {
	name string // of the file
	db   *sql.DB
}

const (
	busyTimeout = 10 * time.Second // how long a process waits for one that writes; less than half of the time of a call
	busyPause   = 20 * time.Millisecond
)

// openIndex opens the index of the folders. It creates the index if it is missing, or damaged, and removes those of other editions.
func openIndex(cfg Config) (*index, error) {
	if err := os.MkdirAll(cfg.Dir, 0o700); err != nil {
		return nil, err
	}
	folders := filepath.Join(cfg.Dir, hashOf(strings.Join(cfg.Folders, "\x00")))
	ix := &index{name: folders + "-" + hashOf(cfg.Edition) + ".db"}
	err := ix.open()
	// If two processes create a file at the same moment, SQLite may say so at once, without waiting for busy_timeout.
	for end := time.Now().Add(busyTimeout); hasCode(err, codes.SQLITE_BUSY) && time.Now().Before(end); err = ix.open() {
		time.Sleep(busyPause)
	}
	if isDamage(err) {
		if err = ix.remove(); err == nil {
			err = ix.open()
		}
	}
	others, _ := filepath.Glob(folders + "-*.db")
	for _, name := range others {
		if other := (&index{name: name}); err == nil && name != ix.name && other.unused() {
			err = other.remove()
		}
	}
	return ix, err
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// source returns the name of an index for the driver, with settings.
func (ix *index) source(settings url.Values) string {
	return "file:" + (&url.URL{Path: filepath.ToSlash(ix.name)}).EscapedPath() + "?" + settings.Encode()
}

func (ix *index) open() (err error) {
	ix.db, err = sql.Open("sqlite", ix.source(url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), "journal_mode(WAL)", "synchronous(NORMAL)"}}))
	if err != nil {
		return err
	}
	ix.db.SetMaxOpenConns(4)
	if err = ix.update(context.Background(), func(t *update) { t.write(schema) }); err != nil {
		return errors.Join(err, ix.db.Close())
	}
	now := time.Now()
	return errors.Join(os.Chmod(ix.name, 0o600), os.Chtimes(ix.name, now, now)) // see Sweep
}

// unused reports whether no process has the index open: only then SQLite lets it leave the write-ahead log.
func (ix *index) unused() bool {
	db, err := sql.Open("sqlite", ix.source(nil))
	if err != nil {
		return false
	}
	defer db.Close()
	_, err = db.Exec(`PRAGMA journal_mode = DELETE`)
	return err == nil
}

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

// rows returns what one makes of each row of a query.
func rows[T any](ctx context.Context, ix *index, one func(scanner) (T, error), query string, args ...any) (out []T, err error) {
	all, err := ix.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer all.Close()
	for all.Next() {
		row, err := one(all.Scan)
		if err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, all.Err()
}

// column reads a row of one column.
func column[T any](scan scanner) (value T, err error) {
	err = scan(&value)
	return value, err
}

// fileRow is a file as the index knows it.
type fileRow struct {
	file
	hash    string // SHA-256
	problem string // why it could not be read; "" = it was read
}

// files returns the files that meet a condition.
func (ix *index) files(ctx context.Context, where string, args ...any) (map[place]fileRow, error) {
	all, err := rows(ctx, ix, func(scan scanner) (f fileRow, err error) {
		err = scan(&f.folder, &f.path, &f.size, &f.mtime, &f.hash, &f.problem)
		return f, err
	}, `SELECT folder, path, size, mtime, hash, problem FROM files WHERE `+where, args...)
	out := make(map[place]fileRow, len(all))
	for _, f := range all {
		out[f.place] = f
	}
	return out, err
}

// row is a document of the index, without its text.
type row struct {
	place
	id    int64
	about About // without its path
}

const rowColumns = `d.id, f.folder, f.path, d.about`

// scan reads rowColumns, and those behind them.
func (d *row) scan(scan scanner, more ...any) error {
	var about []byte
	err := scan(append([]any{&d.id, &d.folder, &d.path, &about}, more...)...)
	if err == nil && json.Unmarshal(about, &d.about) != nil {
		err = errDamaged
	}
	return err
}

// documents returns the documents that meet a condition.
func (ix *index) documents(ctx context.Context, where string, args ...any) ([]row, error) {
	return rows(ctx, ix, func(scan scanner) (d row, err error) {
		err = d.scan(scan)
		return d, err
	}, `SELECT `+rowColumns+` FROM `+documentsInFiles+` WHERE `+where, args...)
}

// update is one transaction that writes, up to its first error.
type update struct {
	ctx context.Context
	tx  *sql.Tx
	err error
}

// update runs do in a transaction.
func (ix *index) update(ctx context.Context, do func(*update)) error {
	tx, err := ix.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	t := &update{ctx, tx, nil}
	if do(t); t.err != nil {
		return errors.Join(t.err, tx.Rollback())
	}
	return tx.Commit()
}

// write returns the id of the row that a statement inserts.
func (t *update) write(statement string, args ...any) (id int64) {
	if t.err != nil {
		return 0
	}
	var done sql.Result
	if done, t.err = t.tx.ExecContext(t.ctx, statement, args...); t.err == nil {
		id, t.err = done.LastInsertId()
	}
	return id
}

// remove removes a file with its documents.
func (t *update) remove(at place) {
	t.write(`DELETE FROM files WHERE folder = ? AND path = ?`, at.folder, at.path)
}

// file writes a file as it was read, in place of what the index has of it; e is nil if it could not be read.
func (t *update) file(f fileRow, e *entry) {
	t.remove(f.place)
	id := t.write(`INSERT INTO files (folder, path, stem, size, mtime, hash, problem) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		f.folder, f.path, withoutExtension(f.path), f.size, f.mtime, f.hash, f.problem)
	if e == nil {
		return
	}
	about, err := json.Marshal(e.about)
	t.err = errors.Join(t.err, err)
	id = t.write(`INSERT INTO documents (file, language, passages, words, title_words, about, digest, text)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, id, e.language, e.passages, e.words, len(e.title), about, e.digest, e.text)
	t.write(`INSERT INTO document_words (rowid, title, author, head, body) VALUES (?, ?, ?, ?, ?)`,
		id, joined(e.title), joined(e.author), joined(e.head), e.body)
	for _, l := range e.links {
		t.write(`INSERT INTO links (source, folder, target, terms) VALUES (?, ?, ?, ?)`, id, f.folder, l.to, l.text)
	}
}

// withoutExtension returns a path without the ending that names its format.
func withoutExtension(rel string) string {
	rel = strings.TrimSuffix(rel, ".gz")
	return strings.TrimSuffix(rel, path.Ext(rel))
}
