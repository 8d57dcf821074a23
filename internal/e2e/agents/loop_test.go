package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// towns are invented, like everything that the pages say about them.
var towns = strings.Fields("Aspern Bellmond Cawdry Dorring Elmstead")

func paid(town, year int) string {
	return fmt.Sprintf("In %d the council of %s paid %d crowns for the stone bridge.", year, towns[town], 950*(town+5)+year%100)
}

// writeCorpus writes a page of about 20,000 characters for each town, and 90,000 for the last.
func writeCorpus(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for town, name := range towns {
		var page strings.Builder
		fmt.Fprintf(&page, "# The accounts of %s\n\n", name)
		size := 20_000
		if town == len(towns)-1 {
			size = 90_000
		}
		for year := 1800; page.Len() < size; year++ {
			fmt.Fprintf(&page, "## %d\n\n%s The old one had burnt in the winter before, and three guilds had asked for it in a letter.\n\n",
				year, paid(town, year))
		}
		if err := os.WriteFile(filepath.Join(folder, strings.ToLower(name)+".md"), []byte(page.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// loop returns the script: a round with five pages and claims, a citation of a source that was never read, a request for a full
// answer, and two reports.
func loop(corpus string) script {
	var state string
	var sources []string // by town
	var draft strings.Builder
	address := func(town int) string {
		return "file://" + filepath.ToSlash(filepath.Join(corpus, strings.ToLower(towns[town])+".md"))
	}
	var steps script
	add := func(tool string, args func(m *model) object) {
		steps = append(steps, func(m *model) call {
			a := args(m)
			if state != "" {
				a["state_id"] = state
			}
			return call{Tool: tool, Args: a}
		})
	}
	add("list_channels", func(*model) object { return object{} })
	add("loop_init", func(*model) object {
		return object{"query": "What did the councils of the valley pay for, and when?", "gaps": []string{"What did the bridges cost?"}}
	})
	add("run_channel", func(m *model) object {
		state = m.answered("loop_init", "state_id")
		return object{"channel_name": "local", "query": "stone bridge Aspern", "angle": "byEntity"}
	})
	for town := range towns {
		add("fetch", func(*model) object { return object{"url": address(town), "query": "What did the stone bridge cost?"} })
		steps = append(steps, func(m *model) call {
			id := m.answered("fetch", "sources.0.source_id")
			sources = append(sources, id)
			fmt.Fprintf(&draft, "%s [%s]\n\n", paid(town, 1803), id)
			return call{Tool: "find_passages", Args: object{"state_id": state, "query": "What was paid in 1803?"}}
		})
	}
	add("loop_update", func(*model) object {
		return object{"claims": []object{{"claim": paid(0, 1803), "source_ids": sources[:1]}}}
	})
	add("loop_reflect", func(*model) object {
		return object{"answered_gaps": []string{"G1"}, "signoff": true,
			"coverage": object{"overall": 0.9, "reasoning": "the accounts name years and sums"}}
	})
	add("loop_get_state", func(*model) object { return object{} })
	add("verify_citations", func(*model) object { return object{"draft": draft.String()} })
	add("loop_report", func(*model) object { return object{} })
	add("loop_report", func(*model) object { return object{"format": "html"} })
	add("verify_citations", func(*model) object {
		return object{"claims": []object{{"claim": "The valley has a railway.", "source_ids": []string{"S99"}}}}
	})
	add("fetch", func(*model) object { return object{"url": address(len(towns) - 1), "max_chars": 90_000} })
	return append(steps, func(*model) call { return call{} })
}
