package hosts

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// towns are invented, like everything that the pages say about them.
var towns = strings.Fields("Aspern Bellmond Cawdry Dorring Elmstead Farrow Gresby Hollin Ilsworth Jessop Kirrin Lowick Mossdale Netherby Orrin")

// works are projects that the towns paid for.
var works = []string{"bell tower", "market hall", "stone bridge", "river wall", "town well", "grain store", "toll gate", "school house"}

// rounds of the scripted loop; each reads five pages.
const rounds = 3

func paid(town, work, year int) string {
	return fmt.Sprintf("In %d the council of %s paid %d crowns for the %s.", year, towns[town], 950*(town+5)+70*work+year%100, works[work])
}

// writeCorpus writes a page of about 20,000 characters for each town, and one of 90,000.
func writeCorpus(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	reasons := []string{"The old one had burnt in the winter before.", "Three guilds had asked for it in a letter.", "The work took two summers and a part of a third."}
	for town, name := range towns {
		var page strings.Builder
		fmt.Fprintf(&page, "# The accounts of %s\n", name)
		for work := range works {
			fmt.Fprintf(&page, "\n## The %s of %s\n\n", works[work], name)
			for year := 1800 + 20*work; year < 1818+20*work; year++ {
				fmt.Fprintf(&page, "%s %s\n\n", paid(town, work, year), reasons[year%len(reasons)])
			}
		}
		if town == len(towns)-1 {
			for page.Len() < 90_000 {
				fmt.Fprintf(&page, "Entry %d of the ledger of %s repeats the sum of the year before.\n\n", page.Len(), name)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, strings.ToLower(name)+".md"), []byte(page.String()), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// falseClaim is the last claim of a round. No page supports it.
func falseClaim(round int) string {
	return fmt.Sprintf("In 180%d the council of Aspern paid %d crowns for the bell tower.", round+3, 77_000+round)
}

// loop returns the script: three rounds with 15 pages and 39 claims, a citation of a source that was never read, a request
// for a full answer, and two reports.
func loop(corpus string) []func(*model) call {
	var state string
	var sources []string // by town
	var draft strings.Builder
	address := func(town int) string {
		return "file://" + filepath.ToSlash(filepath.Join(corpus, strings.ToLower(towns[town])+".md"))
	}
	var steps []func(*model) call
	add := func(tool string, args func(m *model) object) {
		steps = append(steps, func(m *model) call {
			a := args(m)
			if state != "" {
				a["state_id"] = state
			}
			return call{Tool: tool, Args: a}
		})
	}
	read := func(m *model) {
		var out struct {
			Sources []struct {
				SourceID string `json:"source_id"`
			} `json:"sources"`
		}
		m.answered("fetch", &out)
		for _, s := range out.Sources {
			sources = append(sources, s.SourceID)
		}
	}

	add("list_channels", func(*model) object { return object{} })
	add("loop_init", func(*model) object {
		return object{"query": "What did the councils of the valley pay for, and when?", "complexity": "moderate",
			"rubrics": []string{"names the year", "names the sum"}, "gaps": []string{"What did the bell towers cost?", "What did the bridges cost?", "What did the wells cost?"}}
	})
	for round := range rounds {
		for i, angle := range []string{"byEntity", "byTimeWindow", "bySourceType", "byCounterArg"} {
			add("run_channel", func(m *model) object {
				if round == 0 && i == 0 {
					var out struct {
						StateID string `json:"state_id"`
					}
					m.answered("loop_init", &out)
					state = out.StateID
				}
				return object{"channel_name": "local", "query": works[2*round] + " " + towns[5*round+i], "angle": angle}
			})
		}
		first := 5 * round
		add("fetch", func(*model) object { return object{"url": address(first)} })
		add("fetch", func(m *model) object {
			read(m)
			return object{"urls": []string{address(first + 1), address(first + 2)}, "query": "What did the bell tower cost?"}
		})
		add("fetch", func(m *model) object {
			read(m)
			return object{"urls": []string{address(first + 3), address(first + 4)}, "query": "What did the stone bridge cost?"}
		})
		add("find_passages", func(m *model) object {
			read(m)
			return object{"query": "What was paid for the town well?"}
		})
		add("loop_update", func(m *model) object {
			var claims []object
			for k := range 12 {
				town := first + k%5
				text := paid(town, k%4, 1801+20*(k%4)+k)
				claims = append(claims, object{"claim": text, "source_ids": []string{id(sources, town)}, "confidence": "high"})
				fmt.Fprintf(&draft, "%s [%s]\n", text, id(sources, town))
			}
			draft.WriteString("\n")
			claims = append(claims, object{"claim": falseClaim(round), "source_ids": []string{id(sources, 0)}})
			return object{"claims": claims}
		})
		add("verify_citations", func(m *model) object {
			var out struct {
				ClaimIDs []string `json:"claim_ids"`
			}
			m.answered("loop_update", &out)
			return object{"claim_ids": out.ClaimIDs}
		})
		add("loop_reflect", func(*model) object {
			return object{"answered_gaps": []string{fmt.Sprintf("G%d", round+1)}, "signoff": round > 0, "synthesis": draft.String(),
				"coverage": object{"overall": 0.5 + 0.2*float64(round), "reasoning": "the accounts name years and sums"}}
		})
		add("loop_get_state", func(*model) object { return object{} })
		add("loop_get_gaps", func(*model) object { return object{} })
	}
	add("verify_citations", func(*model) object { return object{"draft": draft.String()} })
	add("loop_report", func(*model) object { return object{"draft": draft.String()} })
	add("loop_report", func(*model) object { return object{"draft": draft.String(), "format": "html"} })
	add("verify_citations", func(*model) object {
		return object{"claims": []object{{"claim": "The valley has a railway.", "source_ids": []string{"S99"}}}}
	})
	add("fetch", func(*model) object { return object{"url": address(len(towns) - 1), "max_chars": 90_000} })
	return append(steps, func(*model) call { return call{} })
}

func id(sources []string, town int) string {
	if town < len(sources) {
		return sources[town]
	}
	return "S0"
}
