// Package apps renders a loop for hosts that show MCP Apps (SEP-1865, the extension io.modelcontextprotocol/ui): a
// compact page of the loop inside the conversation.
//
// There are two self-contained documents. [Page] shows one loop and needs no script. [Shell] is empty: a tool names one
// fixed address when it is listed, before its loop is known. The shell takes the loop from the answer of the tool, asks
// the host to read the page of that loop, and shows it. If the host reads no resources for an app, the shell calls
// loop_get_state; if it calls no tools either, the shell shows the answer itself.
//
// Neither document loads anything: they declare this to the host ([Meta]) and to the browser, whose policy allows only
// our script. Untrusted text is escaped here, and the shell copies only elements and attributes that our pages use. An
// app is read-only: the one tool that it may call is loop_get_state. The host opens links to sources on a click.
package apps
