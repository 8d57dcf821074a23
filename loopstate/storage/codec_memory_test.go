package storage

import (
	"bytes"
	"runtime"
	"strconv"
	"testing"
)

// A codec lives as long as its store, so what it keeps of a large snapshot counts against the idle process.
func TestPackKeepsLittleMemory(t *testing.T) {
	var text bytes.Buffer
	for i := 0; text.Len() < 4<<20; i++ {
		text.WriteString("claim " + strconv.Itoa(i*7919) + " of a loop\n")
	}
	held := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := held()
	c, err := newCodec()
	if err != nil {
		t.Fatal(err)
	}
	packed, err := c.Pack(text.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if kept := held() - before; kept > 8<<20 {
		t.Errorf("the codec keeps %d MB", kept>>20)
	}
	if back, err := c.Unpack(packed); err != nil || !bytes.Equal(back, text.Bytes()) {
		t.Errorf("not the same text: %v", err)
	}
}
