// Package fetch reads pages and files as text that can be cited, and keeps the program safe while it does.
//
// A [Reader] turns an address into a [Page]: a status, a reason when there is no text, and a document when there
// is. [Reader.Examine] does the second half alone, for bytes that are already here. [NewClient] is the guarded HTTP
// client for everything else that talks to the web.
//
// How bytes become a document is package extract's concern, and how addresses are spelled package address's. What
// is here is the way to the bytes, and the judgement whether what came of them is a source (judge.go).
//
// # What is defended
//
// Addresses come from models and from pages, so every one is taken to be chosen by somebody who wants this
// machine to fetch something for them.
//
//   - Where a connection goes is decided in net.Dialer.Control: after the name was resolved, before the
//     connection is made, for every address that is tried, on every redirect, and for robots.txt as well. A
//     name that resolves differently the second time gains nothing, because there is no second time. Only
//     public unicast addresses are dialled; the others are refused in every form that embeds them as well:
//     IPv4-mapped, IPv4-compatible, NAT64, 6to4, Teredo. See guard.go for the table.
//   - One spelling of an address is checked and dialled. Numbers that inet_aton would read as IPv4 addresses,
//     zones, encoded names and everything that two parsers might read differently are refused. User info is
//     dropped, never sent and never logged.
//   - CITELOOP_ALLOW_PRIVATE lists host:port pairs, as URLs name them, that may be private. A pair opens that
//     host and port alone: a redirect from it to another private address is refused.
//   - Sizes are bounded on the wire and again after decompression; one page has one deadline, which covers
//     robots.txt, redirects and the body, so that a server that drips bytes ends by it, and one that stops in the
//     middle ends sooner. Redirects, response headers, requests at once for each host, and the number of hosts
//     whose robots.txt is kept are bounded. misbehaviour_test.go lists what servers do, and what is said of it.
//   - Behind a SOCKS5 proxy (socks5://) names are resolved and checked here, and the proxy is told the address.
//   - A panic of a parser is a page with the status error. Few extractions run at once, since each may need
//     hundreds of megabytes; package extract says how each is bounded.
//   - file: addresses open regular files inside of the corpus folders, by os.Root, after links are resolved.
//     Outside, every answer is the same whether a file exists or not.
//
// # What is not
//
//   - Behind an HTTP proxy (HTTP_PROXY, HTTPS_PROXY) the proxy resolves names and connects. Addresses are then
//     checked as they are written, and names as far as they resolve here; what the proxy reaches in its own network
//     by a name that does not resolve here is its business. Behind socks5h:// names are not looked up here at all:
//     whoever writes that wants it so.
//   - A person with access to a corpus folder can swap a file for a named pipe between the check and the opening;
//     they could read everything in it anyway.
//
// # Politeness
//
// robots.txt is honoured for every address and every hop, by RFC 9309: the group of our product token, else
// that of *, the longest matching rule; no file (4xx) allows everything, a failing server (5xx, 429) allows
// nothing. Answers are kept for a day. A page that is asked for twice at one moment is requested once.
//
// A host gets two requests at once and ten in a second, fewer when its crawl-delay says so. What is likely to
// pass is tried again, up to three times within the page's deadline, after the pause that the host asks for; a
// host that fails five times in a row is left alone. With an HTTP cache, what is fresh is not asked for again.
//
// # Captures
//
// A page that was read says what it was read from: the status, the body's hash and length, the redirects, and those
// response headers that describe the body. The others are left out, whatever they are called: a cookie or a token of
// one reading is nobody else's. The body itself comes along when it is no longer than [Config].KeepBody.
//
// # Copies
//
// When [Config].Copies names services, a page that cannot be read is looked for elsewhere: a paper's open copy,
// then the Wayback Machine's nearest. Page.Via says so. Addresses of private hosts are told to nobody, and the
// archive is not used to go around robots.txt or a paywall.
//
// # A browser
//
// When [Config].Renderer is set, a page that turns out to need its scripts is given to it: one that says so, or that
// shows next to nothing and has scripts; never a page that refuses, asks for money or a log-in, or that robots.txt
// forbids. What it returns is extracted and judged like any page, with Via saying so. [Gate] is the way to the
// network that a browser must use.
package fetch
