package references

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// parseCSL reads CSL-JSON: a list of items, one item, or an object that has them, as an answer of Crossref does. Services and
// reference managers write numbers for texts and lists for single values; both are read.
func parseCSL(text string) (entries []Entry, err error) {
	var all any
	if err := json.Unmarshal([]byte(text), &all); err != nil {
		return nil, fmt.Errorf("not CSL-JSON: %w", err)
	}
	for _, item := range cslItems(all) {
		if fields, ok := item.(map[string]any); ok {
			entries = append(entries, cslEntry(fields))
		}
	}
	if len(entries) == 0 {
		return nil, errors.New("not CSL-JSON: no items found")
	}
	return entries, nil
}

func cslItems(within any) []any {
	switch v := within.(type) {
	case []any:
		return v
	case map[string]any:
		for _, name := range []string{"message", "items", "references"} {
			if items := cslItems(v[name]); items != nil {
				return items
			}
		}
		if v["author"] != nil || v["issued"] != nil || v["DOI"] != nil {
			return []any{v}
		}
	}
	return nil
}

func cslEntry(item map[string]any) Entry {
	values := map[string]string{"journal": cslText(item["container-title"]), "isbn": fmt.Sprint(item["ISBN"]),
		"year": fmt.Sprint(item["issued"])}
	for _, name := range []string{"title", "DOI", "PMID", "URL", "note"} {
		values[strings.ToLower(name)] = cslText(item[name])
	}
	people, _ := item["author"].([]any)
	var names []string
	for _, one := range people {
		person, _ := one.(map[string]any)
		family := strings.TrimSpace(cslText(person["non-dropping-particle"]) + " " + cslText(person["family"]))
		name := family + ", " + cslText(person["given"])
		if group := cslText(person["literal"]) + cslText(person["name"]) + cslText(one); family == "" {
			name = "{" + group + "}"
		}
		names = append(names, name)
	}
	e := Entry{Key: cslText(item["id"]), Line: 1, Book: isBook(cslText(item["type"]))}
	e.fill(values, names)
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
