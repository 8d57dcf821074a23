package loops

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
	"golang.org/x/crypto/ssh"
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

// ArchiveError is the problem of an invalid archive.
type ArchiveError struct{ Problem string }

func (e *ArchiveError) Error() string { return "invalid archive: " + e.Problem }

func damaged(problem string, args ...any) error {
	return &ArchiveError{fmt.Sprintf(problem, args...)}
}

// Export writes a loop and its texts to w.
// signer signs the archive; nil leaves it unsigned.
func (s *Service) Export(ctx context.Context, loop string, w io.Writer, signer ssh.Signer) error {
	m := manifest{Format: archiveFormat, StateID: loop, Generator: s.Generator}
	hashes := map[string]bool{}
	var bodies []string
	open := ""
	err := s.view(ctx, loop, func(st *loopstate.State) error {
		m.Query, m.Version = st.Query, st.Seq
		if r := st.OpenReview(); r != nil {
			open = r.Batch
		}
		for _, src := range st.Sources {
			hashes[src.SHA256] = true
		}
		bodies = keptBodies(st.Sources)
		return nil
	})
	if err != nil {
		return err
	}
	var log bytes.Buffer
	for e, err := range s.Store.Load(ctx, loop, 0) {
		if err != nil {
			return err
		}
		if e.Seq > m.Version {
			break
		}
		if hash := namedText(e); hash != "" {
			hashes[hash] = true
		}
		if e, err = sealed(e, open); err != nil {
			return err
		}
		line, err := json.Marshal(e)
		if err != nil {
			return fmt.Errorf("loops: export event %d: %w", e.Seq, err)
		}
		log.Write(append(line, '\n'))
	}
	m.Events, m.Texts = loopstate.HashText(log.Bytes()).String(), len(hashes)

	z := zip.NewWriter(w)
	if err := addFile(z, eventsName, log.Bytes()); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(hashes)) { // deterministic
		h, err := loopstate.ParseHash(name)
		if err != nil {
			return err
		}
		text, err := s.Store.Blob(ctx, h)
		if err != nil {
			return fmt.Errorf("loops: export text %s: %w", name, err)
		}
		if err := addFile(z, textsFolder+name+".txt", text); err != nil {
			return err
		}
	}
	if m.Bodies, err = s.exportBodies(ctx, z, bodies); err != nil {
		return err
	}
	about, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	if err := addFile(z, manifestName, about); err != nil {
		return err
	}
	if signer != nil {
		signature, err := sign(signer, about)
		if err != nil {
			return err
		}
		if err := addFile(z, signatureName, signature); err != nil {
			return err
		}
	}
	return z.Close()
}

// sealed hides the roles of a batch that is open: who reads it must not find them in an archive. Where the archive is imported,
// that batch tests nobody and so changes nothing; its claims are read in another.
func sealed(e loopstate.Event, open string) (loopstate.Event, error) {
	if open == "" || e.Kind != loopstate.KindReviewOpened {
		return e, nil
	}
	p, err := payloadOf[loopstate.ReviewOpened](e)
	if err != nil || p.Batch != open {
		return e, err
	}
	return withoutRoles(e)
}

// namedText returns the hash of the synthesis or draft that an event names, or "".
func namedText(e loopstate.Event) string {
	switch e.Kind {
	case loopstate.KindClosed:
		if p, err := payloadOf[loopstate.Closed](e); err == nil {
			return p.Synthesis
		}
	case loopstate.KindVerified:
		if p, err := payloadOf[loopstate.Verified](e); err == nil {
			return p.DraftText
		}
	}
	return ""
}

func addFile(z *zip.Writer, name string, body []byte) error {
	f, err := z.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(body)
	return err
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
// an [ArchiveError].
//
// Hashes do not tell who wrote an archive, so Import computes the verdicts again from the texts. If one differs, it appends
// a new verification to the log.
//
// If allowed is not nil, an archive that none of these keys signed is an ArchiveError too. An invalid signature always is.
func (s *Service) Import(ctx context.Context, r io.ReaderAt, size int64, allowed AllowedSigners) (Imported, error) {
	a, state, err := openArchive(r, size, allowed)
	if err != nil {
		return Imported{}, err
	}
	owner, err := s.owner(ctx)
	if err != nil {
		return Imported{}, err
	}
	if state.Owner != owner {
		return Imported{}, damaged("the loop belongs to another owner")
	}
	for _, err := range s.Store.Load(ctx, a.StateID, 0) {
		if err != nil {
			return Imported{}, err
		}
		return Imported{}, damaged("loop %s already exists", a.StateID)
	}
	got := Imported{StateID: a.StateID, Query: state.Query, Events: state.Seq, Texts: len(a.texts)}
	if err := s.importFiles(ctx, a); err != nil {
		return Imported{}, err
	}
	if got.Changed, got.Reviewed, err = s.checkAgain(ctx, a, state); err != nil {
		return Imported{}, err
	}
	got.Signer, got.Known = a.signer.Signer, a.signer.Known
	if err := a.record(s.Now(), state); err != nil {
		return Imported{}, err
	}
	if err := s.Store.Create(ctx, a.head, a.log(0)); err != nil {
		return Imported{}, fmt.Errorf("loops: import: %w", err)
	}
	if err := s.importFiles(context.WithoutCancel(ctx), a); err != nil { // see putAgain
		return got, err
	}
	s.showFolder(ctx, got.StateID)
	return got, nil
}

// importFiles checks and stores the texts and bodies of an archive.
func (s *Service) importFiles(ctx context.Context, a *archive) error {
	for name := range a.texts {
		if err := s.importBlob(ctx, a.zip, textsFolder+name+".txt", "text", name); err != nil {
			return err
		}
	}
	return s.importBodies(ctx, a.zip, a.bodies, a.Bodies)
}

// importBlob checks the hash of a file of an archive and stores it. kind names it in errors.
func (s *Service) importBlob(ctx context.Context, z *zip.Reader, file, kind, hash string) error {
	body, err := readFile(z, file, maxArchiveText)
	if err != nil {
		return err
	}
	if loopstate.HashText(body).String() != hash {
		return damaged("%s %s was changed", kind, hash)
	}
	_, err = s.Store.PutBlob(ctx, body)
	return err
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
func (s *Service) checkAgain(ctx context.Context, a *archive, state *loopstate.State) (changed, reviewed int, err error) {
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
	cfg.Store, cfg.Folders = archivedLoop{s.Store, a}, nil // the loop is not in the store yet
	archived := New(cfg)
	in.Loop, in.Judge = a.StateID, JudgeNone
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
