package web

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/loops"
	"github.com/citeloop/citeloop/server/access"
)

// A question that is started on the page is a loop with the words for an assistant, and its own page to add documents.
func TestStartAQuestion(t *testing.T) {
	h := newFixture(t, nil)
	v := h.inside(t)
	status, body := v.send(Root+"start", url.Values{"question": {"Who paid for the lighthouse?"}})
	loop := regexp.MustCompile(`[0-9a-f-]{36}`).FindString(v.last.Request.URL.Path)
	for _, want := range []string{"Who paid for the lighthouse?", "Nobody works on it yet", "Work on the citeloop loop " + loop + " until it is finished.", "citeloop research --resume " + loop, `name="files" type="file"`} {
		if status != http.StatusOK || loop == "" || !strings.Contains(body, want) {
			t.Errorf("%d, the new loop %q lacks %q", status, loop, want)
		}
	}
	h.paste(t, t.Context(), loop, "A history of the cape", lighthouse)
	if _, body := v.get(Root + "loops/" + loop); strings.Contains(body, "--resume") {
		t.Error("a loop with a source is said to be without work")
	}
	if status, body := v.send(Root+"start", url.Values{"question": {"  "}}); status != http.StatusUnprocessableEntity || !strings.Contains(body, "The question is missing.") {
		t.Errorf("an empty question: %d", status)
	}
	if heads, err := h.svc.Heads(t.Context()); err != nil || len(heads) != 1 {
		t.Errorf("%d loops, %v", len(heads), err)
	}
}

// A loop is deleted only by a form that follows a question, and only by its owner.
func TestDeleteALoop(t *testing.T) {
	known := tokens{"anna": {Owner: "anna", Scopes: access.All}, "ben": {Owner: "ben", Scopes: access.All}, "looker": {Owner: "anna", Scopes: access.Read}}
	h := newFixture(t, func(c *Config) { c.Auth = known })
	loop := h.research(t, loops.WithOwner(t.Context(), "anna"))
	at := Root + "loops/" + loop + "/delete"
	login := func(token string) *visitor {
		v := h.visitor(t)
		v.do(http.MethodPost, "/ui/login", url.Values{"token": {token}}, nil)
		return v
	}
	anna := login("anna")
	status, body := anna.get(at)
	for _, want := range []string{"When was the lighthouse on the cape built", "1 source", "2 claims", "It cannot be undone.", `<form method="post" action="` + at + `"`} {
		if status != http.StatusOK || !strings.Contains(body, want) {
			t.Errorf("%d, the question lacks %q", status, want)
		}
	}
	if status, _ := login("ben").send(at, url.Values{}); status != http.StatusNotFound {
		t.Errorf("another owner: %d", status)
	}
	if status, _ := login("looker").send(at, url.Values{}); status != http.StatusForbidden {
		t.Errorf("a read-only token: %d", status)
	}
	if status, _ := anna.do(http.MethodPost, at, url.Values{}, nil); status != http.StatusForbidden {
		t.Errorf("without the token of the form: %d", status)
	}
	if status, _ := anna.get(Root + "loops/" + loop); status != http.StatusOK {
		t.Fatalf("the loop is gone: %d", status)
	}
	if status, body := anna.send(at, url.Values{}); status != http.StatusOK || !strings.Contains(body, "The loop was deleted.") || strings.Contains(body, loop) {
		t.Errorf("its owner: %d", status)
	}
	if status, _ := anna.get(Root + "loops/" + loop); status != http.StatusNotFound {
		t.Errorf("the deleted loop: %d", status)
	}
}

// sendFiles sends files with the form of a loop.
func (v *visitor) sendFiles(path string, files map[string]string) (int, string) {
	v.t.Helper()
	_, body := v.get(Root)
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	_ = w.WriteField("form", formToken.FindStringSubmatch(body)[1])
	for name, text := range files {
		part, err := w.CreateFormFile("files", name)
		if err != nil {
			v.t.Fatal(err)
		}
		_, _ = part.Write([]byte(text))
	}
	w.Close()
	req, err := http.NewRequestWithContext(v.t.Context(), http.MethodPost, v.base+path, &form)
	if err != nil {
		v.t.Fatal(err)
	}
	req.Header.Set("Content-Type", w.FormDataContentType())
	return v.sent(req)
}

// Files become sources by the types and limits of files in the user's folders. What is not read says why, and nothing outside the
// form is opened.
func TestAddFiles(t *testing.T) {
	h := newFixture(t, nil)
	v := h.inside(t)
	for _, row := range []struct {
		name, text string
		status     int
		want       string
	}{
		{"cape.md", "# The cape\n\n" + lighthouse, http.StatusOK, "The files were stored as sources"},
		{"page.html", "<html><head><title>The tower</title></head><body><article><p>" + lighthouse + "</p></article></body></html>", http.StatusOK, "The files were stored as sources"},
		{"../../etc/notes", "Notes. " + lighthouse, http.StatusOK, "The files were stored as sources"},
		{"photo.png", "\x89PNG", http.StatusUnprocessableEntity, "images are not read"},
		{"id_rsa", "secret", http.StatusUnprocessableEntity, "may hold secrets"},
		{"data.bin.txt", "a\x00b", http.StatusUnprocessableEntity, "binary data is not read"},
		{"huge.txt", strings.Repeat("many words ", 2<<20), http.StatusUnprocessableEntity, "larger than 20 MiB"},
		{"over.txt", strings.Repeat("many words ", 4<<20), http.StatusRequestEntityTooLarge, "larger than 42 MB"},
	} {
		loop := h.research(t, t.Context())
		status, body := v.sendFiles(Root+"loops/"+loop+"/files", map[string]string{row.name: row.text})
		if status != row.status || !strings.Contains(body, row.want) {
			_, problem, _ := strings.Cut(body, `role="alert"`)
			t.Errorf("%s: %d, or not %q: %.300s", row.name, status, row.want, problem)
		}
		p, err := h.svc.Detail(t.Context(), loop, 0)
		if err != nil || len(p.Sources) > 1 != (row.status == http.StatusOK) {
			t.Fatalf("%s: %d sources, %v", row.name, len(p.Sources), err)
		}
		if row.status != http.StatusOK {
			continue
		}
		src := p.Sources[1]
		if !strings.HasPrefix(src.URL, "urn:sha256:") || src.ShownChars != 0 || !src.Pasted || src.Title == "" || strings.Contains(src.Title, "etc") || len(p.Bad) != 0 {
			t.Errorf("%s is stored as %+v", row.name, src)
		}
		if _, body := v.get(Root + "loops/" + loop + "/sources/S2"); strings.Contains(body, "Untrusted text from the web") || strings.Contains(strings.ReplaceAll(body, "SHA-256 "+src.SHA256, ""), src.SHA256) {
			t.Errorf("%s is shown as a page of the web, or with its whole hash", row.name)
		}
	}
	loop := h.research(t, t.Context())
	if status, body := v.sendFiles(Root+"loops/"+loop+"/files", map[string]string{"a.png": "\x89PNG", "b.txt": "More. " + lighthouse}); status != http.StatusUnprocessableEntity || !strings.Contains(body, "The other files were stored.") || strings.Contains(body, "Nothing was changed") || !strings.Contains(body, `id="S2"`) {
		t.Errorf("one of two files: %d", status)
	}
	if status, body := v.sendFiles(Root+"loops/"+loop+"/files", nil); status != http.StatusUnprocessableEntity || !strings.Contains(body, "No file was chosen.") {
		t.Errorf("no file: %d", status)
	}
}
