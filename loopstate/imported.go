package loopstate

import (
	"slices"
	"time"
)

// Imported records that the log before it was read from an archive. The wording of its claims was checked again; reviews
// by models were not repeated.
type Imported struct {
	Signer string `json:"signer,omitempty"` // fingerprint of the key that signed the archive, as SHA256:…; empty if it was not signed
	Known  string `json:"known,omitempty"`  // names of the key in the list of allowed signers; empty if there was no list
}

// Import is the last import of a loop.
type Import struct {
	At time.Time `json:"at"`
	Imported
}

// FlagImported is the flag of a claim whose verdict rests on a review in an imported archive.
const FlagImported = "imported_review: a review elsewhere gave this verdict; it was not checked here"

// imported flags the reviews of the log, and the verdicts that rest on them.
func (s *State) imported(at time.Time, p Imported) {
	s.Import = &Import{at, p}
	for key, reading := range s.Readings {
		reading.Imported = true
		s.Readings[key] = reading
	}
	for key, look := range s.FirstLooks {
		look.Imported = true
		s.FirstLooks[key] = look
	}
	for i := range s.Claims {
		c := &s.Claims[i]
		if c.Check == nil || c.Check.Reviewed == "" || slices.Contains(c.Check.Flags, FlagImported) {
			continue
		}
		check := *c.Check
		check.Flags = append(slices.Clone(check.Flags), FlagImported)
		c.Check = &check
	}
}
