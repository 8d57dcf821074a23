// Package local searches the files of folders that the user named.
//
// Each folder has an index of its own, kept on disk, so that it is there at once when the program starts again, and
// so that adding a folder leaves the others alone. What is new or changed is read in parallel, in the background;
// a search waits a little for that, and then answers from what there is and says how much is missing.
//
// # What is read
//
// Nothing outside the folders: symbolic links are not followed, and files are opened through [os.Root], so that a
// link put in a file's place leads nowhere either. Hidden files and folders and node_modules are left out. A file
// that cannot be read is reported with the reason, and is no error. A mailbox is as many documents as it has
// messages. Texts and their offsets are those of fetch, which reads the same files by the same code.
//
// # When is it read again
//
// A file is looked into when its size or its time of change is not as it was, and read when its content is not
// (by SHA-256). Folders are looked at again by a search (at most once a second), and, in a program that stays
// ([Corpus.Follow]), when the system says that something changed in them, or now and then where it cannot say.
//
// # On disk
//
// An index is a folder of immutable segments (package index) and a manifest that names them (manifest.go) with the
// files in them that are gone. A change writes new segments, then a new manifest in place of the old one by
// renaming it, so that a reader, or the next start after a crash, sees the one or the other. Segments are
// merged when there are many small ones, or when half of one is gone (merge.go). A damaged segment is left out,
// its files are read anew; a damaged manifest makes the whole index anew. One process at a time writes (lock.go);
// any number read.
package local
