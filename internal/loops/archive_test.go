package loops_test

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/internal/verify"
	"github.com/citeloop/citeloop/loopstate"
)

// exported returns the archive of a loop.
func exported(t testing.TB, h *harness, loop string) []byte {
	t.Helper()
	var out bytes.Buffer
	noError(t, h.Export(t.Context(), loop, &out, nil))
	return out.Bytes()
}

func studiedLoop(t *testing.T) (*harness, string) {
	t.Helper()
	h, loop := withSources(t)
	h.check(loops.VerifyInput{Loop: loop, Claims: []verify.Claim{verify.New("The lighthouse was built in 1874.", "S1")}})
	h.reflect(loop, loopstate.CloseInput{Synthesis: "So far.", Gaps: []loopstate.GapInput{{Gap: "What of the harbour?"}}})
	return h, loop
}

func importInto(h *harness, archive []byte) (loops.Imported, error) {
	return h.Import(h.t.Context(), bytes.NewReader(archive), int64(len(archive)), nil)
}

// An archive of a loop with an open batch does not tell its reader what is planted, and can be imported.
func TestExportOfAnOpenBatch(t *testing.T) {
	t.Parallel()
	h, loop, _ := withReview(t)
	h.review(loops.ReviewInput{Loop: loop})
	archive := exported(t, h, loop)
	z := must(zip.NewReader(bytes.NewReader(archive), int64(len(archive))))(t)
	log := must(z.Open("events.jsonl"))(t)
	body, err := io.ReadAll(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, tell := range []string{`"planted"`, `"control"`, `"role":"pending"`, `"base":"`} {
		if bytes.Contains(body, []byte(tell)) {
			t.Errorf("the log of an open batch has %s", tell)
		}
	}
	to := newHarness(t)
	if _, err := importInto(to, archive); err != nil {
		t.Fatal(err)
	}
	r := to.review(loops.ReviewInput{Loop: loop})
	var answers []loopstate.ReviewAnswer
	for _, it := range r.Items {
		answers = append(answers, loopstate.ReviewAnswer{Item: it.Item, Answer: loopstate.AnswerNotStated})
	}
	if r, err = to.Review(t.Context(), loops.ReviewInput{Loop: loop, Answers: answers}); err != nil || r.Status != loopstate.BatchVoid {
		t.Errorf("an imported open batch is %s, %v", r.Status, err)
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
	if got.StateID != loop || got.Texts != 3 {
		t.Errorf("imported %+v", got)
	}
	for _, view := range loops.Views() {
		var both [2]string
		for i, h := range []*harness{from, to} {
			v := h.view(loops.ViewInput{Loop: loop, View: view})
			if h == to { // which records the import, too
				v.Version--
				if n := len(v.Events); n > 0 && v.Events[n-1].Kind == loopstate.KindImported {
					v.Events = v.Events[:n-1]
				}
			}
			b := must(json.Marshal(v))(t)
			both[i] = string(b)
		}
		if diff := cmp.Diff(both[0], both[1]); diff != "" {
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

// rewrite returns an archive with changed files.
func rewrite(t testing.TB, archive []byte, change func(name string, body []byte) []byte) []byte {
	t.Helper()
	z := must(zip.NewReader(bytes.NewReader(archive), int64(len(archive))))(t)
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range z.File {
		r := must(f.Open())(t)
		body := must(io.ReadAll(r))(t)
		if body = change(f.Name, body); body == nil {
			continue
		}
		g := must(w.Create(f.Name))(t)
		must(g.Write(body))(t)
	}
	noError(t, w.Close())
	return out.Bytes()
}

func TestImportRefuses(t *testing.T) {
	t.Parallel()
	from, loop := studiedLoop(t)
	archive := exported(t, from, loop)
	in := func(name, old, new string) func(string, []byte) []byte {
		return func(n string, b []byte) []byte {
			if strings.HasPrefix(n, name) {
				return bytes.Replace(b, []byte(old), []byte(new), 1)
			}
			return b
		}
	}
	without := func(name string) func(string, []byte) []byte {
		return func(n string, b []byte) []byte {
			if strings.HasPrefix(n, name) {
				return nil
			}
			return b
		}
	}
	refusesImports(t, []refusedImport{
		{"no zip", []byte("hello"), "not a zip file"},
		{"cut short", archive[:len(archive)/2], "not a zip file"},
		{"no manifest", rewrite(t, archive, without("manifest")), "manifest.json is missing"},
		{"a broken manifest", rewrite(t, archive, in("manifest", "{", "[")), "manifest is not readable"},
		{"a newer format", rewrite(t, archive, in("manifest", `"format": 1`, `"format": 2`)), "newer citeloop wrote it (format 2)"},
		{"no log", rewrite(t, archive, without("events")), "events.jsonl is missing"},
		{"a changed log", rewrite(t, archive, in("events", "1874", "1894")), "its log was changed"},
		{"a changed text", rewrite(t, archive, in("texts/", "the", "The")), "was changed"},
		{"no texts", rewrite(t, archive, without("texts/")), "is missing"},
	})
	other := newHarness(t)
	if _, err := other.Import(loops.WithOwner(t.Context(), "somebody else"), bytes.NewReader(archive), int64(len(archive)), nil); err == nil || !strings.Contains(err.Error(), "another owner") {
		t.Errorf("another owner's import: %v", err)
	}
}

// forged returns an archive with a changed log and a matching hash.
func forged(t testing.TB, archive []byte, change func(log []byte) []byte) []byte {
	t.Helper()
	var before, after string
	changed := rewrite(t, archive, func(name string, body []byte) []byte {
		if name == "events.jsonl" {
			before = loopstate.HashText(body).String()
			body = change(body)
			after = loopstate.HashText(body).String()
		}
		return body
	})
	return rewrite(t, changed, func(name string, body []byte) []byte {
		if name == "manifest.json" {
			return bytes.ReplaceAll(body, []byte(before), []byte(after))
		}
		return body
	})
}

// A forged archive has matching hashes, so Import also computes the verdicts again: a reading is of the words that were read.
func TestForgedClaimsAreCheckedAgain(t *testing.T) {
	t.Parallel()
	from, loop := studiedLoop(t)
	if r := answerAll(t, from, loop, honest(t, from, loop)); r.Status != loopstate.BatchCounted {
		t.Fatalf("batch %s", r.Status)
	}
	archive := exported(t, from, loop)
	if got, err := importInto(newHarness(t), archive); err != nil || got.Changed != 0 || got.Reviewed != 1 {
		t.Fatalf("without a forgery: %+v, %v", got, err)
	}
	archive = forged(t, archive, func(log []byte) []byte {
		lines := bytes.Split(log, []byte("\n"))
		for i, event := range lines {
			if !bytes.Contains(event, []byte(loopstate.KindReviewOpened)) { // who forges what was read, too, has a reading that is marked as imported
				lines[i] = bytes.ReplaceAll(event, []byte("The lighthouse was built in 1874."), []byte("The lighthouse was built in 1984."))
			}
		}
		return bytes.Join(lines, []byte("\n"))
	})
	to := newHarness(t)
	got := must(importInto(to, archive))(t)
	if got.Changed != 1 {
		t.Errorf("%d verdicts changed, want 1", got.Changed)
	}
	claims, err := to.RecordedClaims(t.Context(), loop, nil)
	if err != nil || len(claims) != 1 || claims[0].Claim != "The lighthouse was built in 1984." {
		t.Fatalf("claims %+v, %v", claims, err)
	}
	if status := claims[0].Check.Status; status == loopstate.Grounded {
		t.Errorf("the forged claim is %s", status)
	}
}

// An import that fails or is killed changes nothing, and can be repeated.
func TestImportIsAtomic(t *testing.T) {
	t.Parallel()
	from, loop := studiedLoop(t)
	archive := exported(t, from, loop)
	to := newHarness(t)
	cfg := to.service().Config
	cfg.Store = &halfCreated{Store: cfg.Store}
	if _, err := loops.New(cfg).Import(t.Context(), bytes.NewReader(archive), int64(len(archive)), nil); !errors.Is(err, errKilled) {
		t.Fatalf("a killed import: %v", err)
	}
	if list, err := to.List(t.Context(), ""); err != nil || len(list.Loops) != 0 {
		t.Errorf("a killed import left %+v, %v", list.Loops, err)
	}
	for range to.service().Store.Load(t.Context(), loop, 0) {
		t.Fatal("a killed import left events")
	}
	if _, err := importInto(to, archive); err != nil {
		t.Errorf("the repeated import: %v", err)
	}
}

var errKilled = errors.New("killed")

// halfCreated is a store whose Create fails after two events.
type halfCreated struct{ loopstate.Store }

func (s *halfCreated) Create(ctx context.Context, head loopstate.Head, log iter.Seq2[loopstate.Event, error]) error {
	return s.Store.Create(ctx, head, func(yield func(loopstate.Event, error) bool) {
		n := 0
		for e, err := range log {
			if n++; n > 2 {
				yield(loopstate.Event{}, errKilled)
				return
			}
			if !yield(e, err) {
				return
			}
		}
	})
}

func TestImportRefusesForgedLogs(t *testing.T) {
	from, loop := studiedLoop(t)
	archive := exported(t, from, loop)
	renamed := func(id string) []byte {
		quoted := must(json.Marshal(id))(t)
		name := quoted[1 : len(quoted)-1]
		log := forged(t, archive, func(log []byte) []byte { return bytes.ReplaceAll(log, []byte(loop), name) })
		return rewrite(t, log, func(file string, body []byte) []byte {
			if file == "manifest.json" {
				return bytes.ReplaceAll(body, []byte(loop), name)
			}
			return body
		})
	}
	sized := func(field, n string) []byte {
		return forged(t, archive, func(log []byte) []byte {
			size := `"` + field + `":` + n
			if field == "draft_bytes" { // the loop has no draft
				return bytes.Replace(log, []byte(`"checks":`), []byte(size+`,"checks":`), 1)
			}
			return regexp.MustCompile(`"`+field+`":[0-9]+`).ReplaceAll(log, []byte(size))
		})
	}
	refusesImports(t, []refusedImport{
		{"an id that is a path", renamed("../../../etc/x"), "not a UUID"},
		{"an id that is markup", renamed("<script>"), "not a UUID"},
		{"an id in capitals", renamed(strings.ToUpper(loop)), "not a UUID"},
		{"an id in braces", renamed("{" + loop + "}"), "not a UUID"},
		{"blank lines", forged(t, archive, func([]byte) []byte { return bytes.Repeat([]byte("\n"), 32<<20) }), "event 1 is not readable"},
		{"a line without end", forged(t, archive, func(log []byte) []byte { return append(log, bytes.Repeat([]byte("["), 65<<20)...) }), "is not readable"},
		{"a huge draft", sized("draft_bytes", "9223372036854775807"), "draft_bytes of event"},
		{"a draft of a negative size", sized("draft_bytes", "-1"), "draft_bytes of event"},
		{"huge texts", sized("text_bytes", "9223372036854775807"), "text_bytes of event"},
		{"a huge synthesis", sized("synthesis_bytes", "9223372036854775807"), "synthesis_bytes of event"},
		{"too many values", forged(t, archive, func([]byte) []byte {
			return []byte(`{"loop":"` + loop + `","data":[` + strings.Repeat(`"",`, 1_500_000) + `0]}`)
		}), "event 1 is not readable"},
	})
}

// refusedImport is an archive and the reason why it is refused.
type refusedImport struct {
	name    string
	archive []byte
	want    string
}

// refusesImports imports archives, none of which may leave anything or take much memory.
func refusesImports(t *testing.T, tests []refusedImport) {
	t.Helper()
	for _, tt := range tests {
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
			if list, err := to.List(t.Context(), ""); err != nil || len(list.Loops) != 0 {
				t.Errorf("a refused import left %+v, %v", list.Loops, err)
			}
		})
	}
}

func FuzzImport(f *testing.F) {
	f.Add([]byte("PK\x03\x04"))
	var small bytes.Buffer
	w := zip.NewWriter(&small)
	for name, body := range map[string]string{"manifest.json": `{"format":1,"state_id":"x","version":1,"events_sha256":"x"}`, "events.jsonl": "{}\n"} {
		g := must(w.Create(name))(f)
		must(g.Write([]byte(body)))(f)
	}
	noError(f, w.Close())
	f.Add(small.Bytes())
	f.Fuzz(func(t *testing.T, archive []byte) {
		if len(archive) > 1<<16 {
			return
		}
		h := newHarness(t)
		if _, err := importInto(h, archive); err == nil {
			t.Error("a made-up archive was imported")
		}
	})
}
