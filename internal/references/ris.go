package references

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/docid"
)

// parseRIS reads the tagged lines of RIS; an entry begins with TY and ends with ER.
func parseRIS(text string) (entries []Entry, problems []Problem) {
	var e *Entry
	var values map[string][]string
	n := 0
	for line := range strings.Lines(text) {
		n++
		tag, value, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "-")
		tag, value = strings.TrimSpace(tag), strings.TrimSpace(value)
		switch {
		case !ok || len(tag) != 2:
			continue
		case tag == "TY":
			e, values = &Entry{Line: n, Type: types[strings.ToLower(value)]}, map[string][]string{}
		case e == nil:
			problems = append(problems, Problem{n, "a line before the first TY"})
			return entries, problems
		case tag == "ER":
			e.fillRIS(values)
			if entries = append(entries, *e); len(entries) > maxEntries {
				return entries, problems
			}
			e, values = nil, nil
		default:
			values[tag] = append(values[tag], value)
		}
	}
	if e != nil {
		problems = append(problems, Problem{e.Line, "the entry has no ER"})
	}
	return entries, problems
}

func (e *Entry) fillRIS(values map[string][]string) {
	first := func(tags ...string) string {
		for _, tag := range tags {
			if len(values[tag]) > 0 {
				return values[tag][0]
			}
		}
		return ""
	}
	e.Key, e.Title, e.Venue, e.URL = first("ID", "AN"), first("TI", "T1"), first("JO", "JF", "T2", "BT", "JA", "J2"), first("UR", "L1")
	for _, name := range append(values["AU"], values["A1"]...) {
		e.Authors = append(e.Authors, NameOf(name))
	}
	e.Year, _ = strconv.Atoi(yearIn.FindString(first("PY", "Y1", "DA")))
	e.DOI = docid.NormalizeDOI(first("DO"))
	e.setISBN(first("SN"))
	e.identify(e.URL)
}

// cslItem is an item of CSL-JSON. Numbers may be strings.
type cslItem struct {
	ID        any    `json:"id"`
	Type      string `json:"type"`
	Title     string `json:"title"`
	Container string `json:"container-title"`
	DOI       string `json:"DOI"`
	URL       string `json:"URL"`
	PMID      string `json:"PMID"`
	ISBN      string `json:"ISBN"`
	Note      string `json:"note"`
	Author    []struct {
		Family   string `json:"family"`
		Given    string `json:"given"`
		Literal  string `json:"literal"`
		Particle string `json:"non-dropping-particle"`
	} `json:"author"`
	Issued struct {
		Parts   [][]any `json:"date-parts"`
		Raw     string  `json:"raw"`
		Literal string  `json:"literal"`
	} `json:"issued"`
}

// parseCSL reads a list of items, or an object whose items have that list, as reference managers write them.
func parseCSL(text string) (entries []Entry, err error) {
	var items []cslItem
	var wrapped struct {
		Items []cslItem `json:"items"`
	}
	if err := json.Unmarshal([]byte(text), &items); err != nil {
		if json.Unmarshal([]byte(text), &wrapped) != nil || wrapped.Items == nil {
			return nil, fmt.Errorf("not CSL-JSON: %w", err)
		}
		items = wrapped.Items
	}
	if len(items) == 0 {
		return nil, errors.New("not CSL-JSON: the list has no items")
	}
	for _, item := range items {
		e := Entry{Key: fmt.Sprint(cmp.Or(item.ID, any(""))), Line: 1, Title: item.Title, Venue: item.Container, URL: item.URL,
			DOI: docid.NormalizeDOI(item.DOI), PMID: digits(item.PMID), Type: typeOf(item.Type, item.Container)}
		e.setISBN(item.ISBN)
		for _, a := range item.Author {
			if a.Literal != "" {
				e.Authors = append(e.Authors, Name{Family: a.Literal})
				continue
			}
			e.Authors = append(e.Authors, Name{strings.TrimSpace(a.Particle + " " + a.Family), a.Given})
		}
		year := item.Issued.Raw + " " + item.Issued.Literal
		if len(item.Issued.Parts) > 0 && len(item.Issued.Parts[0]) > 0 {
			year = fmt.Sprint(item.Issued.Parts[0][0])
		}
		e.Year, _ = strconv.Atoi(yearIn.FindString(year))
		e.identify(item.URL + " " + item.Note)
		entries = append(entries, e)
	}
	return entries, nil
}
