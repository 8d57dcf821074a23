// Package browser renders pages that show their text only after their scripts run, with headless Chromium driven through
// chromedp. [Browser] is a [fetch.Renderer]. A reader uses it only after plain reading has found that a page needs
// JavaScript.
//
// # Protections
//
// A page in a browser is an untrusted program that runs on this machine. It is contained as follows.
//
//   - All traffic goes through a proxy of citeloop. Each page has its own proxy, on a loopback port that exists as long as
//     the page, with a password that only this browser knows. Other clients are refused. The proxy uses [fetch.Gate]: the
//     addresses of documents, scripts, requests by scripts, frames, workers, sockets, redirects and forms are checked when
//     they are dialled, after the name is resolved. Chromium itself resolves no names and has no direct connection, not
//     to loopback and not by QUIC or WebRTC. The proxy does not intercept TLS; Chromium checks certificates.
//   - The proxy limits the bytes, connections and requests of a page; the page's driver limits its documents, requests and
//     time. Images, media, fonts, styles and frames are not loaded. Only GET loads a document.
//   - Documents are loaded only if the site's robots.txt allows it, including redirects and navigation by scripts. Requests
//     that scripts make for data are not checked against robots.txt: the page makes them for its reader.
//   - Every page has its own browser context, which is dropped with its cookies and storage. Downloads, permissions, new
//     windows and service workers are refused, and dialogs are dismissed.
//   - Chromium's sandbox stays on. It cannot work for root; New then fails unless the user has disabled it explicitly.
//   - The document is serialised by a script in an isolated world, which the page's scripts cannot modify, up to a limit of
//     bytes. A script that does not end is stopped.
//
// # The process
//
// One Chromium starts when the first page needs it. It communicates through a pipe instead of a port, has a temporary
// profile folder, and receives only the environment variables that it needs. It ends after two idle minutes and on Close.
// If citeloop is killed, Linux kills Chromium at once; elsewhere it ends because its pipe closes. The profile folder then
// remains in the temporary folder.
//
// # Known limits
//
//   - Chromium limits the memory of scripts (512 MB a page), but not that of the document that they build.
//   - Chromium reports a request before it is sent, with its body. A body of hundreds of megabytes needs as much memory in
//     citeloop for a moment.
//   - Behind the user's proxy (HTTP_PROXY, HTTPS_PROXY; http, https and SOCKS5, with no authentication but a password) the
//     proxy resolves names; see package fetch.
//   - The page's requests to other hosts do not wait for the pauses that the reader keeps between its own requests; the
//     limits of the page apply.
package browser
