// Package install adds this server to the configuration files of MCP clients, and removes it.
//
// The files belong to the user and the client: comments, order, indentation and all other members do not change by a byte.
// So files are not decoded and encoded. Client.Add and Client.Remove compute an edit of the text without input or output,
// and File.Write writes it atomically, with a backup.
//
// An entry is ours if it starts a program with our name, or this program, with "serve". Only its command and arguments
// are set; additions by the user, such as env, stay. Other entries with our name are not changed without force. A file
// with a syntax error is never written.
//
// The table in clients.go lists the files of each client and their formats, from the clients' documentation in November
// 2026. It omits clients whose files are not documented well enough.
package install
