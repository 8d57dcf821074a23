package local

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/citeloop/citeloop/fetch"
	"github.com/citeloop/citeloop/internal/text/lines"
)

// headed returns invented files of the kinds that a folder of proposals has, by path.
func headed() map[string]string {
	files := map[string]string{
		"eips/eip-90938.md": "---\neip: 90938\ntitle: Lamp account sponsoring\nauthor: Ann Lee (@annlee), " +
			"Bo Ek <bo@harbour.example>\ntype: Standards Track\nstatus: Withdrawn\ncreated: 2020-09-04\nwithdrawal-reason: Superseded " +
			"by EIP-90702\n---\n\n## Abstract\n\nA keeper pays for the oil of a ship that has no account.\n\n## " +
			"Rationale\n\nShips arrive without coins.\n",
		"eips/eip-90702.md": "---\neip: 90702\ntitle: Set the keeper's code\nauthor: Cy Dow " +
			"(@cydow)\nstatus: Final\nrequires: 90938\n---\n\n## Abstract\n\nThe status of validators that were withdrawn, and of " +
			"validators withdrawn before, is kept. Withdrawn status is final. It follows EIP-90938, which was never used; " +
			"EIP-90938 is cited here twice.\n",
		"keps/sig-lamp/90000-graceful-lamps/kep.yaml": "title: Graceful lamps\nkep-number: 90000\nauthors:\n  - " +
			"\"@annlee\"\nowning-sig: sig-lamp\nstatus: implementable\ncreation-date: 2021-02-03\n\n# The stage of this " +
			"cycle.\nstage: beta\nlatest-milestone: \"v9.33\"\n",
		"keps/sig-lamp/90000-graceful-lamps/README.md": "<!-- template -->\n# KEP-90000: Graceful lamps\n\n## Summary\n\nA lamp burns " +
			"on until its wick is safe.\n",
		"rfc/rfc90616.txt": "\n\nHarbour Working Group                                        A. " +
			"Keeper\nRequest for Comments: 90616                              Aldmoor Light\nObsoletes: 80068                         " +
			"                    B. Wick\nCategory: Standards Track                              Lamp Institute\n                 " +
			"                                           June 2019\n\n\n                 The Lamp Signal " +
			"Protocol\n\nAbstract\n\n   Ships answer each flash within nine seconds.\n",
		"site/history.md": "+++\ntitle = \"A history of lamps\"\nstatus = \"Retired\"\n+++\n\n# " +
			"Oil\n\nWhale oil came first.\n",
		"data/harbours.csv": "harbour,depth_m,lamps\nAldmoor,9,4\nBrinholt,7,2\n",
		"data/lamps.toml":   "[lamp.aldmoor]\nheight_m = 41\nfuel = \"colza\"\n",
		"src/lamp.go": "package lamp\n\n// Trim cuts the wick to the given length in " +
			"millimetres.\nfunc Trim(length int) int {\n\treturn max(length, wickFloor)\n}\n",
		"Wickfile": "trim:\n\tcut --to 3mm\n",
		"logs/night.jsonl": "{\"at\": 1, \"event\": \"lamp doused by gale\"}\n{\"at\": 2, \"event\": " +
			"\"lamp relit\"}\n",
		// Left out.
		"src/app.js": strings.Repeat("a=1;", 6_000), "pictures/a.png": "\x89PNG\r\n\x1a\n\x00\x00", "pictures/b.jpg": "x",
		"tool": "\x7fELF\x00\x01", "deploy.env": "KEY=hunter2",
		".env": "KEY=hunter2", "big.json": strings.Repeat("[\"lamp\"]\n", 1<<18), "go.sum": "h1:lamp", "torn.pdf": "%PDF-1.4 torn",
		"signing.yaml": "key: |\n  -----BEGIN PRIVATE KEY-----\n",
	}
	for i := range 30 { // so that a word's rarity means something
		files[fmt.Sprintf("eips/eip-%d.md", 91000+i)] = fmt.Sprintf(
			"---\neip: %d\ntitle: Proposal %d\nstatus: Draft\n---\n\n## Abstract\n\nHarbour dues of kind %d change. The status of a "+
				"berth is shown, and of berths that were withdrawn from use.\n", 91000+i, i, i)
	}
	return files
}

