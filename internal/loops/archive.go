package loops

import (
	"context"
	"fmt"
	"io"
	"iter"
	"slices"

	"golang.org/x/crypto/ssh"

	"github.com/citeloop/citeloop/internal/archive"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// Export writes a loop and its texts to w. signer signs the archive; nil leaves it unsigned.
func (s *Service) Export(ctx context.Context, loop string, w io.Writer, signer ssh.Signer) error {
	from, err := s.archived(ctx, loop)
	if err != nil {
		return err
	}
	return archive.Write(ctx, w, from, signer)
}

// archived returns what an archive or a bundle has of a loop.
func (s *Service) archived(ctx context.Context, loop string) (archive.Source, error) {
	from := archive.Source{Loop: loop, Generator: s.Generator, Blob: s.Store.Blob}
	open := ""
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		from.Query, from.Version, from.Sources = st.Query, st.Seq, slices.Clone(st.Sources)
		if r := st.OpenReview(); r != nil {
			open = r.Batch
		}
		return nil
	})
	from.Events = sealed(s.Store.Load(ctx, loop, 0), open)
	return from, err
}

// sealed hides the roles of a batch that is open: who reads it must not find them in an archive. Where the archive is imported,
// that batch tests nobody and so changes nothing; its claims are read in another.
func sealed(events iter.Seq2[loopstate.Event, error], open string) iter.Seq2[loopstate.Event, error] {
	return func(yield func(loopstate.Event, error) bool) {
		for e, err := range events {
			if err == nil && open != "" && e.Kind == loopstate.KindReviewOpened {
				var p *loopstate.ReviewOpened
				if p, err = payloadOf[loopstate.ReviewOpened](e); err == nil && p.Batch == open {
					e, err = loopstate.WithoutRoles(e)
				}
			}
			if !yield(e, err) {
				return
			}
		}
	}
}

// Imported is the result of Import.
type Imported struct {
	StateID  string
	Query    string
	Events   int64
	Texts    int
	Changed  int // claims whose recorded verdict differed from that of their texts, and was replaced
	Reviewed int // claims whose verdict rests on a review in the archive, which cannot be repeated
	loopstate.Imported
}

// Import reads an archive, checks every hash and replays the log, and only then writes the loop, in one transaction. The
// loop keeps its id and its owner, who must be the caller's. An invalid archive, a foreign owner and an existing loop are
// an [archive.Error].
//
// Hashes do not tell who wrote an archive, so Import computes the verdicts again from the texts. If one differs, it appends
// a new verification to the log.
//
// If allowed is not nil, an archive that none of these keys signed is an archive.Error too. An invalid signature always is.
func (s *Service) Import(ctx context.Context, r io.ReaderAt, size int64, allowed archive.AllowedSigners) (Imported, error) {
	a, state, err := archive.Open(r, size, allowed)
	if err != nil {
		return Imported{}, err
	}
	owner, err := s.owner(ctx)
	if err != nil {
		return Imported{}, err
	}
	if state.Owner != owner {
		return Imported{}, &archive.Error{Problem: "the loop belongs to another owner"}
	}
	for _, err := range s.Store.Load(ctx, a.Loop(), 0) {
		if err != nil {
			return Imported{}, err
		}
		return Imported{}, &archive.Error{Problem: fmt.Sprintf("loop %s already exists", a.Loop())}
	}
	got := Imported{StateID: a.Loop(), Query: state.Query, Events: state.Seq, Texts: a.Texts(), Imported: a.Signer()}
	put := func(ctx context.Context) error {
		return a.Blobs(func(body []byte) error {
			_, err := s.Store.PutBlob(ctx, body)
			return err
		})
	}
	if err := put(ctx); err != nil {
		return Imported{}, err
	}
	if got.Changed, got.Reviewed, err = s.checkAgain(ctx, a, state); err != nil {
		return Imported{}, err
	}
	if err := a.Record(s.Now(), state); err != nil {
		return Imported{}, err
	}
	if err := s.Store.Create(ctx, a.Head(), a.Log(0)); err != nil {
		return Imported{}, fmt.Errorf("loops: import: %w", err)
	}
	if err := put(context.WithoutCancel(ctx)); err != nil { // a Delete of another loop may have removed them
		return got, err
	}
	s.showFolder(ctx, got.StateID)
	return got, nil
}

// unread returns the status of a claim without its reading.
func unread(c verify.Claim) string {
	if c.Reading != nil {
		return loopstate.Inferred
	}
	return c.Status
}

// checkAgain checks the claims of an archive without a reader. If a verdict differs from the recorded one, or a reading is not of
// the claim and texts that it is recorded with, it adds a verification of all claims to the archive's log: what the wording
// rules of an earlier version grounded waits for a reader.
func (s *Service) checkAgain(ctx context.Context, a *archive.Archive, state *loopstate.State) (changed, reviewed int, err error) {
	var in VerifyInput
	var recorded []loopstate.ClaimCheck
	for _, c := range state.CurrentClaims() {
		if c.Check == nil {
			continue
		}
		check := *c.Check
		if check.Reviewed != "" {
			reviewed++
			check.Status = check.ByWording
		}
		in.Claims, recorded = append(in.Claims, verify.New(c.Claim, c.References()...)), append(recorded, check)
	}
	cfg := s.Config
	cfg.Store, cfg.Folders = a.Over(s.Store), nil // the loop is not in the store yet
	archived := New(cfg)
	in.Loop, in.Judge = a.Loop(), JudgeNone
	all := in.Claims
	for start := 0; start < len(all); start += maxClaims {
		end := min(start+maxClaims, len(all))
		in.Claims = slices.Clone(all[start:end])
		v, err := archived.examine(ctx, in)
		if err != nil {
			return 0, 0, err
		}
		different := 0
		for i, c := range v.Claims {
			if before := recorded[start+i]; unread(c) != before.Status || before.Reviewed != "" && c.Key != before.Key {
				different++
			}
		}
		if changed += different; different > 0 {
			in.Claims = slices.Clone(all[start:end])
			if _, err := archived.Verify(ctx, in); err != nil {
				return 0, 0, err
			}
		}
	}
	return changed, reviewed, nil
}
