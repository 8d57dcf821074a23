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
	"maps"
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

// tokens splits at white space alone: what goes in are terms.
const tokens = `tokenize = "unicode61 remove_diacritics 0 categories 'L* M* N* P* S* Co Cn'"`

// schema has the files of the folder and their documents. The words of documents, and those of the links to them, are in FTS5
// tables without content: the text itself is compressed in documents, with the terms of its passages (terms.go). The body of a
// document has each term once for each passage that has it, so that word_counts counts passages. The links of a document name
// their targets by path, because a target may be read later; linked and link_words are made of them (link).
const schema = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE files (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, size INTEGER NOT NULL, mtime INTEGER NOT NULL, hash BLOB NOT NULL,
	problem TEXT NOT NULL, passing INTEGER NOT NULL);
CREATE TABLE documents (id INTEGER PRIMARY KEY, file INTEGER NOT NULL, part TEXT NOT NULL, type TEXT NOT NULL, language TEXT NOT NULL,
	bytes INTEGER NOT NULL, passages INTEGER NOT NULL, words INTEGER NOT NULL, title_words INTEGER NOT NULL, about TEXT NOT NULL,
	terms BLOB NOT NULL, links BLOB, text BLOB NOT NULL);
CREATE INDEX documents_file ON documents(file);
CREATE INDEX documents_language ON documents(language);
CREATE TABLE linked (document INTEGER PRIMARY KEY, words INTEGER NOT NULL, terms BLOB NOT NULL);
CREATE VIRTUAL TABLE document_words USING fts5(title, name, author, head, body, content='', contentless_delete=1, ` + tokens + `);
CREATE VIRTUAL TABLE link_words USING fts5(body, content='', contentless_delete=1, ` + tokens + `);
CREATE VIRTUAL TABLE word_counts USING fts5vocab(document_words, col);
`

// index is the index of one folder: an SQLite file.
type index struct {
	name   string // of the file; "" = in memory
	reader *sql.DB
	writer *sql.DB
	codec  *codec
}

// indexFile is the file of a folder's index.
func indexFile(dir, folder string) string {
	sum := sha256.Sum256([]byte(folder))
	return filepath.Join(dir, hex.EncodeToString(sum[:8])+".db")
}

// openIndex opens the index of a folder and creates it where there is none, or one of another edition.
func openIndex(ctx context.Context, dir, folder, edition string) (*index, error) {
	c, err := newCodec()
	if err != nil {
		return nil, err
	}
	ix := &index{codec: c}
	if dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, err
		}
		ix.name = indexFile(dir, folder)
		if err := removeSegments(dir, folder); err != nil {
			return nil, err
		}
	}
	err = ix.open(ctx, edition)
	if isDamage(err) {
		if err = ix.remove(); err == nil {
			err = ix.open(ctx, edition)
		}
	}
	return ix, err
}

// removeSegments removes the index that a build before FTS5 made of a folder.
func removeSegments(dir, folder string) error {
	sum := sha256.Sum256([]byte(folder))
	old := filepath.Join(dir, hex.EncodeToString(sum[:8]))
	if _, err := os.Stat(filepath.Join(old, "manifest")); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return os.RemoveAll(old)
}

func (ix *index) open(ctx context.Context, edition string) (err error) {
	if ix.writer, err = sql.Open("sqlite", ix.dsn()); err != nil {
		return err
	}
	ix.writer.SetMaxOpenConns(1)
	ix.reader = ix.writer
	if ix.name != "" {
		if ix.reader, err = sql.Open("sqlite", ix.dsn()); err != nil {
			return errors.Join(err, ix.writer.Close())
		}
		ix.reader.SetMaxOpenConns(4)
	}
	if err := ix.prepare(ctx, edition); err != nil {
		return errors.Join(err, ix.close())
	}
	if ix.name == "" {
		return nil
	}
	now := time.Now()
	return errors.Join(os.Chmod(ix.name, 0o600), os.Chtimes(ix.name, now, now)) // see Sweep
}

func (ix *index) dsn() string {
	if ix.name == "" {
		return ":memory:"
	}
	settings := url.Values{"_txlock": {"immediate"}, "_pragma": {"busy_timeout(10000)", "journal_mode(WAL)", "synchronous(NORMAL)"}}
	return "file:" + (&url.URL{Path: filepath.ToSlash(ix.name)}).EscapedPath() + "?" + settings.Encode()
}

// prepare creates the tables, or replaces those of another edition.
func (ix *index) prepare(ctx context.Context, edition string) error {
	tx, err := ix.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }()
	var known string
	err = tx.QueryRowContext(ctx, `SELECT value FROM meta WHERE name = 'edition'`).Scan(&known)
	if err == nil && known == edition {
		return nil
	}
	if isDamage(err) {
		return err
	}
	for _, table := range []string{"word_counts", "document_words", "link_words", "meta", "files", "documents", "linked"} {
		if _, err := tx.ExecContext(ctx, "DROP TABLE IF EXISTS "+table); err != nil {
			return err
		}
	}
	if _, err := tx.ExecContext(ctx, schema); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO meta VALUES ('edition', ?)`, edition); err != nil {
		return err
	}
	return tx.Commit()
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

