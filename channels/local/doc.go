// Package local searches the files of folders that the user named.
//
// Each folder has an index of its own, one SQLite file. It is available at once after a restart, and adding a folder does not
// change the others. A search first compares the folder with the index, reads what is new or has changed, and waits for that
// for a while (see [Config.Patience]); then it answers from the indexed files and reports how many are missing.
//
// # Files
//
// Files outside the folders are never read: symbolic links are not followed, and files are opened through [os.Root], which also
// refuses a file that was replaced by a link. Hidden files and folders, node_modules, and what is no text are left out and
// counted by reason. A file that cannot be read is reported with the reason; it is not an error. Each message of a mailbox is a
// document. Texts and offsets are those of fetch, which reads files with the same code.
//
// A file is hashed when its size or modification time changed, and read when its SHA-256 changed.
//
// # The index
//
// FTS5 finds candidates; the texts go in as stems (index.go). Each document keeps the terms of its passages, by which the
// candidates are ranked (rank.go). Writes are transactions, so that readers see either the old or the new state of a file, also
// after a crash, and a killed indexing goes on where it was. Any number of processes read and write one index. A damaged index,
// or one of another edition, is built again.
package local
