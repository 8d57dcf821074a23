// Package fetch reads pages and files as citable text and protects the machine while it does so.
//
// A [Reader] turns an address into a [Page]: a status, a reason when there is no text, and a document when there is.
// [NewClient] returns the guarded HTTP client for all other requests to the web. Package extract turns bytes into a document,
// package address normalises addresses, and package resilience is polite to hosts.
//
// The files, in the order of a reading: reader (which kind of address), visit (one page of the web: robots.txt, redirects, text,
// forwards, browser), robots, body (decompression), classify (is it a source?), copies; corpus, file for the user's own
// documents; guard, client for every connection; failure and page for the results.
//
// # Protections
//
// Addresses come from models and from pages, so every address is untrusted.
//
//   - net.Dialer.Control decides where a connection may go: after the name is resolved and before the connection is made,
//     for every address that is tried, on every redirect and for robots.txt. DNS rebinding fails because the checked
//     address is the dialled one. Only public unicast addresses are dialled, also when they are embedded in another form.
//   - The spelling that is checked is the one that is dialled. Everything that two parsers may read differently is refused.
//     User info is dropped; it is never sent and never logged.
//   - CITELOOP_ALLOW_PRIVATE lists host:port pairs that may be private. A pair allows only that host and port.
//   - Sizes are limited on the wire and again after decompression. One deadline covers a page's robots.txt, redirects and
//     body.
//   - A panic of a parser becomes a page with the status error.
//   - file: addresses open only regular files inside the corpus folders, through os.Root, after links are resolved.
//
// # Known limits
//
//   - An HTTP proxy (HTTP_PROXY, HTTPS_PROXY) resolves names and connects itself: names are checked as far as they resolve here.
//     SOCKS proxies are refused.
package fetch
