// Package apps draws a loop for hosts that show MCP Apps (SEP-1865, the extension io.modelcontextprotocol/ui): the
// page of a loop in small, inside the conversation.
//
// There are two documents, both self-contained. [Page] is one loop, written here with all that it shows, and can be
// read without any script. [Shell] is empty: a tool names one fixed address when it is listed, and which loop it
// is about is known only when it was called, so the shell learns the loop from the answer of the tool, asks the host
// to read that loop's page, and puts it in its place. Where the host reads nothing for an app, the shell calls
// loop_get_state, and where it calls nothing either, it shows what the answer itself says.
//
// Neither document asks for anything from anywhere: they say so to the host ([Meta]) and to the browser, whose policy
// lets no script but ours run. Words of others are escaped here; the shell takes over a page element by element, and
// only those and the attributes that our pages have. An app only looks: it writes nothing. The one tool it may call
// is loop_get_state, and an address of a source is opened by the host, if the user clicks on it and the host agrees.
package apps
