package pdf

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"reflect"
	"strings"
	"unicode/utf16"

	"github.com/citeloop/citeloop/fetch/extract/limit"
	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"golang.org/x/sync/singleflight"
)

const (
	// The memory of an instance, in pages of 64 KiB: 96 MiB. The largest of 880 papers and manuals needs 70 MiB. A file that
	// needs more ends its own instance only. Growing copies the memory, and nested calls have a stack of up to 150 MB, so
	// the process takes up to four times as much.
	maxPDFMemory = 96 << 20 >> 16
	// The places of the engine's gate, few because of that memory. The instances of the pool are as many.
	maxQuick, maxSlow = 2, 1
)

// Engine makes PDFium instances. It compiles the library for the first PDF (2 s, or 0.1 s with the compilation cache).
type Engine struct {
	cacheDir string // of compiled code; empty = none
	logger   *slog.Logger
	gate     limit.Gate

	flight singleflight.Group // shares one compilation
	pool   chan pdfium.Pool   // contains the pool once it is made; a channel, so that readers need no lock
}

func New(cacheDir string, logger *slog.Logger) *Engine {
	return &Engine{cacheDir: cacheDir, logger: logger, gate: limit.NewGate(maxQuick, maxSlow), pool: make(chan pdfium.Pool, 1)}
}

// start returns the pool and creates it if needed. A failure is not cached: the next call tries again.
func (e *Engine) start(ctx context.Context) (pdfium.Pool, error) {
	made := e.flight.DoChan("", func() (any, error) {
		select {
		case p := <-e.pool:
			e.pool <- p
			return p, nil
		default:
		}
		p, err := e.newPool()
		if err == nil {
			e.pool <- p
		}
		return p, err
	})
	select {
	case res := <-made:
		if res.Err != nil {
			return nil, fmt.Errorf("the PDF reader could not be started: %w", res.Err)
		}
		return res.Val.(pdfium.Pool), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (e *Engine) newPool() (pdfium.Pool, error) {
	// Without WithCloseOnContextDone nothing could interrupt an endless loop in PDFium.
	rc := wazero.NewRuntimeConfig().WithMemoryLimitPages(maxPDFMemory).WithCloseOnContextDone(true)
	if e.cacheDir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(e.cacheDir)
		if err != nil { // works without the cache, but slower
			e.logger.Warn("the cache of compiled code is not usable", "folder", e.cacheDir, "error", err)
		} else {
			rc = rc.WithCompilationCache(cache)
		}
	}
	return webassembly.Init(webassembly.Config{
		MaxTotal:      maxQuick + maxSlow,
		FSConfig:      wazero.NewFSConfig(), // empty; the default would mount the whole disk
		RuntimeConfig: rc,
		Stdout:        io.Discard,
		Stderr:        io.Discard,
	})
}

// Close ends the runtime, if it was started.
func (e *Engine) Close() error {
	select {
	case p := <-e.pool:
		return p.Close()
	default:
		return nil
	}
}

// pdfLibrary is an instance of PDFium. It serves one document and is then discarded, so that no document affects others.
//
// It calls the module directly, because the library's Go methods take no context: an endless call could not be interrupted
// without a data race. This also saves four allocations a character.
type pdfLibrary struct {
	ctx        context.Context
	module     api.Module
	calls      map[string]api.Function
	scratch    uint32    // 16 bytes for results
	stack      [8]uint64 // of a call
	names      uint32    // maxPDFNameBytes bytes for the names of fonts and for addresses
	ornaments  ornamentReader
	fonts      map[uint64]*pdfFont
	object     uint64 // the last requested text object, and its font
	objectFont *pdfFont
	logger     *slog.Logger
}

// open runs use with an instance and discards it.
func (e *Engine) open(ctx context.Context, use func(*pdfLibrary) error) error {
	pool, err := e.start(ctx)
	if err != nil {
		return err
	}
	return e.gate.Run(ctx, func(ctx context.Context) error { return e.withInstance(ctx, pool, use) })
}

// withInstance runs use with an instance of the pool.
func (e *Engine) withInstance(ctx context.Context, pool pdfium.Pool, use func(*pdfLibrary) error) error {
	instance, err := pool.GetInstanceWithContext(ctx)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("the PDF reader could not be started: %w", err)
	}
	defer func() { _ = instance.Close() }() // fails if the module has ended itself, which is fine
	lib := &pdfLibrary{ctx: ctx, calls: map[string]api.Function{}, fonts: map[uint64]*pdfFont{}, ornaments: newOrnamentReader(), logger: e.logger}
	// The type of the instance is internal to the library, but its Module field is exported.
	if v := reflect.Indirect(reflect.ValueOf(instance.GetImplementation())); v.Kind() == reflect.Struct {
		if f := v.FieldByName("Module"); f.IsValid() && f.CanInterface() {
			lib.module, _ = f.Interface().(api.Module)
		}
	}
	if lib.module == nil {
		return errors.New("the PDF library has an unexpected module type")
	}
	if err := use(lib); err != nil {
		if ctx.Err() != nil {
			return ctx.Err() // the module says "closed", the reason is the deadline
		}
		return err
	}
	return nil
}

