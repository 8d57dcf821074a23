package archive

import (
	"archive/zip"
	"encoding/json"
	"io"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// Open reads the manifest and folds the log, so that a log that cannot be loaded is not imported.
func Open(r io.ReaderAt, size int64, allowed AllowedSigners) (*Archive, *loopstate.State, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, nil, damaged("not a zip file: %v", err)
	}
	a := &Archive{zip: z, texts: map[string]bool{}}
	about, err := readFile(z, manifestName, 1<<20)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case json.Unmarshal(about, &a.manifest) != nil || a.Format == 0:
		return nil, nil, damaged("its manifest is not readable")
	case a.Format > archiveFormat:
		return nil, nil, damaged("a newer citeloop wrote it (format %d); update citeloop", a.Format)
	case !canonicalID(a.StateID):
		return nil, nil, damaged("its loop id is not a UUID in lower case: %q", sanitize.Short(a.StateID, 60))
	}
	if a.signer.Signer, a.signer.Known, err = a.checkSigner(about, allowed); err != nil {
		return nil, nil, err
	}
	var state *loopstate.State
	for e, err := range a.file() {
		if err != nil {
			return nil, nil, err
		}
		if state, err = loopstate.Apply(state, e); err != nil {
			return nil, nil, damaged("event %d does not follow from the previous ones", e.Seq)
		}
		if err := checkSizes(e); err != nil {
			return nil, nil, err
		}
		if hash := namedText(e); hash != "" {
			a.texts[hash] = true
		}
		a.last = e
	}
	if state == nil || state.Seq != a.Version {
		return nil, nil, damaged("its log ends before event %d", a.Version)
	}
	for _, src := range state.Sources {
		a.texts[src.SHA256] = true
	}
	if len(a.texts) > maxArchiveTexts {
		return nil, nil, damaged("it names %d texts; the limit is %d", len(a.texts), maxArchiveTexts)
	}
	a.bodies = keptBodies(state.Sources)
	return a, state, nil
}

// checkSizes refuses an event that claims to have stored more than one call can. The sizes add up to that of the loop, which
// a store keeps as a 64-bit number.
func checkSizes(e loopstate.Event) error {
	var sizes map[string]json.RawMessage
	if json.Unmarshal(e.Data, &sizes) != nil {
		return nil // the fold has refused it already, or does not know its kind
	}
	for _, name := range []string{"text_bytes", "draft_bytes", "synthesis_bytes", "synthesis_chars", "draft_chars"} {
		value, ok := sizes[name]
		if !ok {
			continue
		}
		var n int64
		if json.Unmarshal(value, &n) != nil || n < 0 || n > maxArchiveSize {
			return damaged("%s of event %d is %s; the limit is %d", name, e.Seq, sanitize.Short(string(value), 30), maxArchiveSize)
		}
	}
	return nil
}

// Blobs calls store with each text and each response, once its hash is checked.
func (a *Archive) Blobs(store func(body []byte) error) error {
	for name := range a.texts {
		if err := a.blob(textsFolder+name+".txt", "text", name, store); err != nil {
			return err
		}
	}
	n := 0
	for _, name := range a.bodies {
		if !a.zipHas(bodiesFolder + name) {
			continue
		}
		if err := a.blob(bodiesFolder+name, "body", name, store); err != nil {
			return err
		}
		n++
	}
	if n != a.Bodies {
		return damaged("it has %d bodies, its manifest says %d", n, a.Bodies)
	}
	return nil
}

func (a *Archive) blob(file, kind, hash string, store func(body []byte) error) error {
	body, err := readFile(a.zip, file, maxArchiveText)
	if err != nil {
		return err
	}
	if loopstate.HashText(body).String() != hash {
		return damaged("%s %s was changed", kind, hash)
	}
	return store(body)
}
