// Package local searches the files of folders that the user named.
//
// The folders of a [Corpus] have one index, an SQLite file. A search first compares the folders with the index, reads what is new
// or has changed, and waits for that for a while (see [Config.Patience]); then it answers from the indexed files and reports how
// many are missing.
//
// Files outside the folders are never read: symbolic links are not followed, and files are opened through [os.Root]. Hidden files
// and folders, node_modules, and what is no text are left out and counted by reason. A file that cannot be read is reported with
// the reason; it is not an error. Texts and offsets are those of fetch.
//
// A file is hashed when its size or modification time changed, and read when its SHA-256 changed.
//
// FTS5 finds candidates, rank.go orders them. Writes are transactions, so that readers see either the old or the new state of a
// file, also after a crash, and a killed indexing goes on where it was. Any number of processes read and write one index. A
// damaged index is built again, and each edition has an index of its own.
package local
