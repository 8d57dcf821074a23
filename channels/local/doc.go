// Package local searches the files of folders that the user named, by BM25 over their passages.
//
// The index is in memory and follows the files: every search looks at the folders again (at most once a second),
// reads what is new or changed, and forgets what is gone. A search never waits longer than its context allows:
// where the folders are too large to be read in time, it answers from what was read so far and says how much is
// missing, and the next search goes on from there.
//
// Nothing outside the folders is read: symbolic links are not followed, and files are opened through [os.Root].
// Hidden files and folders and node_modules are left out. A file that cannot be read is reported, and is no error.
package local
