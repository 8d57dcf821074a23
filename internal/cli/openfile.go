package cli

import (
	"context"
	"fmt"
	"os/exec"
	"runtime"
)

// openFile shows a file in the program that the desktop has for it. It does not wait: that program may be the
// browser itself, and must outlive this one.
func openFile(ctx context.Context, path string) error {
	command := []string{"xdg-open", path}
	switch runtime.GOOS {
	case "darwin":
		command = []string{"open", path}
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler", path}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	cmd := exec.Command(command[0], command[1:]...)
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("the file is written, but nothing here opens it (%w): open %s yourself", err, path)
	}
	return cmd.Process.Release()
}