// call calls a function of PDFium. After an error the instance is unusable.
func (l *pdfLibrary) call(name string, args ...uint64) (uint64, error) {
	f := l.calls[name]
	if f == nil {
		if f = l.module.ExportedFunction(name); f == nil {
			return 0, fmt.Errorf("PDFium has no function %s", name)
		}
		l.calls[name] = f
	}
	l.stack[0] = 0
	copy(l.stack[:], args)
	if err := f.CallWithStack(l.ctx, l.stack[:]); err != nil {
		reason, _, _ := strings.Cut(err.Error(), "\n") // followed by a trace of the module
		l.logger.Debug("PDFium stopped", "function", name, "error", reason)
		return 0, fmt.Errorf("%w: it is damaged, or needs more memory than %s", errPDFBroken, limit.Size(maxPDFMemory<<16))
	}
	return l.stack[0], nil
}

// number is call for functions that return an int.
func (l *pdfLibrary) number(name string, args ...uint64) (int, error) {
	n, err := l.call(name, args...)
	return int(int32(uint32(n))), err
}

// allocate reserves n bytes for the lifetime of the instance.
func (l *pdfLibrary) allocate(n int) (uint32, error) {
	p, err := l.call("malloc", uint64(n))
	if err == nil && p == 0 {
		err = fmt.Errorf("%w: no memory for %s", errPDFBroken, limit.Size(int64(n)))
	}
	return uint32(p), err
}

func (l *pdfLibrary) release(p uint32) error {
	_, err := l.call("free", uint64(p))
	return err
}

// write copies data and a zero byte into the instance's memory.
func (l *pdfLibrary) write(data []byte) (uint32, error) {
	p, err := l.allocate(len(data) + 1)
	if err != nil {
		return 0, err
	}
	if !l.module.Memory().Write(p, data) || !l.module.Memory().WriteByte(p+uint32(len(data)), 0) {
		return 0, fmt.Errorf("%w: memory", errPDFBroken)
	}
	return p, nil
}

// units reads n UTF-16 code units at p.
func (l *pdfLibrary) units(p uint32, n int) []uint16 {
	raw, ok := l.module.Memory().Read(p, uint32(n)*2)
	if !ok {
		return nil
	}
	out := make([]uint16, n)
	for i := range out {
		out[i] = binary.LittleEndian.Uint16(raw[2*i:])
	}
	return out
}

// floats reads four 32-bit floats from the scratch memory.
func (l *pdfLibrary) floats() (v [4]float64) {
	raw, ok := l.module.Memory().Read(l.scratch, 16)
	if !ok {
		return v
	}
	for i := range v {
		v[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:])))
	}
	return v
}

// metaText returns an entry of the document's information dictionary.
func (l *pdfLibrary) metaText(doc uint64, key string) (string, error) {
	tag, err := l.write([]byte(key))
	if err != nil {
		return "", err
	}
	n, err := l.number("FPDF_GetMetaText", doc, uint64(tag), 0, 0)
	if err != nil || n <= 2 || n > maxPDFMetaBytes {
		return "", err
	}
	buf, err := l.allocate(n)
	if err != nil {
		return "", err
	}
	if n, err = l.number("FPDF_GetMetaText", doc, uint64(tag), uint64(buf), uint64(n)); err != nil || n < 2 {
		return "", err
	}
	return string(utf16.Decode(l.units(buf, n/2-1))), nil
}

// maxPDFMetaBytes bounds an entry of the information dictionary. Chosen: longer values are not titles.
const maxPDFMetaBytes = 16 << 10
