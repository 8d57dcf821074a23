//go:build unix

package fetch

import "syscall"

func makePipe(name string) error { return syscall.Mkfifo(name, 0o600) }
