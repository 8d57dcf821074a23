package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// paid is a sentence of the pages. The towns are invented, like everything that is said about them.
func paid(town string, year int) string {
	return fmt.Sprintf("In %d the council of %s paid %d crowns for the stone bridge.", year, town, 950*len(town)+year%100)
}

// writeCorpus writes a page of about 20,000 characters for one town, and of 90,000 for another.
func writeCorpus(t *testing.T, folder string) string {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for town, size := range map[string]int{"Aspern": 20_000, "Elmstead": 90_000} {
		var page strings.Builder
		fmt.Fprintf(&page, "# The accounts of %s\n\n", town)
		for year := 1800; page.Len() < size; year++ {
			fmt.Fprintf(&page, "## %d\n\n%s The old one had burnt in the winter before, and three guilds had asked for it in a letter.\n\n",
				year, paid(town, year))
		}
		if err := os.WriteFile(filepath.Join(folder, town+".md"), []byte(page.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// of returns a step that calls a tool on the loop of the conversation; its answer must have some text.
func of(tool, has string, args object) func(*model) call {
	return func(m *model) call {
		args["state_id"] = m.answered("loop_init", "state_id")
		return call{Tool: tool, Args: args, has: has}
	}
}

// loop returns the script of a round with a page and a claim, a citation of a source that was never read, a request for a whole page,
// and two reports.
func loop(corpus string) script {
	address := func(town string) string { return "file://" + filepath.ToSlash(filepath.Join(corpus, town+".md")) }
	claim := paid("Aspern", 1803)
	return script{
		func(*model) call { return call{Tool: "list_channels", Args: object{}} },
		func(*model) call {
			return call{Tool: "loop_init", Args: object{"query": "What did the councils of the valley pay for, and when?",
				"gaps": []string{"What did the bridges cost?"}}}
		},
		of("run_channel", "Aspern", object{"channel_name": "local", "query": "stone bridge Aspern", "angle": "byEntity"}),
		of("fetch", "S1", object{"url": address("Aspern"), "query": "What did the stone bridge cost?"}),
		of("find_passages", "1803", object{"query": "What was paid in 1803?"}),
		of("loop_update", "", object{"claims": []object{{"claim": claim, "source_ids": []string{"S1"}}}}),
		of("loop_reflect", "next_action", object{"answered_gaps": []string{"G1"}, "signoff": true,
			"coverage": object{"overall": 0.9, "reasoning": "the accounts name years and sums"}}),
		of("loop_get_state", "answered_gaps", object{}),
		of("verify_citations", "", object{"draft": claim + " [S1]\n"}),
		of("loop_report", "path", object{}),
		of("loop_report", "path", object{"format": "html"}),
		of("verify_citations", "S99", object{"claims": []object{{"claim": "The valley has a railway.", "source_ids": []string{"S99"}}}}),
		of("fetch", "Elmstead", object{"url": address("Elmstead"), "max_chars": 90_000}),
		func(*model) call { return call{} },
	}
}

// lighthouse returns the script of a turn that ends with a wrong message, and then with a right one.
func lighthouse() script {
	const text = "The light of Skerrow was lit in 1874. Its keeper was Maria Holt, who wrote a line into her book in every night of " +
		"the year. The northern board paid her 214 crowns, and the parish gave her coal. In the year after, the board of trade sent a " +
		"second keeper."
	return script{
		func(*model) call {
			return call{Tool: "loop_init", Args: object{"query": "Who keeps the lighthouse of Skerrow?"}}
		},
		of("loop_add_gap", "", object{"gap": "Was it automated?", "query": "lighthouse automation", "material": true}),
		of("fetch", "S1", object{"text": text, "title": "Skerrow"}),
		func(*model) call { return call{Say: "The light was lit in 1880 [S9]. The board pays for it."} },
		func(*model) call { return call{Say: "The light was lit in 1874 [S1:1]."} },
	}
}
