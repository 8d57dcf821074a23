package loops

import (
	"cmp"
	"context"
	"time"

	"github.com/citeloop/citeloop/internal/folder"
	"github.com/citeloop/citeloop/internal/report"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	// folderDelay is how long after a change the folder is written, together with what changed meanwhile.
	folderDelay = 200 * time.Millisecond
	// maxShows bounds how often a folder is written at once. Each time but the first and the last, another call had changed
	// the loop meanwhile, which writes the folder too.
	maxShows = 8
)

// folderChanged lets the loop's folder be written soon, after the answer.
func (s *Service) folderChanged(ctx context.Context, loop string) {
	if !s.hasFolders(ctx) {
		return
	}
	if _, waits := s.changed.LoadOrStore(loop, true); !waits {
		time.AfterFunc(folderDelay, func() { s.writeChanged(loop, nil) })
	}
}

// writeChanged writes the folder of a loop, if that was not done since its last change.
func (s *Service) writeChanged(loop, _ any) bool {
	if _, waits := s.changed.LoadAndDelete(loop); waits {
		s.Folder(WithOwner(context.Background(), LocalOwner), loop.(string))
	}
	return true
}

// Close writes the folders of changed loops now. The store stays open.
func (s *Service) Close() { s.changed.Range(s.writeChanged) }

// Folder writes what is new into a loop's folder and returns its path. It is "" if the loop has none: for owners other than the local one,
// without [Config.Folders], and after an error, which is logged once.
func (s *Service) Folder(ctx context.Context, loop string) string {
	if !s.hasFolders(ctx) {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	path, err := s.writeFolder(ctx, loop)
	if err != nil && !loopstate.Has(err, loopstate.CodeUnknownLoop) {
		s.noFolder.Do(func() {
			s.Logger.WarnContext(ctx, "the folder of a loop could not be written; the store has everything, and the next call tries again",
				"loop", loop, "error", err)
		})
	}
	return path
}

// writeFolder writes until nothing is new.
func (s *Service) writeFolder(ctx context.Context, loop string) (path string, err error) {
	text := func(hash string) (string, error) { return s.storedText(ctx, "a text", hash) }
	for changed, n := true, 0; changed && n < maxShows; n++ {
		shown, err := peek(ctx, s, loop, folder.Of)
		if loopstate.Has(err, loopstate.CodeUnknownLoop) { // deleted meanwhile, perhaps after this call wrote it
			return "", cmp.Or(s.Folders.Remove(loop), err)
		}
		if err == nil {
			changed, err = s.Folders.Write(shown, text)
		}
		if err != nil {
			return "", err
		}
		path = s.Folders.Path(loop, shown.Question)
	}
	return path, nil
}

// hasFolders reports whether the caller's loops have folders.
func (s *Service) hasFolders(ctx context.Context) bool {
	owner, err := s.owner(ctx)
	return err == nil && owner == LocalOwner && s.Folders != nil && s.Folders.Root() != ""
}

// ShowReport writes a report into the loop's folder and returns the file's path, which is "" where that of Folder is.
func (s *Service) ShowReport(ctx context.Context, loop, format, text string) string {
	if !s.hasFolders(ctx) {
		return ""
	}
	question, err := peek(ctx, s, loop, func(st *loopstate.State) string { return st.Query })
	if err != nil {
		return ""
	}
	path, err := s.Folders.Report(loop, question, report.Extension(format), text)
	if err != nil {
		s.Logger.WarnContext(ctx, "a report could not be written into the folder of its loop", "loop", loop, "error", err)
		return ""
	}
	s.folderChanged(ctx, loop) // names it
	return path
}
