// Package install writes this server into the configuration files of MCP clients, and takes it out again.
//
// The files belong to the user and to the client: comments, order, indentation and every other member stay byte
// for byte as they were. So no file is decoded and encoded anew; an edit is worked out on the text (Client.Add,
// Client.Remove, which do no input or output) and written by File.Write, with a backup, as a whole or not at all.
//
// An entry is ours when it starts a program of our name, or this very one, with "serve". Of such an entry only the
// command and the arguments are set; what the user added, such as env, stays. Any other entry of our name is left
// alone unless force says otherwise. A file that does not parse is never written to.
//
// Where each client keeps its servers, and how they are written there, is the table in clients.go. It was taken
// from the clients' documentation in November 2026; what it does not name was not sure enough to write to.
package install
