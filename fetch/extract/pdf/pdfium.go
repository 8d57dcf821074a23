package pdf

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"reflect"
	"strings"
	"sync"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
	"golang.org/x/text/encoding/unicode"

	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/limit"
)

// The memory of an instance, in pages of 64 KiB: 96 MiB. The largest of 880 papers and manuals needs 70 MiB. A file that
// needs more ends its own instance only. Nested calls have a stack of up to 150 MB besides.
const maxPDFMemory = 96 << 20 >> 16

// Engine makes PDFium instances. It compiles the library for the first PDF (2 s, or 0.1 s with the compilation cache).
type Engine struct {
	cacheDir string // of compiled code; empty = none
	logger   *slog.Logger

	mu   sync.Mutex // guards pool
	pool pdfium.Pool
}

// New returns an engine. The memory of each document that it reads at a time is bounded, their number is not.
func New(cacheDir string, logger *slog.Logger) *Engine {
	return &Engine{cacheDir: cacheDir, logger: logger}
}

// Prepare compiles the library, unless it is compiled.
func (e *Engine) Prepare() error {
	_, err := e.started()
	return err
}

// started returns the pool of instances. A failure is not cached: the next call tries again.
func (e *Engine) started() (pool pdfium.Pool, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.pool == nil {
		if e.pool, err = e.compile(); err != nil {
			return nil, fmt.Errorf("the PDF reader could not be started: %w", err)
		}
	}
	return e.pool, nil
}

// compile returns a pool that makes an instance for each document: without files, and without output.
func (e *Engine) compile() (pdfium.Pool, error) {
	// Without WithCloseOnContextDone nothing could interrupt an endless loop in PDFium.
	rc := wazero.NewRuntimeConfig().WithMemoryLimitPages(maxPDFMemory).WithCloseOnContextDone(true).
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling)
	if e.cacheDir != "" {
		cache, err := wazero.NewCompilationCacheWithDir(e.cacheDir)
		if err != nil { // works without the cache, but slower
			e.logger.Warn("the cache of compiled code is not usable", "folder", e.cacheDir, "error", err)
		} else {
			rc = rc.WithCompilationCache(cache)
		}
	}
	return webassembly.Init(webassembly.Config{
		Context:  experimental.WithMemoryAllocator(context.Background(), allocator{}),
		MaxTotal: -1, RuntimeConfig: rc, FSConfig: wazero.NewFSConfig(), Stdout: io.Discard, Stderr: io.Discard,
	})
}

// Close ends the runtime, if it was started.
func (e *Engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.pool == nil {
		return nil
	}
	err := e.pool.Close()
	e.pool = nil
	return err
}

// pdfLibrary is an instance of PDFium. It serves one document and is then discarded, so that no document affects others.
//
// It calls the module directly, because the library's Go methods take no context, and allocate four times for a character.
type pdfLibrary struct {
	ctx      context.Context
	err      error         // why a call failed
	exported reflect.Value // a function that returns one of PDFium by its name
	memory   api.Memory
	calls    map[string]callable
	scratch  uint32    // 16 bytes for results
	stack    [8]uint64 // of a call
	letters  int       // of the pages that were read
	unseen   int       // invisible characters
	missing  int       // characters that the fonts map to nothing
	logger   *slog.Logger
}

// callable is a function of PDFium.
type callable interface {
	CallWithStack(ctx context.Context, stack []uint64) error
}

// open runs use with an instance and discards it.
func (e *Engine) open(ctx context.Context, use func(*pdfLibrary) error) error {
	pool, err := e.started()
	if err != nil {
		return err
	}
	instance, err := pool.GetInstanceWithContext(ctx)
	if err != nil {
		return cmp.Or(ctx.Err(), fmt.Errorf("the PDF reader could not be started: %w", err))
	}
	defer func() { _ = instance.Close() }() // fails if the module has ended itself, which is fine
	// The types of the implementation are internal to the library, its fields and methods are not.
	module := reflect.ValueOf(instance.GetImplementation()).Elem().FieldByName("Module")
	memory, ok := module.MethodByName("Memory").Call(nil)[0].Interface().(api.Memory)
	if !ok {
		return errors.New("the PDF reader has no memory")
	}
	lib := &pdfLibrary{ctx: ctx, exported: module.MethodByName("ExportedFunction"), memory: memory,
		calls: map[string]callable{}, logger: e.logger}
	if err = use(lib); err == nil {
		err = lib.err
	}
	if err != nil {
		return cmp.Or(ctx.Err(), err) // the module says "closed", the reason is the deadline
	}
	return nil
}

// call calls a function of PDFium. After a failure, which err holds, the instance is unusable, and each call returns 0.
func (l *pdfLibrary) call(name string, args ...uint64) uint64 {
	if l.err != nil {
		return 0
	}
	f := l.calls[name]
	if f == nil {
		if f, _ = l.exported.Call([]reflect.Value{reflect.ValueOf(name)})[0].Interface().(callable); f == nil {
			l.err = fmt.Errorf("PDFium has no function %s", name)
			return 0
		}
		l.calls[name] = f
	}
	l.stack[0] = 0
	copy(l.stack[:], args)
	if err := f.CallWithStack(l.ctx, l.stack[:]); err != nil {
		reason, _, _ := strings.Cut(err.Error(), "\n") // followed by a trace of the module
		l.logger.Debug("PDFium stopped", "function", name, "error", reason)
		l.err = fmt.Errorf("%w: it is damaged, or needs more memory than %s", errPDFBroken, limit.Size(maxPDFMemory<<16))
		return 0
	}
	return l.stack[0]
}

// number is call for functions that return an int.
func (l *pdfLibrary) number(name string, args ...uint64) int {
	return int(int32(uint32(l.call(name, args...))))
}

// allocate reserves n bytes for the lifetime of the instance.
func (l *pdfLibrary) allocate(n int) uint32 {
	p := l.call("malloc", uint64(n))
	if p == 0 && l.err == nil {
		l.err = fmt.Errorf("%w: no memory for %s", errPDFBroken, limit.Size(int64(n)))
	}
	return uint32(p)
}

// write copies data and a zero byte into the instance's memory.
func (l *pdfLibrary) write(data []byte) uint32 {
	p := l.allocate(len(data) + 1)
	if l.err == nil && !(l.memory.Write(p, data) && l.memory.WriteByte(p+uint32(len(data)), 0)) {
		l.err = fmt.Errorf("%w: memory", errPDFBroken)
	}
	return p
}

// read returns n bytes at p, all zero after a failure.
func (l *pdfLibrary) read(p uint32, n int) []byte {
	if raw, ok := l.memory.Read(p, uint32(n)); ok && l.err == nil {
		return raw
	}
	return make([]byte, n)
}

// metaText returns an entry of the document's information dictionary.
func (l *pdfLibrary) metaText(doc uint64, key string) string {
	tag := uint64(l.write([]byte(key)))
	n := l.number("FPDF_GetMetaText", doc, tag, 0, 0)
	if n <= 2 || n > maxPDFMetaBytes {
		return ""
	}
	buf := l.allocate(n)
	l.call("FPDF_GetMetaText", doc, tag, uint64(buf), uint64(n))
	text, _ := unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM).NewDecoder().Bytes(l.read(buf, n-2)) // without the last zero
	return string(text)
}

// maxPDFMetaBytes bounds an entry of the information dictionary. Chosen: longer values are not titles.
const maxPDFMetaBytes = 16 << 10

var errPDFBroken = fmt.Errorf("%w: the PDF could not be parsed", document.ErrUnsupported)
