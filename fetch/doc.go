// Package fetch reads pages and files as citable text and protects the machine while it does so.
//
// A [Reader] turns an address into a [Page]: a status, a reason when there is no text, and a document when there is.
// [Reader.Examine] does the second half for bytes that the caller already has. [NewClient] returns the guarded HTTP client
// for all other requests to the web.
//
// Package extract turns bytes into a document, and package address normalises addresses. Package fetch gets the bytes and
// decides whether the result is a source (classify.go).
//
// # Protections
//
// Addresses come from models and from pages, so every address is untrusted.
//
//   - net.Dialer.Control decides where a connection may go: after the name is resolved and before the connection is made,
//     for every address that is tried, on every redirect and for robots.txt. DNS rebinding fails because the checked
//     address is the dialled one. Only public unicast addresses are dialled, also when they are embedded in another form:
//     IPv4-mapped, IPv4-compatible, NAT64, 6to4, Teredo. forbidden.txt has the table.
//   - The spelling that is checked is the one that is dialled. Numbers that inet_aton reads as IPv4 addresses, zones,
//     encoded names and everything else that two parsers may read differently are refused. User info is dropped; it is
//     never sent and never logged.
//   - CITELOOP_ALLOW_PRIVATE lists host:port pairs, as URLs name them, that may be private. A pair allows only that host
//     and port: a redirect from it to another private address is refused.
//   - Sizes are limited on the wire and again after decompression. One deadline covers a page's robots.txt, redirects and
//     body; a server that stops in the middle of a body ends sooner. Redirects, response headers, concurrent requests to a
//     host and the number of cached robots.txt files are limited. misbehaviour_test.go lists the cases.
//   - Behind a SOCKS5 proxy (socks5://) names are resolved and checked here, and the proxy receives the address.
//   - A panic of a parser becomes a page with the status error. The number of concurrent extractions is limited, because
//     each may need hundreds of megabytes. Package extract describes the limits of each format.
//   - file: addresses open only regular files inside the corpus folders, through os.Root, after links are resolved.
//     Outside, the answer is the same whether a file exists or not.
//
// # Known limits
//
//   - An HTTP proxy (HTTP_PROXY, HTTPS_PROXY) resolves names and connects itself. Addresses are checked as written, and
//     names as far as they resolve here. If a name does not resolve here, the address that the proxy reaches is not checked.
//     With socks5h://, names are never resolved here, as the scheme requires.
//   - A user with access to a corpus folder can replace a file with a named pipe between the check and the opening. That
//     user can read the whole folder anyway.
//
// # Politeness
//
// robots.txt is followed for every address and every redirect, by RFC 9309: the group of our product token, else the group
// of *, and the longest matching rule. A missing file (4xx) allows everything; a failing server (5xx, 429) allows nothing.
// Answers are cached for a day. Concurrent reads of one page share one request.
//
// A host receives at most two concurrent requests and ten a second, fewer if its crawl-delay says so. Transient failures are
// retried up to three times within the page's deadline, after the pause that the host asks for. After five consecutive
// failures a host is not asked for a while.
//
// # Captures
//
// A page that was read has a record of its response: the status, the body's hash and length, the redirects, and the
// headers that describe the body. Other headers are not stored, because they may contain a cookie or a token. The body
// is included if it is no longer than [Config].KeepBody.
//
// # Copies
//
// When [Config].Copies names services, a page that cannot be read is looked up elsewhere: first an open copy of the paper,
// then the nearest copy in the Wayback Machine. Page.Via names the service. Addresses of private hosts are never sent to a
// service, and the archive is not used to bypass robots.txt or a paywall.
//
// # Browser
//
// [Config].Renderer renders pages that need their scripts: pages that say so, and pages that have scripts and show next to
// nothing. It never renders pages that refuse access, ask for money or a log-in, or are forbidden by robots.txt. The result
// is extracted and classified like any page. A browser must use a [Gate] for the network.
package fetch
