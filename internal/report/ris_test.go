package report

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var risLine = regexp.MustCompile(`^([A-Z][A-Z0-9])  - (.*)$`)

// readRIS parses records: lines of a tag and a value, from TY to ER.
func readRIS(s string) (records []map[string][]string, err error) {
	var open map[string][]string
	for _, line := range strings.Split(s, "\r\n") {
		if line == "" {
			continue
		}
		m := risLine.FindStringSubmatch(line)
		if m == nil || strings.ContainsAny(line, "\r\n") {
			return nil, fmt.Errorf("invalid field: %q", line)
		}
		if (open == nil) != (m[1] == "TY") {
			return nil, fmt.Errorf("%s at the wrong place", m[1])
		}
		switch m[1] {
		case "TY":
			open = map[string][]string{"TY": {m[2]}}
		case "ER":
			records, open = append(records, open), nil
		default:
			open[m[1]] = append(open[m[1]], m[2])
		}
	}
	if open != nil {
		return nil, fmt.Errorf("a record without an end")
	}
	return records, nil
}

func TestRISReadBack(t *testing.T) {
	for _, f := range fixtures(t) {
		records, err := readRIS(string(render(t, RIS, f.doc)))
		if err != nil || len(records) != len(f.doc.Sources) {
			t.Errorf("%s: %d records of %d sources, %v", f.name, len(records), len(f.doc.Sources), err)
			continue
		}
		for i, r := range records {
			if diff := cmp.Diff([]string{f.doc.Sources[i].title()}, r["TI"]); diff != "" {
				t.Errorf("%s: the title of record %d (-want +got):\n%s", f.name, i+1, diff)
			}
		}
	}
}

func TestRISDate(t *testing.T) {
	for want, date := range map[string][3]int{"2024/05/01/": {2024, 5, 1}, "2024/05//": {2024, 5, 0}, "2024///": {2024, 0, 0}, "0980///": {980, 0, 7}} {
		if got := risDate(date[0], date[1], date[2]); got != want {
			t.Errorf("%v is %q, want %q", date, got, want)
		}
	}
}
