//go:build unix

package pdf

import "golang.org/x/sys/unix"

// reserve returns zeroed memory that the system provides as it is used, or nil.
func reserve(size int) []byte {
	m, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil
	}
	return m
}

func unreserve(m []byte) { _ = unix.Munmap(m) }
