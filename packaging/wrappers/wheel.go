package main

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/citeloop/citeloop/internal/cli"
)

// writeWheel writes the wheel of one platform: a zip file with the binary among the scripts, which pip and uv put into
// the folder of programs. The format is the Python packaging user guide's "binary distribution format".
func (p platform) writeWheel(out string, binary []byte, papers map[string][]byte) (err error) {
	stem := "citeloop-" + cli.Version
	folder := filepath.Join(out, "wheel")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(folder, stem+"-py3-none-"+p.wheel+".whl"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	z := zip.NewWriter(file)
	var record strings.Builder
	add := func(name string, mode os.FileMode, content []byte) {
		header := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
		header.SetMode(mode)
		w, createErr := z.CreateHeader(header)
		if createErr != nil {
			err = errors.Join(err, createErr)
			return
		}
		_, writeErr := w.Write(content)
		err = errors.Join(err, writeErr)
		sum := sha256.Sum256(content)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(content))
	}
	info := stem + ".dist-info/"
	add(stem+".data/scripts/"+p.program, 0o755, binary)
	var wheel strings.Builder
	wheel.WriteString("Wheel-Version: 1.0\nGenerator: citeloop\nRoot-Is-Purelib: false\n")
	for tag := range strings.SplitSeq(p.wheel, ".") {
		fmt.Fprintf(&wheel, "Tag: py3-none-%s\n", tag)
	}
	add(info+"WHEEL", 0o644, []byte(wheel.String()))
	add(info+"METADATA", 0o644, fmt.Appendf(nil, "Metadata-Version: 2.4\nName: citeloop\nVersion: %s\nSummary: %s\nLicense-Expression: MIT\nLicense-File: LICENSE\nLicense-File: THIRD_PARTY_NOTICES\nProject-URL: Homepage, %s\nRequires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n%s",
		cli.Version, summary, homepage, strings.ReplaceAll(strings.ReplaceAll(string(readme), "npx ", "uvx "), "npm install --global", "uv tool install")))
	for name, text := range papers {
		add(info+"licenses/"+name, 0o644, text)
	}
	add(info+"RECORD", 0o644, []byte(record.String()+info+"RECORD,,\n"))
	return errors.Join(err, z.Close())
}
