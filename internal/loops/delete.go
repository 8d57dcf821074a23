package loops

import (
	"context"
)

// Delete removes one of the caller's loops, its folders, and the texts that no other loop has read. It cannot be undone. If ctx
// cancels it, nothing is deleted. Other processes notice with their next call.
func (s *Service) Delete(ctx context.Context, loop string) error {
	if err := s.states.Delete(ctx, loop); err != nil {
		return err
	}
	return s.removeFolders(loop)
}
