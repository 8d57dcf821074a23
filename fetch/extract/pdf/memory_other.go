//go:build !unix

package pdf

func reserve(size int) []byte { return make([]byte, size) }

func unreserve([]byte) {}
