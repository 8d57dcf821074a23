// Package local searches the files of folders that the user named.
//
// Each folder has its own index on disk. It is available at once after a restart, and adding a folder does not change
// the others. New and changed files are read in parallel, in the background. A search waits for them for a while (see
// [Config.Patience]), then answers from the indexed files and reports how many are missing.
//
// # Files
//
// Files outside the folders are never read: symbolic links are not followed, and files are opened through [os.Root],
// which also refuses a file that was replaced by a link. Hidden files and folders, node_modules, and what is no text are left
// out and counted by reason (leftout.go). A file that cannot be read is reported with the reason; it is not an error. Each message of a mailbox is a document. Texts
// and offsets are the same as in fetch, which reads files with the same code.
//
// # Changes
//
// A file is hashed when its size or modification time changed, and read when its SHA-256 changed. A search scans the
// folders (at most once a second). A long-running program ([Corpus.Follow]) also scans them when the system reports a
// change, or periodically on systems that do not report changes.
//
// # On disk
//
// An index is a folder of immutable segments (package index) and a manifest (manifest.go). The manifest names the segments
// and the deleted files in them. A change writes new segments and then atomically replaces the manifest, so that readers
// see either the old or the new state, also after a crash. Segments are merged when there are many small ones, or when
// half of one is deleted (merge.go). If a segment is damaged, its files are read again; if the manifest is damaged, the
// index is rebuilt. One process at a time writes (lock.go); any number of processes read.
package local
