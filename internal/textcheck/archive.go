package textcheck

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/citeloop/citeloop/loopstate"
)

// maxArchiveText bounds one text of an archive, as in package loops.
const maxArchiveText = 64 << 20

// Archive has the texts of an exported loop: a zip file with texts/SHA256.txt for each text.
type Archive struct{ zip *zip.Reader }

// DamagedError reports a text that does not match its hash.
type DamagedError struct{ Problem string }

func (e *DamagedError) Error() string { return e.Problem }

// OpenArchive opens an archive that loops export wrote.
func OpenArchive(r io.ReaderAt, size int64) (*Archive, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("not an archive of a loop: %w", err)
	}
	if _, err := z.Open("manifest.json"); err != nil {
		return nil, errors.New("not an archive of a loop: manifest.json is missing")
	}
	return &Archive{z}, nil
}

// Blob returns a text; the error for a changed one is a *DamagedError.
func (a *Archive) Blob(_ context.Context, h loopstate.Hash) ([]byte, error) {
	f, err := a.zip.Open("texts/" + h.String() + ".txt")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, loopstate.ErrNotFound
	}
	if err != nil {
		return nil, &DamagedError{fmt.Sprintf("the text cannot be read from the archive: %v", err)}
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxArchiveText+1))
	if err != nil {
		return nil, &DamagedError{fmt.Sprintf("the text cannot be read from the archive: %v", err)}
	}
	if len(text) > maxArchiveText || loopstate.HashText(text) != h {
		return nil, &DamagedError{"the text in the archive was changed: it does not match its hash"}
	}
	return text, nil
}
