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

// schema has the files of the folders, each with its document; one that could not be read has a problem and no words. The words of
// documents, and those of the links between them, are in FTS5 tables without content, which is split at white space alone: what goes in
// are terms. The body of a document has each term once for each passage that has it, so that word_counts counts passages. A link names
// its target by path, which may be read later. An id is never given again: a search finds either the text that it has rated, or none.
const schema = `
CREATE TABLE IF NOT EXISTS documents (id INTEGER PRIMARY KEY AUTOINCREMENT, folder INTEGER NOT NULL, path TEXT NOT NULL,
	stem TEXT NOT NULL, size INTEGER NOT NULL, mtime INTEGER NOT NULL, hash TEXT NOT NULL, problem TEXT NOT NULL,
	language TEXT NOT NULL, passages INTEGER NOT NULL, words INTEGER NOT NULL, title_words INTEGER NOT NULL,
	about TEXT NOT NULL, digest BLOB NOT NULL, text BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS documents_files ON documents(folder, path, size, mtime, hash, problem);
CREATE INDEX IF NOT EXISTS documents_stem ON documents(folder, stem);
CREATE INDEX IF NOT EXISTS documents_sizes ON documents(problem, language, passages, words, title_words);
CREATE TABLE IF NOT EXISTS links (id INTEGER PRIMARY KEY, source INTEGER NOT NULL, folder INTEGER NOT NULL, target TEXT NOT NULL,
	terms TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS links_source ON links(source);
CREATE INDEX IF NOT EXISTS links_target ON links(folder, target);
CREATE VIRTUAL TABLE IF NOT EXISTS document_words USING fts5(named, body, content='', contentless_delete=1,
	tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'");
CREATE VIRTUAL TABLE IF NOT EXISTS link_words USING fts5(terms, content='', contentless_delete=1,
	tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'");
CREATE VIRTUAL TABLE IF NOT EXISTS word_counts USING fts5vocab(document_words, col);
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
	folders []string
	name    string // of the file
}

// busyTimeout is how long a process waits for one that writes; less than half of the time of a call.
const busyTimeout = 10 * time.Second

// openIndex opens the index of the folders. It creates the index if it is missing, or damaged, and removes those of other editions
// that no process has open.
func openIndex(cfg Config) (*index, error) {
	ix := &index{folders: cfg.Folders}
	edition := "-" + hashOf(cfg.Edition) + ".db"
	ix.name = filepath.Join(cfg.Dir, hashOf(strings.Join(cfg.Folders, "\x00"))+edition)
	err := errors.Join(os.MkdirAll(cfg.Dir, 0o700), ix.open())
	// If two processes create a file at the same moment, SQLite may say so at once, without waiting for busy_timeout.
	for end := time.Now().Add(busyTimeout); hasCode(err, codes.SQLITE_BUSY) && time.Now().Before(end); err = ix.open() {
		time.Sleep(busyTimeout / 500)
	}
	if isDamage(err) {
		err = errors.Join(ix.remove(), ix.open())
	}
	all, _ := filepath.Glob(filepath.Join(cfg.Dir, "*.db"))
	for _, name := range all {
		if other := (&index{name: name}); !strings.HasSuffix(name, edition) && other.unused() {
			err = errors.Join(err, other.remove())
		}
	}
	return ix, err
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// connect returns the database of an index with settings.
func (ix *index) connect(settings url.Values) (*sql.DB, error) {
	return sql.Open("sqlite", "file:"+(&url.URL{Path: filepath.ToSlash(ix.name)}).EscapedPath()+"?"+settings.Encode())
}

func (ix *index) open() (err error) {
	ix.DB, err = ix.connect(url.Values{"_txlock": {"immediate"}, "_pragma": {
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()), "journal_mode(WAL)", "synchronous(NORMAL)"}})
	if err != nil {
		return err
	}
	ix.SetMaxOpenConns(4)
	if err = ix.update(context.Background(), func(t *update) { t.write(schema) }); err != nil {
		return errors.Join(err, ix.Close())
	}
	return os.Chmod(ix.name, 0o600)
}

// unused reports whether no process has the index open: only then SQLite lets it leave the write-ahead log.
func (ix *index) unused() bool {
	db, err := ix.connect(nil)
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
	all, err := ix.QueryContext(ctx, query, args...)
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

// packed reads a row of one packed text.
func packed(scan scanner) (string, error) {
	raw, err := column[[]byte](scan)
	if err != nil {
		return "", err
	}
	return unpack(raw)
}

// known is a file as the index knows it.
type known struct {
	file
	hash    string // SHA-256
	problem string // why it could not be read; "" = it was read
}

// files returns the files that meet a condition.
func (ix *index) files(ctx context.Context, where string, args ...any) (map[place]known, error) {
	all, err := rows(ctx, ix, func(scan scanner) (f known, err error) {
		err = scan(&f.folder, &f.path, &f.size, &f.mtime, &f.hash, &f.problem)
		return f, err
	}, `SELECT folder, path, size, mtime, hash, problem FROM documents WHERE `+where, args...)
	out := make(map[place]known, len(all))
	for _, f := range all {
		out[f.place] = f
	}
	return out, err
}

// row is a document of the index, without its text.
type row struct {
	place
	About
	id int64
}

// full returns the absolute path of a file.
func (ix *index) full(at place) string {
	return filepath.Join(ix.folders[at.folder], filepath.FromSlash(at.path))
}

// update is one transaction that writes, up to its first error.
type update struct {
	ctx context.Context
	tx  *sql.Tx
	err error
}

// update runs do in a transaction.
func (ix *index) update(ctx context.Context, do func(*update)) error {
	tx, err := ix.BeginTx(ctx, nil)
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

// remove removes a file with its document.
func (t *update) remove(at place) {
	t.write(`DELETE FROM documents WHERE folder = ? AND path = ?`, at.folder, at.path)
}

// put writes a file as it was read, in place of what the index has of it.
func (t *update) put(f known, e entry) {
	t.remove(f.place)
	about, err := json.Marshal(e.about)
	t.err = errors.Join(t.err, err)
	id := t.write(`INSERT INTO documents (folder, path, stem, size, mtime, hash, problem, language, passages, words, title_words, about,
		digest, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, f.folder, f.path, withoutExtension(f.path), f.size, f.mtime,
		f.hash, f.problem, e.language, e.passages, e.words, len(e.title), about, pack(e.digest), pack(e.text))
	if f.problem == "" {
		t.write(`INSERT INTO document_words (rowid, named, body) VALUES (?, ?, ?)`, id, e.named, e.body)
	}
	for _, l := range e.links {
		t.write(`INSERT INTO links (source, folder, target, terms) VALUES (?, ?, ?, ?)`, id, f.folder, l.to, l.text)
	}
}

// withoutExtension returns a path without the ending that names its format.
func withoutExtension(rel string) string {
	rel = strings.TrimSuffix(rel, ".gz")
	return strings.TrimSuffix(rel, path.Ext(rel))
}
