// Package storage is what the SQLite and the PostgreSQL store share: the statements, which have the same text in both ([Tables]),
// checks of appends, kinds of errors, and the format of rows.
package storage

import (
	"embed"
	"errors"
	"fmt"
)

// Kinds of a [loopstate.StoreError]. Nothing was written, unless the kind says otherwise; test with errors.Is.
var (
	ErrBusy        = errors.New("the store is busy")   // others held it for too long
	ErrClosed      = errors.New("the store is closed") // by Close
	ErrDamaged     = errors.New("the store is damaged")
	ErrForeign     = errors.New("not a citeloop store")
	ErrFull        = errors.New("disk full")
	ErrReadOnly    = errors.New("the store is not writable") // or its folder
	ErrTooNew      = errors.New("the store belongs to a newer version of citeloop")
	ErrUnavailable = errors.New("the store is unavailable") // a write may have been done
	ErrUnsupported = errors.New("unsupported store")        // the database or the file system lacks something
)

// Migrations returns the texts of migrations/1.sql, 2.sql and so on, which upgrade the schema of a store from one version
// to the next.
func Migrations(files embed.FS) []string {
	var all []string
	for {
		text, err := files.ReadFile(fmt.Sprintf("migrations/%d.sql", len(all)+1))
		if err != nil {
			return all
		}
		all = append(all, string(text))
	}
}
