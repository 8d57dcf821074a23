// Package folder shows a loop as a folder of files on the user's own machine: index.md, the stored text of each source as
// S1.md, S2.md, …, and the reports.
//
// The folder is a view of the store. It is written after the store, never read back, and written again where it is missing
// or differs: an index that differs is replaced, and so is a file of a source whose hash is not that of the stored text, which
// each process looks at once. A text is written byte for byte, so that line 120 of S1.md is what the citation S1:120 names.
//
// Every file is written under another name and then renamed, so that nobody sees a part of one. Several processes may write
// one folder, because all write the same view of the store. One of them may be late and rename an older index over a newer
// one. So the caller reads the store again after each Write that changed something, and repeats it until nothing changes:
// whoever renames last then also looks last.
//
// Questions and titles are untrusted. Names of files are made here of few characters, and all files are opened below an os.Root, which
// refuses links that lead out of it.
package folder
