// Package hooks reads what the hooks of clients report: which files and pages a client's own tools touched, and what the
// model said last. It also decides what a hook answers. It is pure: the use cases read the files.
//
// The input of a hook is foreign JSON and a command of a shell is foreign text. A command only says which files to look at; a
// file counts if its lines stand in what the model was shown. A file that was read and not recorded costs one call of fetch,
// and a recorded file that was not read would be a false source.
package hooks
