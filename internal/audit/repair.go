package audit

import (
	"strings"

	"github.com/citeloop/citeloop/internal/references"
)

// bibFields are BibTeX's names of the fields that are repaired. A venue is not: services abbreviate it.
var bibFields = map[string]string{references.FieldTitle: "title", references.FieldAuthors: "author", references.FieldYear: "year", references.FieldDOI: "doi"}

// Repaired returns a BibTeX list with the recorded values in the fields that differ, and how many fields changed. An entry
// whose identifier is of another work stays, because nobody knows which of the two is meant.
func (r *Result) Repaired(list List) (text string, fields int) {
	values := map[int]map[string]string{}
	at := 0
	for _, e := range r.Entries {
		if e.File != list.Name {
			continue
		}
		i := at
		at++
		if len(e.Records) == 0 || e.Status == NotFound {
			continue
		}
		for _, d := range e.Differences {
			name, ok := bibFields[d.Field]
			value := d.Recorded
			if !ok || d.Field == references.FieldDOI && !strings.HasPrefix(value, "10.") {
				continue
			}
			if d.Field == references.FieldAuthors {
				value = strings.ReplaceAll(value, "; ", " and ")
			}
			if values[i] == nil {
				values[i] = map[string]string{}
			}
			values[i][name] = value
			fields++
		}
	}
	return references.Repair(list.Text, list.Entries, values), fields
}
