package loops

import (
	"context"
	"errors"
)

// Delete removes one of the caller's loops, its reports and folders, and the texts that no other loop has read. It cannot be undone. It
// reads the logs of all loops; if ctx cancels it, nothing is deleted. Other processes notice with their next call.
func (s *Service) Delete(ctx context.Context, loop string) error {
	if err := s.states.Delete(ctx, loop); err != nil {
		return err
	}
	return errors.Join(s.removeReports(loop), s.removeFolders(loop))
}
