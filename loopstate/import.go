package loopstate

import "time"

// Import is the last import of a loop.
type Import struct {
	At time.Time `json:"at"`
	Imported
}

// FlagImported is the flag of a claim whose verdict rests on a review in an imported archive.
const FlagImported = "imported_review: a review elsewhere gave this verdict; it was not checked here"
