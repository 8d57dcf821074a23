package references

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// A list with invented and altered entries, compared with records simulated from true entries (rpatrik96/hallmark, MIT). It
// shows what the comparison can do where the services have every true work, and nothing about their coverage.
func TestHallmark(t *testing.T) {
	records, dev := hallmark(t, "valid_entries.jsonl"), hallmark(t, "dev_public.jsonl")
	byDOI := map[string][]Record{}
	var all []Record
	words := map[string][]int{}
	for _, row := range records {
		r := Record{From: "simulated", Title: plainTeX(row.Fields["title"]), Venue: row.entry().Venue, DOI: row.entry().DOI, Year: row.entry().Year}
		for _, n := range row.entry().Authors {
			r.Authors = append(r.Authors, n.String())
		}
		for _, w := range titleWords(r.Title) {
			words[w] = append(words[w], len(all))
		}
		all = append(all, r)
		if r.DOI != "" {
			byDOI[r.DOI] = append(byDOI[r.DOI], r)
		}
	}
	caught, missed, alarms, valid := map[string]int{}, map[string]int{}, 0, 0
	unknown := 0
	for _, row := range dev {
		e := row.entry()
		seen := map[int]bool{}
		var fit []Record
		for _, w := range titleWords(e.Title) {
			for _, i := range words[w] {
				if !seen[i] && e.Fits(all[i]) {
					fit = append(fit, all[i])
				}
				seen[i] = true
			}
		}
		diffs := Compare(e, fit)
		flagged := len(fit) == 0 || len(diffs) > 0
		if row.Label == "VALID" {
			valid++
			if len(fit) == 0 {
				unknown++
			}
			if flagged {
				alarms++
				if testing.Verbose() {
					fmt.Println("ALARM", len(fit), e.Title, "|", diffs)
				}
			}
		} else if flagged {
			caught[row.Type]++
		} else {
			missed[row.Type]++
			if testing.Verbose() {
				fmt.Println("MISSED", row.Type, row.Explanation, "|", e.Title, e.Venue, e.Year, e.DOI, "|", fit[0])
			}
		}
	}
	t.Log("alarms", alarms, "of", valid, "unknown", unknown)
	n, c := 0, 0
	for k := range caught {
		n += caught[k] + missed[k]
		c += caught[k]
		t.Log(k, caught[k], "of", caught[k]+missed[k])
	}
	t.Log("caught", c, "of", n)
}

type hallmarkRow struct {
	Fields      map[string]string
	Label       string
	Type        string `json:"hallucination_type"`
	Explanation string
}

func (r hallmarkRow) entry() Entry {
	var e Entry
	e.fill(r.Fields)
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
		if strings.TrimSpace(row.Fields["title"]) != "" {
			rows = append(rows, row)
		}
	}
	return rows
}
