package html

import (
	"os"
	"strconv"
	"strings"
	"testing"
)

// form is one way in which a page might keep a text from its reader, or seems to. testdata/forms.txt has them with what
// Chromium shows of each.
type form struct {
	family, half, kind, code string
	shown                    bool
}

// page is the page of a form, with a text in the place that the form may hide.
func (f form) page(text string) string {
	head, open := "", f.code
	switch f.kind {
	case "inline":
		open = `<p style="` + f.code + `">`
	case "sheet":
		head, open = "<style>"+f.code+"</style>", `<div class="box outer"><i></i><p class="x note" id="x" data-k="v" lang="en">`
	}
	return "<!DOCTYPE html><html><head><title>Harbour</title>" + head +
		"</head><body><p style=\"display:block!important;visibility:visible!important;opacity:1!important;color:#000!important\">" +
		formBefore + "</p>" + open + text + "</div></p></span></div><p>" + formAfter + "</p></body></html>"
}

const (
	formBefore = "The harbour is dredged twice a year by the town's own boat."
	formAfter  = "The ferry leaves at noon on every working day of the week."
	formSecret = "Quartz wardens juggle vexing balms."
)

func readForms(t *testing.T) (all []form) {
	t.Helper()
	list, err := os.ReadFile("testdata/forms.txt")
	if err != nil {
		t.Fatal(err)
	}
	var family form
	for line := range strings.Lines(string(list)) {
		first, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch first {
		case "", "#":
		case "hidden", "shown":
			f := family
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
			f.code, _ = strconv.Unquote(quoted)
			f.shown = first == "shown"
			all = append(all, f)
		default:
			kind, name, _ := strings.Cut(rest, " ")
			family = form{half: first, kind: kind, family: name}
		}
	}
	return all
}

// TestForms compares what is kept with what Chromium shows.
func TestForms(t *testing.T) {
	t.Parallel()
	hidden, kept, seen, lost := map[string]int{}, map[string]int{}, map[string]int{}, map[string]int{}
	for _, f := range readForms(t) {
		text := textOf(f.page(formSecret))
		if !strings.Contains(text, formBefore) {
			t.Errorf("%s: %s: the text before it is lost: %q", f.family, f.code, text)
		}
		all, wrong, what := hidden, kept, "kept"
		if f.shown {
			all, wrong, what = seen, lost, "lost"
		}
		all[f.half]++
		if strings.Contains(text, formSecret) == f.shown {
			continue
		}
		wrong[f.half]++
		t.Logf("%s: %s: %s: %s", f.half, what, f.family, f.code)
	}
	// Colours, transforms, custom properties and conditions are not computed, which SECURITY.md says.
	if kept["development"] > 75 || kept["held-out"] > 112 || lost["development"] > 3 || lost["held-out"] > 0 {
		t.Error("more forms are read wrongly than before")
	}
	for half := range hidden {
		t.Logf("%s: %d of %d hidden forms are kept, %d of %d shown forms are lost", half, kept[half], hidden[half], lost[half], seen[half])
	}
}
