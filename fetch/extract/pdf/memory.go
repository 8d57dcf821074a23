package pdf

import "github.com/tetratelabs/wazero/experimental"

// memory is the memory of one instance. It lies outside of Go's heap where the system can provide that: it then has its
// final place from the beginning, so that growing copies nothing, and takes no more than was used until release returns it.
// In Go's heap, the copies of three growing instances took 400 MB.
type memory struct{ all []byte }

// Allocate implements [experimental.MemoryAllocator].
func (m *memory) Allocate(_, most uint64) experimental.LinearMemory {
	m.all = reserve(int(most))
	return m
}

// Reallocate implements [experimental.LinearMemory].
func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(len(m.all)) {
		return nil
	}
	return m.all[:size:len(m.all)]
}

// Free implements [experimental.LinearMemory]. It does nothing: a module whose time is over ends while its caller may still
// read the memory.
func (m *memory) Free() {}

// release returns the memory to the system.
func (m *memory) release() {
	if m.all != nil {
		unreserve(m.all)
		m.all = nil
	}
}
