package references

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// parseCSL reads CSL-JSON: a list of items, or one item. Services and reference managers write numbers for texts and lists for single
// values; both are read.
func parseCSL(text string) (entries []Entry, err error) {
	if strings.HasPrefix(strings.TrimSpace(text), "{") {
		text = "[" + text + "]"
	}
	var items []map[string]any
	if err := json.Unmarshal([]byte(text), &items); err != nil {
		return nil, fmt.Errorf("not CSL-JSON: %w", err)
	}
	for _, item := range items {
		entries = append(entries, cslEntry(item))
	}
	return entries, nil
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
