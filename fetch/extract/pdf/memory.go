package pdf

import "github.com/tetratelabs/wazero/experimental"

// allocator gives each instance its memory outside of Go's heap where the system can provide that: it then has its final
// place from the beginning, so that growing copies nothing, and takes no more than was used until the instance ends. In
// Go's heap, three growing instances take 730 MB.
type allocator struct{}

// Allocate implements [experimental.MemoryAllocator].
func (allocator) Allocate(_, most uint64) experimental.LinearMemory {
	return &memory{reserve(int(min(most, maxPDFMemory<<16)))}
}

// memory is the memory of one instance. Nothing reads it after Free: a call that ends its module returns an error.
type memory struct{ all []byte }

// Reallocate implements [experimental.LinearMemory].
func (m *memory) Reallocate(size uint64) []byte {
	if size > uint64(len(m.all)) {
		return nil
	}
	return m.all[:size:len(m.all)]
}

// Free implements [experimental.LinearMemory]. To free nothing has no effect.
func (m *memory) Free() {
	unreserve(m.all)
	m.all = nil
}
