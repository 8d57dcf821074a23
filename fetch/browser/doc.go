// Package browser reads pages that show their text only when their scripts run: with headless Chromium, driven
// through chromedp. [Browser] is a [fetch.Renderer]; a reader asks it after the plain reading has found that a
// page needs JavaScript, and never for anything else.
//
// A page in a browser is an untrusted program that runs on this machine. It is contained by:
//
//   - The network is reached through a proxy of ours alone. Each page has its own, on a loopback port that
//     exists as long as the page does, with a password that only this browser gets; whoever else connects is
//     turned away. Behind it stands [fetch.Gate]: the addresses of documents, scripts, requests by scripts,
//     frames, workers, sockets, redirects and forms are checked when they are dialled, after the name was
//     resolved. Chromium itself resolves no name and has no direct way: not for loopback, not for QUIC, not
//     for WebRTC. TLS is not opened; certificates are checked by Chromium.
//   - Bytes, connections and requests of one page are counted by that proxy, and documents, requests and time
//     by the page's driver. What a reader does not need is not loaded: images, media, fonts, styles, frames.
//     Only GET loads a document.
//   - Documents are asked for only when the site's robots.txt allows it, redirects and what scripts lead to
//     included. The requests that scripts make for their data are not asked about: the page makes them for
//     its reader.
//   - Every page has a browser context of its own, which is dropped with its cookies and storage. Downloads,
//     permissions, new windows and service workers are refused, dialogs dismissed.
//   - Chromium's sandbox stays on. It cannot work for root; then New fails, unless the user has said in so many
//     words that there shall be none.
//   - The document is taken out of the page by our own walk in an isolated world, which the page's scripts
//     cannot touch, and which stops at a limit of bytes. A script that does not end is stopped.
//
// # The process
//
// One Chromium is started when the first page needs it, talks through a pipe and not through a port, has a
// profile folder of its own that is removed, gets none of our environment but what it needs to run, and is ended
// when it was idle for two minutes, and by Close. When our process is killed, Linux kills it at once, and
// elsewhere it ends because its pipe does; the profile folder in the temporary folder then stays.
//
// # What is not held
//
//   - Chromium bounds the memory of scripts (512 MB for each page), not that of what they build in the document.
//   - What a page sends is told to us by Chromium before it goes out: a body of hundreds of megabytes costs us as
//     much memory for a moment.
//   - Behind the user's own proxy (HTTP_PROXY, HTTPS_PROXY; http, https and SOCKS5 without other
//     authentication than a password) the proxy resolves names, as fetch says of itself.
//   - Other hosts of the site are asked without waiting for the pauses that the reader keeps between its own
//     requests, as browsers do; one page has its limits.
package browser
