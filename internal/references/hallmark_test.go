package references

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// A list with invented and altered entries (rpatrik96/hallmark, MIT), compared with records simulated from its true entries. It
// shows what the comparison can do where services have every true work and every DOI, and nothing about their coverage: a true
// entry that the simulation does not have is left out. Wrong venues of preprints have no record to differ from.
func TestHallmark(t *testing.T) {
	t.Parallel()
	known, dev := hallmark(t, "valid_entries.jsonl"), hallmark(t, "dev_public.jsonl")
	var records []Record
	byWord := map[string][]int{}
	dois := map[string]bool{}
	for _, row := range known {
		e := row.entry()
		r := Record{From: "simulated", Title: e.Title, Venue: e.Venue, DOI: e.DOI, Year: e.Year}
		for _, n := range e.Authors {
			r.Authors = append(r.Authors, n.String())
		}
		for _, w := range titleWords(r.Title) {
			byWord[w] = append(byWord[w], len(records))
		}
		records, dois[r.DOI] = append(records, r), true
	}
	var alarms, valid, caught, altered int
	missed := map[string]int{}
	for _, row := range dev {
		e := row.entry()
		var fit []Record
		shared := map[int]int{}
		words := titleWords(e.Title)
		for _, w := range words {
			for _, i := range byWord[w] {
				if shared[i]++; 2*shared[i] == len(words)+len(words)%2 && e.Fits(records[i]) {
					fit = append(fit, records[i])
				}
			}
		}
		flagged := len(fit) == 0 || len(Compare(e, fit)) > 0 || e.DOI != "" && !dois[e.DOI]
		switch {
		case row.Label == "VALID" && len(fit) > 0:
			if valid++; flagged {
				alarms++
			}
		case row.Label != "VALID":
			if altered++; flagged {
				caught++
			} else {
				missed[row.Type]++
			}
		}
	}
	t.Logf("%d of %d invented or altered entries differ, and %d of %d true ones; missed: %v", caught, altered, alarms, valid, missed)
	if caught < 580 || alarms > 6 {
		t.Errorf("at least 580 of 606 are to differ, and at most 6 of the true ones")
	}
}

type hallmarkRow struct {
	Fields map[string]string
	Label  string
	Type   string `json:"hallucination_type"`
}

func (r hallmarkRow) entry() (e Entry) {
	e.fill(r.Fields, splitNames(r.Fields["author"]))
	return e
}

func hallmark(t *testing.T, name string) (rows []hallmarkRow) {
	f, err := os.Open("../../../shared/data/references/" + name)
	if err != nil {
		t.Skip("skipped: ", err)
	}
	defer f.Close()
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var row hallmarkRow
		if err := json.Unmarshal(in.Bytes(), &row); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
	return rows
}