// What a document states of itself, its number and its file's name find it, in any text format; its lines are those of the
// file, and fetch reads the same text.
func TestDocumentsAreFoundByWhatTheyState(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles PDFium, which takes two minutes with the race detector")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, body := range headed() {
		write(t, dir, name, body)
	}
	c, reader := indexed(t, dir)
	for _, tt := range []struct{ query, path, line, section string }{
		{"status: Withdrawn", "eips/eip-90938.md", "status: Withdrawn", ""},
		{"status:implementable", "kep.yaml", "status: implementable", ""},
		{"withdrawal-reason: Superseded", "eips/eip-90938.md", "withdrawal-reason: Superseded by EIP-90702", ""},
		{"EIP 90938", "eips/eip-90938.md", "eip: 90938", ""},
		{"90938", "eips/eip-90938.md", "eip: 90938", ""},
		{"eip-90702", "eips/eip-90702.md", "", ""},
		{"RFC 90616", "rfc/rfc90616.txt", "", ""},
		{"Obsoletes: 80068", "rfc/rfc90616.txt", "Obsoletes: 80068                                             B. Wick", ""},
		{"rfc90616", "rfc/rfc90616.txt", "", ""},
		{"author:keeper", "rfc/rfc90616.txt", "", ""},
		{"author:Ek", "eips/eip-90938.md", "", ""},
		{"status: Retired", "site/history.md", "status = \"Retired\"", ""},
		{"graceful lamps 90000 wick", "README.md", "A lamp burns on until its wick is safe.", "KEP-90000: Graceful lamps > Summary"},
		{"stage: beta", "kep.yaml", "stage: beta", ""},
		{"Brinholt depth", "data/harbours.csv", "Brinholt,7,2", ""},
		{"colza fuel", "data/lamps.toml", "fuel = \"colza\"", ""},
		{"wickFloor", "src/lamp.go", "\treturn max(length, wickFloor)", ""},
		{"lamp doused gale", "logs/night.jsonl", "{\"at\": 1, \"event\": \"lamp doused by gale\"}", ""},
		{"wickfile", "Wickfile", "", ""},
		{"who pays for oil by EIP-90938?", "eips/eip-90938.md", "A keeper pays for the oil of a ship that has no account.", "Abstract"},
		{`type:"Standards Track" oil`, "eips/eip-90938.md", "", ""},
		{"ext:csv lamps", "data/harbours.csv", "", ""},
	} {
		hits, _, err := c.Search(t.Context(), tt.query, 5)
		if err != nil {
			t.Fatal(err)
		}
		if len(hits) == 0 || !strings.HasSuffix(filepath.ToSlash(hits[0].Path), "/"+tt.path) {
			t.Errorf("%q finds %+v, want %s first", tt.query, hits, tt.path)
			continue
		}
		first := hits[0]
		raw, err := os.ReadFile(first.Path)
		if err != nil {
			t.Fatal(err)
		}
		cited, ok := lines.ParseRanges(first.Lines)
		if !ok {
			t.Errorf("%q: lines %q", tt.query, first.Lines)
			continue
		}
		of := strings.Split(string(raw), "\n")[cited[0].First-1 : cited[len(cited)-1].Last]
		if tt.line != "" && !strings.Contains("\n"+strings.Join(of, "\n")+"\n", "\n"+tt.line+"\n") {
			t.Errorf("%q: lines %s of %s are %q, want %q among them", tt.query, first.Lines, tt.path, of, tt.line)
		}
		if tt.section != "" && first.Section != tt.section {
			t.Errorf("%q: section %q, want %q", tt.query, first.Section, tt.section)
		}
		page := reader.Read(t.Context(), fetch.FileAddress(first.Path))
		if page.Status != fetch.StatusRead {
			t.Errorf("%s: %s, %s", tt.path, page.Status, page.Reason)
			continue
		}
		_, _, text := lines.New(page.Text).Span(lines.Range{First: cited[0].First, Last: cited[len(cited)-1].Last})
		if diff := cmp.Diff(strings.Join(of, "\n"), text); diff != "" {
			t.Errorf("%s: line numbers of the file and of the text differ (-file +text)\n%s", tt.path, diff)
		}
	}
	for _, secret := range []string{"hunter2", "PRIVATE KEY"} {
		if hits, _, _ := c.Search(t.Context(), secret, 5); len(hits) > 0 && strings.Contains(hits[0].Passage, secret) {
			t.Errorf("%s is found: %+v", secret, hits)
		}
	}
	want := "41 files; left out: images (2), may hold secrets (2), binary files (1), generated or minified (1), larger than 2 MB (1), " +
		"lock files (1), with a private key (1), unreadable (1): torn.pdf (cannot be read: the PDF " +
		"could not be parsed: it is damaged or not a PDF)"
	if diff := cmp.Diff(want, c.Words()); diff != "" {
		t.Errorf("left out (-want +got)\n%s", diff)
	}
}
