package references

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
)

// parseCSL reads CSL-JSON: a list of items, one item, or an object whose items have the list. Services and reference managers
// write numbers for texts and lists for single values; both are read.
func parseCSL(text string) (entries []Entry, err error) {
	var all any
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return nil, fmt.Errorf("not CSL-JSON: %w", err)
	}
	items, _ := all.([]any)
	if object, ok := all.(map[string]any); ok {
		if items, ok = object["items"].([]any); !ok && (object["author"] != nil || object["issued"] != nil || object["DOI"] != nil) {
			items = []any{object}
		}
	}
	for _, item := range items {
		if fields, ok := item.(map[string]any); ok {
			entries = append(entries, cslEntry(fields))
		}
	}
	if len(entries) == 0 {
		return nil, errors.New("not CSL-JSON: no items found")
	}
	return entries, nil
}

func cslEntry(item map[string]any) Entry {
	e := Entry{Key: cslText(item["id"]), Line: 1, Title: cslText(item["title"]), Venue: cslText(item["container-title"]),
		DOI: docid.NormalizeDOI(cslText(item["DOI"])), PMID: digits(cslText(item["PMID"]))}
	e.Book, e.ISBN = isBook(cslText(item["type"])), isbnOf(fmt.Sprint(item["ISBN"]))
	people, _ := item["author"].([]any)
	for _, one := range people {
		person, _ := one.(map[string]any)
		group := cslText(person["literal"]) + cslText(person["name"]) + cslText(one)
		family := strings.TrimSpace(cslText(person["non-dropping-particle"]) + " " + cslText(person["family"]))
		if group != "" && family == "" {
			e.Authors = append(e.Authors, Name{Family: group})
		} else if family != "" {
			e.Authors = append(e.Authors, Name{family, cslText(person["given"])})
		}
	}
	e.Year, _ = strconv.Atoi(yearIn.FindString(fmt.Sprint(item["issued"])))
	e.identify(cslText(item["URL"]) + " " + cslText(item["note"]))
	return e
}

// cslText returns a text, a number as text, the first text of a list, and otherwise "".
func cslText(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		if len(v) > 0 {
			return cslText(v[0])
		}
	}
	return ""
}
