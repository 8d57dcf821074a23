// Package warc writes WARC 1.1 files (ISO 28500:2017), which web archives keep and their tools read. It writes what
// it is given and nothing else: it draws no ids and looks at no clock, so that the same records give the same bytes.
package warc
