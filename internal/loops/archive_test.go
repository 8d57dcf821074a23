package loops_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/loopstate"
)

// exported returns the archive of a loop.
func exported(t testing.TB, h *harness, loop string) []byte {
	t.Helper()
	var out bytes.Buffer
	noError(t, h.Export(t.Context(), loop, &out))
	return out.Bytes()
}

func importInto(h *harness, archive []byte) (loops.Imported, error) {
	return h.Import(h.t.Context(), bytes.NewReader(archive))
}

// An open batch goes on where its loop is imported.
func TestExportOfAnOpenBatch(t *testing.T) {
	t.Parallel()
	h, loop, _ := withReview(t)
	batch := h.review(loops.ReviewInput{Loop: loop}).Batch
	to := newHarness(t)
	must(importInto(to, exported(t, h, loop)))(t)
	if r := to.review(loops.ReviewInput{Loop: loop}); r.Batch != batch || r.Status != loopstate.BatchOpen {
		t.Errorf("an imported open batch is %s, %s", r.Batch, r.Status)
	}
}

func TestExportAndImport(t *testing.T) {
	t.Parallel()
	from, loop := studiedLoop(t)
	archive := exported(t, from, loop)
	if again := exported(t, from, loop); !bytes.Equal(archive, again) {
		t.Error("the same loop gives two archives")
	}
	to := newHarness(t)
	got := must(importInto(to, archive))(t)
	if got.StateID != loop || got.Texts != 3 || got.Unchecked != 1 {
		t.Errorf("imported %+v", got)
	}
	for _, view := range loops.Views() {
		var both [2]string
		for i, h := range []*harness{from, to} {
			v := h.view(loops.ViewInput{Loop: loop, View: view})
			if h == to { // which records the import, too
				v.Version--
				if n := len(v.Events); n > 0 && v.Events[n-1].Kind == "loop.imported" {
					v.Events = v.Events[:n-1]
				}
			}
			b := must(json.Marshal(v))(t)
			both[i] = strings.ReplaceAll(string(b), `,"`+loopstate.FlagImported+`"`, "")
		}
		if diff := cmp.Diff(both[0], both[1]); diff != "" && !strings.Contains(both[1], "imported_review") {
			t.Errorf("view %s (-there +here):\n%s", view, diff)
		}
	}
	// The imported loop has its texts and can continue.
	if d, err := to.Report(t.Context(), loops.ReportInput{Loop: loop}); err != nil || d.Import == nil {
		t.Errorf("its report: import %v, %v", d.Import, err)
	}
	if _, err := to.AddGap(t.Context(), loop, "", loopstate.GapInput{Gap: "one more"}); err != nil {
		t.Error(err)
	}
	if _, err := importInto(to, archive); err == nil || !strings.Contains(err.Error(), "already exists") {
		t.Errorf("a second import: %v", err)
	}
}

// forged returns an archive with other lines and matching hashes.
func forged(archive []byte, change func(line string) string) []byte {
	var out bytes.Buffer
	for line := range strings.Lines(string(archive)) {
		if strings.HasPrefix(line, `{"end":`) {
			sum := sha256.Sum256(out.Bytes())
			line = regexp.MustCompile(`"sha256":"[0-9a-f]*"`).ReplaceAllString(line, `"sha256":"`+hex.EncodeToString(sum[:])+`"`)
		} else {
			line = change(line)
		}
		out.WriteString(line)
	}
	return out.Bytes()
}

// Archives that are refused leave nothing and take little memory.
func TestImportRefuses(t *testing.T) {
	from, loop := studiedLoop(t)
	archive := exported(t, from, loop)
	replaced := func(old, new string) []byte { return bytes.Replace(archive, []byte(old), []byte(new), 1) }
	renamed := func(id string) []byte {
		quoted := must(json.Marshal(id))(t)
		return forged(archive, func(line string) string { return strings.ReplaceAll(line, loop, string(quoted[1:len(quoted)-1])) })
	}
	without := func(prefix string) []byte {
		return forged(archive, func(line string) string {
			if strings.HasPrefix(line, prefix) {
				return ""
			}
			return line
		})
	}
	for _, tt := range []struct {
		name    string
		archive []byte
		want    string
	}{
		{"nothing", nil, "does not start like an export"},
		{"cut short", archive[:len(archive)/2], "is not readable"},
		{"without its end", archive[:bytes.LastIndex(archive, []byte(`{"end"`))], "ends before its last line"},
		{"a newer format", replaced(`"citeloop_loop":2`, `"citeloop_loop":3`), "newer citeloop wrote it (format 3)"},
		{"a changed event", replaced("in 1874", "in 1894"), "changed or damaged"},
		{"a changed text", replaced(`"text":"`, `"text":"!`), "changed or damaged"},
		{"no events", without(`{"event"`), "does not end with event"},
		{"the first event missing", forged(archive, func(line string) string {
			if strings.Contains(line, `"seq":1,`) {
				return ""
			}
			return line
		}), "does not follow"},
		{"an id that is a path", renamed("../../../etc/x"), "not a UUID"},
		{"a line without end", append(bytes.Clone(archive), bytes.Repeat([]byte("["), 24<<20)...), "changed or damaged"},
		{"too many values", append(archive[:bytes.IndexByte(archive, '\n')+1:bytes.IndexByte(archive, '\n')+1],
			`{"event":{"loop":"`+loop+`","data":[`+strings.Repeat(`"",`, 8_000_000)+`0]}}`...), "is not readable"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			to := newHarness(t)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := importInto(to, tt.archive)
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one that says %q", err, tt.want)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 256<<20 {
				t.Errorf("%d MB allocated", used>>20)
			}
			if heads, err := to.Heads(t.Context()); err != nil || len(heads) != 0 {
				t.Errorf("a refused import left %+v, %v", heads, err)
			}
		})
	}
	if _, err := newHarness(t).Import(loops.WithOwner(t.Context(), "somebody else"), bytes.NewReader(archive)); err == nil ||
		!strings.Contains(err.Error(), "another owner") {
		t.Errorf("another owner's import: %v", err)
	}
}
