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
)

// schema has the files of the folders and their documents. The words of documents, and those of the links between them, are in FTS5
// tables without content, which is split at white space alone: what goes in are terms. The body of a document has each term once
// for each passage that has it, so that word_counts counts passages. A link names its target by path, which may be read later. The id
// of a document is never given again: a search finds either the text that it has rated, or none.
const schema = `
CREATE TABLE edition (value TEXT NOT NULL);
CREATE TABLE files (id INTEGER PRIMARY KEY, folder INTEGER NOT NULL, path TEXT NOT NULL, stem TEXT NOT NULL, size INTEGER NOT NULL,
	mtime INTEGER NOT NULL, hash TEXT NOT NULL, problem TEXT NOT NULL, UNIQUE (folder, path));
CREATE INDEX files_stem ON files(folder, stem);
CREATE TABLE documents (id INTEGER PRIMARY KEY AUTOINCREMENT, file INTEGER NOT NULL, part TEXT NOT NULL, language TEXT NOT NULL,
	passages INTEGER NOT NULL, words INTEGER NOT NULL, title_words INTEGER NOT NULL, about TEXT NOT NULL, digest BLOB NOT NULL,
	text BLOB NOT NULL);
CREATE INDEX documents_file ON documents(file);
CREATE INDEX documents_sizes ON documents(language, passages, words, title_words);
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

var tables = []string{"word_counts", "document_words", "link_words", "edition", "files", "documents", "links"}

// index is an SQLite file.
type index struct {
	name    string // of the file; "" = in memory
	edition string
	db      *sql.DB
	codec   *codec
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
		sum := sha256.Sum256([]byte(strings.Join(roots, "\x00")))
		ix.name = filepath.Join(dir, hex.EncodeToString(sum[:8])+".db")
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
	dsn, connections := ":memory:", 1
	if ix.name != "" {
		settings := url.Values{"_txlock": {"immediate"}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()),
			"journal_mode(WAL)", "synchronous(NORMAL)"}}
		dsn = "file:" + (&url.URL{Path: filepath.ToSlash(ix.name)}).EscapedPath() + "?" + settings.Encode()
		connections = 4
	}
	if ix.db, err = sql.Open("sqlite", dsn); err != nil {
		return err
	}
	ix.db.SetMaxOpenConns(connections)
	if err = ix.transaction(context.Background(), (*update).create); err != nil {
		return errors.Join(err, ix.close())
	}
	if ix.name == "" {
		return nil
	}
	now := time.Now()
	return errors.Join(os.Chmod(ix.name, 0o600), os.Chtimes(ix.name, now, now)) // see Sweep
}

// checkpoint moves what was written into the index, unless another process is reading.
func (ix *index) checkpoint() { _, _ = ix.db.Exec(`PRAGMA wal_checkpoint(TRUNCATE)`) }

func (ix *index) close() error {
	ix.checkpoint()
	return ix.db.Close()
}

// remove removes the files of a closed index.
func (ix *index) remove() (err error) {
	if ix.name == "" { // in memory
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
	rows, err := ix.db.QueryContext(ctx, query, args...)
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
	hash    string // SHA-256
	problem string // why it could not be read; "" = it was read
}

// files returns the files that meet a condition.
func (ix *index) files(ctx context.Context, where string, args ...any) (map[place]fileRow, error) {
	out := map[place]fileRow{}
	return out, ix.each(ctx, func(scan scanner) error {
		var f fileRow
		err := scan(&f.folder, &f.path, &f.size, &f.mtime, &f.hash, &f.problem)
		out[f.place] = f
		return err
	}, `SELECT folder, path, size, mtime, hash, problem FROM files WHERE `+where, args...)
}

// row is a document of the index, without its text.
type row struct {
	place
	id    int64
	part  string // of a mailbox: the message; "" = the whole file
	about stored
}

// name is the path of a document within its folder.
func (d row) name() string { return path.Join(d.path, d.part) }

// documents returns the documents that meet a condition.
func (ix *index) documents(ctx context.Context, where string, args ...any) (out []row, err error) {
	err = ix.each(ctx, func(scan scanner) error {
		var d row
		var about []byte
		if err := scan(&d.id, &d.folder, &d.path, &d.part, &about); err != nil {
			return err
		}
		if json.Unmarshal(about, &d.about) != nil {
			return errDamaged
		}
		out = append(out, d)
		return nil
	}, `SELECT d.id, f.folder, f.path, d.part, d.about FROM `+documentsInFiles+` WHERE `+where, args...)
	return out, err
}

const documentsInFiles = `documents d JOIN files f ON f.id = d.file`

// update is one transaction that writes.
type update struct {
	*index
	ctx context.Context
	tx  *sql.Tx
}

// errOtherEdition is the error of an index that another version of the program has built again meanwhile.
var errOtherEdition = errors.New("another version of citeloop has built the index again: restart this process")

// update runs do in a transaction, and commits it if do succeeds. An index that is of another edition by now is not written.
func (ix *index) update(ctx context.Context, do func(*update) error) error {
	return ix.transaction(ctx, func(t *update) error {
		if known, err := t.known(); err != nil || known != ix.edition {
			return cmp.Or(err, errOtherEdition)
		}
		return do(t)
	})
}

func (ix *index) transaction(ctx context.Context, do func(*update) error) error {
	tx, err := ix.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(&update{ix, ctx, tx}); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

// known returns the edition of the index.
func (t *update) known() (edition string, err error) {
	err = t.tx.QueryRowContext(t.ctx, `SELECT value FROM edition`).Scan(&edition)
	return edition, err
}

// create makes the tables, unless those of this edition are there.
func (t *update) create() error {
	if known, err := t.known(); err == nil && known == t.edition || isDamage(err) {
		return err
	}
	for _, table := range tables {
		if _, err := t.write("DROP TABLE IF EXISTS " + table); err != nil {
			return err
		}
	}
	_, err := t.write(schema+`INSERT INTO edition VALUES (?)`, t.edition)
	return err
}

// write returns the id of the row that a statement inserts.
func (t *update) write(statement string, args ...any) (id int64, err error) {
	row, err := t.tx.ExecContext(t.ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return row.LastInsertId()
}

// remove removes files with their documents.
func (t *update) remove(gone ...place) error {
	for _, at := range gone {
		if _, err := t.write(`DELETE FROM files WHERE folder = ? AND path = ?`, at.folder, at.path); err != nil {
			return err
		}
	}
	return nil
}

// file writes a file as it was read, in place of what the index has of it.
func (t *update) file(r result) error {
	f := r.row
	if r.unchanged {
		_, err := t.write(`UPDATE files SET size = ?, mtime = ? WHERE folder = ? AND path = ?`, f.size, f.mtime, f.folder, f.path)
		return err
	}
	if err := t.remove(f.place); err != nil {
		return err
	}
	file, err := t.write(`INSERT INTO files (folder, path, stem, size, mtime, hash, problem) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		f.folder, f.path, withoutExtension(f.path), f.size, f.mtime, f.hash, f.problem)
	for _, e := range r.documents {
		if err == nil {
			err = t.document(f.folder, file, e)
		}
	}
	return err
}

func (t *update) document(folder int, file int64, e entry) error {
	about, err := json.Marshal(e.about)
	if err != nil {
		return err
	}
	id, err := t.write(`INSERT INTO documents (file, part, language, passages, words, title_words, about, digest, text)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`, file, e.part, e.language, e.passages, e.words, e.titleWords, about, e.digest, e.text)
	if err == nil {
		_, err = t.write(`INSERT INTO document_words (rowid, title, author, head, body) VALUES (?, ?, ?, ?, ?)`,
			id, e.title, e.author, e.head, e.body)
	}
	for _, l := range e.links {
		if err == nil {
			_, err = t.write(`INSERT INTO links (source, folder, target, terms) VALUES (?, ?, ?, ?)`, id, folder, l.to, l.text)
		}
	}
	return err
}

// withoutExtension returns a path without the ending that names its format.
func withoutExtension(rel string) string {
	rel = strings.TrimSuffix(rel, ".gz")
	return strings.TrimSuffix(rel, path.Ext(rel))
}
