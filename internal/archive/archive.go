package archive

import (
	"archive/zip"
	"errors"
	"fmt"
	"io"
)

// An archive is one loop in one zip file: manifest.json, events.jsonl (the log, one event a line), texts/SHA256.txt for
// every text that the log names, and bodies/SHA256 for the stored responses of these texts. The hashes show damage and
// changes.
const (
	archiveFormat   = 1
	manifestName    = "manifest.json"
	eventsName      = "events.jsonl"
	textsFolder     = "texts/"
	bodiesFolder    = "bodies/"
	maxArchiveEvent = 64 << 20  // bytes of one event; the largest call is 10 MiB
	maxArchiveText  = 64 << 20  // bytes of one text
	maxArchiveLog   = 1 << 30   // bytes of a whole log
	maxArchiveTexts = 1_000_000 // texts of one loop
	maxArchiveSize  = 1 << 30   // bytes, or characters, that one event says it stored

	// maxArchiveValues bounds the JSON values of one event, which take up to 100 bytes each when decoded.
	maxArchiveValues = 1_000_000
)

// manifest describes the contents of an archive.
type manifest struct {
	Format    int    `json:"format"`
	StateID   string `json:"state_id"`
	Query     string `json:"query"`
	Version   int64  `json:"version"` // number of the last event
	Events    string `json:"events_sha256"`
	Texts     int    `json:"texts"`
	Bodies    int    `json:"bodies,omitempty"` // 0 in archives of versions that did not store bodies
	Generator string `json:"generator"`
}

// Error is the problem of an invalid archive.
type Error struct{ Problem string }

func (e *Error) Error() string { return "invalid archive: " + e.Problem }

func damaged(problem string, args ...any) error {
	return &Error{fmt.Sprintf(problem, args...)}
}

func readFile(z *zip.Reader, name string, limit int64) ([]byte, error) {
	f, err := z.Open(name)
	if err != nil {
		return nil, damaged("%s is missing", name)
	}
	defer f.Close()
	body, err := io.ReadAll(io.LimitReader(f, limit+1))
	switch {
	case errors.Is(err, zip.ErrChecksum), errors.Is(err, io.ErrUnexpectedEOF):
		return nil, damaged("%s is damaged", name)
	case err != nil:
		return nil, damaged("%s is not readable: %v", name, err)
	case int64(len(body)) > limit:
		return nil, damaged("%s is larger than %d bytes", name, limit)
	}
	return body, nil
}
