// Package browser renders pages that show their text only after their scripts run, with headless Chromium driven through
// chromedp. [Browser] is a [fetch.Renderer]. A reader uses it only after plain reading has found that a page needs
// JavaScript.
//
// # Protections
//
// A page in a browser is an untrusted program that runs on this machine.
//
//   - All traffic goes through a proxy of citeloop on loopback, which uses [fetch.Gate]: every address is checked when it is
//     dialled, after the name is resolved there. Chromium resolves no names and has no direct connection, not to loopback and not by
//     QUIC or WebRTC. The proxy does not intercept TLS; Chromium checks certificates.
//   - Requests and time of a page are limited. Images, media, fonts, styles and frames are not loaded. Only GET
//     loads a document, and only if the site's robots.txt allows it.
//   - Every page has a Chromium of its own, with a temporary profile, which ends with the page. It receives only the environment
//     variables that it needs. Downloads, permissions, new windows and service workers are refused, and dialogs are dismissed.
//   - Chromium's sandbox stays on. For root Chromium does not start unless the user has disabled it explicitly.
//   - The document is serialised by a script in an isolated world, which the page's scripts cannot modify, up to a limit of
//     bytes.
//
// # Known limits
//
//   - Chromium limits the memory of scripts (512 MB a page), but not that of the document that they build, nor the bytes that a
//     page loads within its time.
//   - Other programs of this machine can use the proxy while a page is rendered. It reaches what the address rules allow.
//   - The page's requests to other hosts do not wait for the pauses that the reader keeps between its own requests.
//   - A page whose script never ends cannot be read.
package browser