// bytes returns the size on disk.
func (ix *index) bytes() (n int64) {
	for _, end := range []string{"", "-wal"} {
		if info, err := os.Stat(ix.name + end); err == nil && ix.name != "" {
			n += info.Size()
		}
	}
	return n
}

// errDamaged is the error of stored bytes that cannot be.
var errDamaged = errors.New("the index is damaged")

// isDamage reports an error after which only a new index helps.
func isDamage(err error) bool {
	var e *sqlite.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xff {
		case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB, codes.SQLITE_FORMAT:
			return true
		}
	}
	return errors.Is(err, errDamaged)
}

// fileRow is a file of the folder.
type fileRow struct {
	path string // within the folder, with slashes
	stamp
	hash    [16]byte // the first half of its SHA-256
	problem string   // why it could not be read; "" = it was read
	passing bool     // the problem may go away without a change of the file
}

const fileColumns = `path, size, mtime, hash, problem, passing`

func scanFile(scan func(...any) error) (f fileRow, err error) {
	var hash []byte
	err = scan(&f.path, &f.size, &f.mtime, &hash, &f.problem, &f.passing)
	copy(f.hash[:], hash)
	return f, err
}

// files returns all files by path.
func (ix *index) files(ctx context.Context) (map[string]fileRow, error) {
	out := map[string]fileRow{}
	err := ix.each(ctx, func(scan func(...any) error) error {
		f, err := scanFile(scan)
		out[f.path] = f
		return err
	}, `SELECT `+fileColumns+` FROM files`)
	return out, err
}

func (ix *index) file(ctx context.Context, rel string) (f fileRow, ok bool, err error) {
	f, err = scanFile(ix.reader.QueryRowContext(ctx, `SELECT `+fileColumns+` FROM files WHERE path = ?`, rel).Scan)
	if errors.Is(err, sql.ErrNoRows) {
		return f, false, nil
	}
	return f, err == nil, err
}

