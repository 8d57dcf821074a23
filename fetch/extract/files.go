package extract

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/charset"
	"github.com/citeloop/citeloop/fetch/extract/document"
	"github.com/citeloop/citeloop/fetch/extract/limit"
)

const (
	// MaxTextFileBytes bounds data and source code, which are mostly read by machines. Documents may be larger.
	MaxTextFileBytes = 2 << 20
	// maxLineBytes is the length of the longest line of such a file: minified code and packed data have longer ones (chosen).
	maxLineBytes = 20_000
)

// The errors of [CheckTextFile], besides [limit.ErrTooLarge].
var (
	ErrBinary      = fmt.Errorf("%w: binary data is not read", document.ErrUnsupported)
	ErrMachineMade = fmt.Errorf("%w: generated or minified, with a line of more than %d bytes", document.ErrUnsupported,
		maxLineBytes)
	ErrSecret = fmt.Errorf("%w: it has a private key, and %s", document.ErrUnsupported, Secrets)
)

// Secrets is why a file with keys or passwords is left out.
const Secrets = "may hold secrets"

// FileType returns the media type by which a file of the user's folders is read, or "" and why it is left out, in a few words
// that follow a number. A name that says nothing is text: [CheckTextFile] decides by the content.
func FileType(name string) (kind, left string) {
	name = strings.ToLower(path.Base(strings.ReplaceAll(name, `\`, "/")))
	ending := strings.TrimPrefix(path.Ext(name), ".")
	if isSecret(name, ending) {
		return "", Secrets
	}
	if kind = TypeByName(name); kind != "" {
		return kind, ""
	}
	if ending == "lock" || ending == "sum" || strings.HasSuffix(name, "-lock.json") || strings.HasSuffix(name, "-lock.yaml") {
		return "", "lock files"
	}
	for _, format := range unreadFormats {
		if slices.Contains(strings.Fields(format.endings), ending) {
			return "", format.left
		}
	}
	return document.TypePlain, ""
}

// secretNames are the beginnings of names under which programs keep keys and passwords.
var secretNames = []string{".env", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", ".netrc", ".npmrc", ".pypirc", ".pgpass", ".htpasswd",
	".git-credentials"}

func isSecret(name, ending string) bool {
	switch ending {
	case "env", "pem", "key", "p12", "pfx", "jks", "keystore", "kdbx", "ppk":
		return true
	}
	return slices.ContainsFunc(secretNames, func(start string) bool {
		rest, ok := strings.CutPrefix(name, start)
		return ok && (rest == "" || strings.ContainsRune("._-", rune(rest[0])))
	})
}

// unreadFormats are the endings of files that are not text.
var unreadFormats = []struct{ left, endings string }{
	{"images", "png jpg jpeg gif bmp tif tiff webp ico heic avif psd svg eps xcf raw cr2 nef"},
	{"audio files", "mp3 wav flac ogg oga m4a aac opus wma aiff mid midi"},
	{"videos", "mp4 mkv avi mov webm wmv m4v mpg mpeg flv"},
	{"archives", "zip tar tgz bz2 xz 7z rar zst lz4 jar war whl deb rpm dmg iso apk cab"},
	{"programs", "exe dll so dylib a o obj lib bin class pyc pyo wasm msi mo"},
	{"fonts", "ttf otf woff woff2 eot pfb"},
	{"databases", "db sqlite sqlite3 mdb accdb parquet avro orc feather h5 hdf5 npy npz pkl pickle safetensors gguf onnx"},
	{"mailboxes (save their messages as .eml)", "mbox mbx pst"},
	{"documents of other formats", "doc xls xlsx ppt pptx odt ods odp rtf mobi azw3 djvu vsd pages numbers"},
}

// CheckTextFile reports why a file that is text by its name is not read: its content is binary, or it is data or source code of
// more than [MaxTextFileBytes], generated or minified, or with a private key.
func CheckTextFile(name string, body []byte) error {
	body = charset.Narrow(body)
	switch {
	case bytes.IndexByte(body, 0) >= 0:
		return ErrBinary
	case TypeByName(name) != "":
		return nil
	case len(body) > MaxTextFileBytes:
		return fmt.Errorf("%w: more than %s of data", limit.ErrTooLarge, limit.Size(MaxTextFileBytes))
	case bytes.Contains(body, []byte("PRIVATE KEY-----")):
		return ErrSecret
	case strings.Contains(strings.ToLower(path.Ext(name)), "jsonl"), strings.EqualFold(path.Ext(name), ".ndjson"): // a record a line
		return nil
	}
	for line := range bytes.Lines(body) {
		if len(line) > maxLineBytes {
			return ErrMachineMade
		}
	}
	return nil
}
