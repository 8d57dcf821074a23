// Package warc writes WARC 1.1 files (ISO 28500:2017), the format of web archives. It uses neither random ids nor a clock:
// the same records give the same bytes.
package warc