// each calls row with every row of a query.
func (ix *index) each(ctx context.Context, row func(scan func(...any) error) error, query string, args ...any) error {
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

// counts are the sizes of an index.
type counts struct {
	files, documents, passages int
	textBytes                  int64
	problems                   []Problem
	left                       leftOut
}

func (ix *index) count(ctx context.Context, root string) (n counts, err error) {
	n.left = leftOut{}
	err = ix.reader.QueryRowContext(ctx, `SELECT count(*), ifnull(sum(passages), 0), ifnull(sum(bytes), 0), (SELECT count(*) FROM files) FROM documents`).
		Scan(&n.documents, &n.passages, &n.textBytes, &n.files)
	if err != nil {
		return n, err
	}
	err = ix.each(ctx, func(scan func(...any) error) error {
		var rel, why string
		if err := scan(&rel, &why); err != nil {
			return err
		}
		if quiet(why) {
			n.left.add(why, path.Base(rel))
		} else {
			n.problems = append(n.problems, Problem{filepath.Join(root, filepath.FromSlash(rel)), why})
		}
		return nil
	}, `SELECT path, problem FROM files WHERE problem <> ''`)
	return n, err
}

// update is one transaction that writes.
type update struct {
	ctx   context.Context
	tx    *sql.Tx
	codec *codec
}

// update runs do in a transaction, and commits it if do succeeds.
func (ix *index) update(ctx context.Context, do func(*update) error) error {
	tx, err := ix.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := do(&update{ctx, tx, ix.codec}); err != nil {
		_ = tx.Rollback()
		return err
	}
	return tx.Commit()
}

func (t *update) exec(query string, args ...any) error {
	_, err := t.tx.ExecContext(t.ctx, query, args...)
	return err
}

// firstColumn returns the first column of a query.
func firstColumn[T any](t *update, query string, args ...any) (out []T, err error) {
	rows, err := t.tx.QueryContext(t.ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var v T
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

// remove removes files with their documents.
func (t *update) remove(paths []string) error {
	if err := t.exec(unlinked); err != nil {
		return err
	}
	for _, rel := range paths {
		documents, err := firstColumn[int64](t, `SELECT d.id FROM documents d JOIN files f ON f.id = d.file WHERE f.path = ?`, rel)
		if err != nil {
			return err
		}
		for _, id := range documents {
			for _, query := range []string{`DELETE FROM document_words WHERE rowid = ?`, `DELETE FROM link_words WHERE rowid = ?`,
				`DELETE FROM linked WHERE document = ?`, `DELETE FROM documents WHERE id = ?`} {
				if err := t.exec(query, id); err != nil {
					return err
				}
			}
		}
		if err := t.exec(`DELETE FROM files WHERE path = ?`, rel); err != nil {
			return err
		}
	}
	return nil
}

// file writes a file as it was read, in place of what the index has of it.
func (t *update) file(r result) error {
	f := r.row
	if r.unchanged {
		return t.exec(`UPDATE files SET size = ?, mtime = ? WHERE path = ?`, f.size, f.mtime, f.path)
	}
	if err := t.remove([]string{f.path}); err != nil {
		return err
	}
	row, err := t.tx.ExecContext(t.ctx, `INSERT INTO files (`+fileColumns+`) VALUES (?, ?, ?, ?, ?, ?)`, f.path, f.size, f.mtime, f.hash[:], f.problem, f.passing)
	if err != nil {
		return err
	}
	file, err := row.LastInsertId()
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

func (t *update) document(file int64, e entry) error {
	about, err := json.Marshal(e.about)
	if err != nil {
		return err
	}
	row, err := t.tx.ExecContext(t.ctx, `INSERT INTO documents (file, part, type, language, bytes, passages, words, title_words, about, terms, links, text)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		file, e.part, e.about.Type, e.language, e.bytes, e.passages, e.words, e.titleWords, about, e.terms, e.links, e.text)
	if err != nil {
		return err
	}
	id, err := row.LastInsertId()
	if err != nil {
		return err
	}
	return t.exec(`INSERT INTO document_words (rowid, title, name, author, head, body) VALUES (?, ?, ?, ?, ?, ?)`, id, e.title, e.name, e.author, e.head, e.body)
}

// maxLinkTerms bounds the terms of the links to one file (chosen).
const maxLinkTerms = 20_000

// unlinked records that files have changed since the words of links were counted.
const unlinked = `INSERT OR IGNORE INTO meta VALUES ('unlinked', '')`

// link counts the words of the links to each document, if files have changed since.
func (t *update) link() error {
	changed, err := firstColumn[string](t, `SELECT value FROM meta WHERE name = 'unlinked'`)
	if err != nil || len(changed) == 0 {
		return err
	}
	byTarget, err := t.single()
	if err != nil {
		return err
	}
	pages, err := firstColumn[[]byte](t, `SELECT links FROM documents WHERE links IS NOT NULL ORDER BY id`)
	if err != nil {
		return err
	}
	terms := map[int64][]string{} // by the document that they lead to
	for _, packed := range pages {
		raw, err := t.codec.unpack(packed)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(raw)) {
			to, text, _ := strings.Cut(line, "\t")
			id, ok := byTarget[to]
			if more := strings.Fields(text); ok && len(terms[id])+len(more) <= maxLinkTerms {
				terms[id] = append(terms[id], more...)
			}
		}
	}
	for _, query := range []string{`INSERT INTO link_words (link_words) VALUES ('delete-all')`, `DELETE FROM linked`, `DELETE FROM meta WHERE name = 'unlinked'`} {
		if err := t.exec(query); err != nil {
			return err
		}
	}
	for _, id := range slices.Sorted(maps.Keys(terms)) {
		text := strings.Join(terms[id], " ")
		if err := t.exec(`INSERT INTO link_words (rowid, body) VALUES (?, ?)`, id, text); err != nil {
			return err
		}
		if err := t.exec(`INSERT INTO linked VALUES (?, ?, ?)`, id, len(terms[id]), t.codec.pack([]byte(text))); err != nil {
			return err
		}
	}
	return nil
}

// single returns the documents that are whole files, by their paths without the endings of their formats. Of several formats the
// first by path counts.
func (t *update) single() (map[string]int64, error) {
	rows, err := t.tx.QueryContext(t.ctx, `SELECT f.path, d.id FROM documents d JOIN files f ON f.id = d.file WHERE d.part = '' ORDER BY f.path DESC`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]int64{}
	for rows.Next() {
		var rel string
		var id int64
		if err := rows.Scan(&rel, &id); err != nil {
			return nil, err
		}
		out[withoutExtension(rel)] = id
	}
	return out, rows.Err()
}

// withoutExtension returns a path without the ending that names its format.
func withoutExtension(rel string) string {
	rel = strings.TrimSuffix(rel, ".gz")
	return strings.TrimSuffix(rel, path.Ext(rel))
}
