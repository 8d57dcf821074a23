package sqlite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Sizes of the write-ahead log (https://www.sqlite.org/fileformat2.html#the_write_ahead_log).
const (
	walHeader   = 32
	frameHeader = 24
	maxWAL      = 64 << 20 // bytes that are checked; a checkpoint comes every 4 MB
)

// checkWAL returns an error if the write-ahead log is damaged before its last commit. SQLite reads a log up to the first frame
// with a wrong checksum and silently forgets what follows, which is right for the end that a crash left incomplete. But with
// synchronous=FULL a transaction begins only after the one before is on disk: two commits behind a damaged frame, itself
// included, mean that an acknowledged one would be lost.
//
// The file may be in use. If its header changes meanwhile, another process has checkpointed the log, and all is well.
func (s *Store) checkWAL() error {
	file, err := os.Open(s.path + "-wal")
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	log, err := io.ReadAll(io.LimitReader(file, maxWAL))
	if err != nil || len(log) < walHeader {
		return err
	}
	damaged, commits := lostCommits(log)
	if commits < 2 {
		return nil
	}
	var header [walHeader]byte
	if _, err := file.ReadAt(header[:], 0); err != nil || string(header[:]) != string(log[:walHeader]) {
		return nil
	}
	return database{s}.Damaged(fmt.Errorf("frame %d of its write-ahead log has a wrong checksum, and %d commits follow", damaged, commits))
}

// lostCommits returns the number of the first frame with a wrong checksum, and how many commits of the same log are in it and
// behind it.
func lostCommits(log []byte) (frame, commits int) {
	order := binary.ByteOrder(binary.LittleEndian)
	if log[3]&1 == 1 {
		order = binary.BigEndian
	}
	size := int(binary.BigEndian.Uint32(log[8:]))
	if size < 512 || size > 64<<10 {
		return 0, 0
	}
	a, b := sumWAL(order, 0, 0, log[:24])
	if a != binary.BigEndian.Uint32(log[24:]) || b != binary.BigEndian.Uint32(log[28:]) {
		return 0, 0 // a header that was not written completely has no frames
	}
	for n, rest := 1, log[walHeader:]; len(rest) >= frameHeader+size; n, rest = n+1, rest[frameHeader+size:] {
		same := string(rest[8:16]) == string(log[16:24]) // salts: of this log, not of an earlier one
		a, b = sumWAL(order, a, b, rest[:8])
		a, b = sumWAL(order, a, b, rest[frameHeader:frameHeader+size])
		if valid := a == binary.BigEndian.Uint32(rest[16:]) && b == binary.BigEndian.Uint32(rest[20:]); frame == 0 && !(same && valid) {
			frame = n
		}
		if commit := binary.BigEndian.Uint32(rest[4:]) > 0; frame > 0 && same && commit {
			commits++
		}
	}
	return frame, commits
}

// sumWAL continues a checksum over data, a multiple of 8 bytes.
func sumWAL(order binary.ByteOrder, a, b uint32, data []byte) (uint32, uint32) {
	for ; len(data) >= 8; data = data[8:] {
		a += order.Uint32(data) + b
		b += order.Uint32(data[4:]) + a
	}
	return a, b
}
