package loops

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/google/uuid"

	"github.com/citeloop/citeloop/internal/report"
)

// SaveReport writes a report into the loop's folder of reports and returns the file's path. The path is empty if the caller
// cannot open files here: for owners other than the local one, and without a folder for reports.
func (s *Service) SaveReport(ctx context.Context, loop, format, text string) (string, error) {
	owner, err := s.owner(ctx)
	if err != nil || s.ReportDir == "" || owner != LocalOwner || uuid.Validate(loop) != nil {
		return "", err
	}
	dir := filepath.Join(s.ReportDir, loop)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("loops: save the report: %w", err)
	}
	path := filepath.Join(dir, "report"+report.Extension(format))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("loops: save the report: %w", err)
	}
	return filepath.Abs(path)
}

// removeReports deletes the loop's reports.
func (s *Service) removeReports(loop string) error {
	if s.ReportDir == "" {
		return nil
	}
	return os.RemoveAll(filepath.Join(s.ReportDir, loop))
}
