package loops

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/citeloop/citeloop/internal/archive"
	"github.com/citeloop/citeloop/loopstate"
)

// Export writes a loop and its texts to w; see package archive.
func (s *Service) Export(ctx context.Context, loop string, w io.Writer) error {
	from := archive.Source{Loop: loop, Generator: s.Generator, Events: s.Store.Load(ctx, loop, 0), Blob: s.Store.Blob}
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		from.Query, from.Version = st.Query, st.Seq
		for _, src := range st.Sources {
			from.Needed = append(from.Needed, src.SHA256)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return archive.Write(ctx, w, from)
}

// Imported is the result of Import.
type Imported struct {
	StateID   string
	Query     string
	Events    int64
	Texts     int
	Unchecked int // claims whose verdict was given elsewhere
}

// UncheckedImport counts the claims whose verdict rests on a review elsewhere, which was not repeated.
func UncheckedImport(st *loopstate.State) (n int) {
	for _, c := range st.CurrentClaims() {
		if st.Import != nil && c.Check != nil && slices.Contains(c.Check.Flags, loopstate.FlagImported) {
			n++
		}
	}
	return n
}

// Import reads an archive, checks every hash, folds the log, and only then writes the loop, in one transaction. The loop keeps
// its id and its owner, who must be the caller's. An invalid archive, a foreign owner and an existing loop are an
// [archive.Error].
//
// Hashes do not tell who wrote an archive, so an event records the import: the verdicts on claims are shown as given elsewhere.
func (s *Service) Import(ctx context.Context, r io.Reader) (Imported, error) {
	a, err := archive.Read(r)
	if err != nil {
		return Imported{}, err
	}
	owner, err := s.owner(ctx)
	if err != nil {
		return Imported{}, err
	}
	if a.State.Owner != owner {
		return Imported{}, &archive.Error{Problem: "the loop belongs to another owner; name that owner with --owner"}
	}
	got := Imported{StateID: a.ID, Query: a.State.Query, Events: a.State.Seq, Texts: len(a.Texts)}
	e, err := loopstate.NewEvent(a.ID, a.State.Seq+1, s.Now(), s.NewID(), loopstate.Imported{})
	if err != nil {
		return Imported{}, err
	}
	state, err := loopstate.Apply(a.State, e)
	if err != nil {
		return Imported{}, err
	}
	got.Unchecked = UncheckedImport(state)
	err = s.Store.Append(ctx, state.Head(), 0, append(a.Events, e), a.Texts...)
	if errors.Is(err, loopstate.ErrConflict) {
		return Imported{}, &archive.Error{Problem: fmt.Sprintf(
			"loop %[1]s already exists; delete it first with 'citeloop loops delete %[1]s'", a.ID)}
	}
	if err != nil {
		return Imported{}, fmt.Errorf("loops: import: %w", err)
	}
	s.Folder(ctx, got.StateID)
	return got, nil
}
