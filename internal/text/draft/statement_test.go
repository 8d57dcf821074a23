package draft

import (
	"slices"
	"strings"
	"testing"
)

// A sentence with a fact is a claim in whatever form it stands and whatever mark ends it.
func TestFactsInAllForms(t *testing.T) {
	t.Parallel()
	facts := []string{
		"Otters reach a top speed of 412 km per hour", "The senate banned every otter from public rivers", "Otters never sleep in winter",
		"The dam was built without a permit",
		"Moss published his diary at the age of nine", "水獭的最高速度是四百公里", "Kein Otter überlebte den langen Winter",
	}
	forms := []string{ // % is the fact
		"%:", "% …", "%...", "% —", "% -", "%", "%;", "%!", "%:\n\n- one\n- two", "Did you know that %?", "%, right?", "%, isn't it?",
		"Why? %",
		"# %", "## %.", "%\n===", "## 3.1 %", "## Result: %", "<h2>%</h2>", "**%**", "__%__", "**%.**", "**%:** and so on",
		"![x](a.png)\n*Figure 1: %*", "Table 1: %\n\n| a | b |\n|--|--|\n| 1 | 2 |",
		"<figure><img src=a.png><figcaption>%</figcaption></figure>", "<table><caption>%</caption></table>",
		"[%](#top)",
		"Otter\n: %", "<dl><dt>Otter</dt><dd>%</dd></dl>", "<details><summary>%</summary>\n\nx\n\n</details>",
		"<details>\n<summary>More</summary>\n\n%.\n\n</details>",
		"> [!NOTE]\n> %", "> [!NOTE] %", "!!! note \"%\"\n    text", "!!! warning \"Mind\"\n\n    %.", ":::tip[%]\nx\n:::", ".. note:: %",
		"    %.", "```{note}\n%.\n```",
		"| Animal | Fact |\n|--|--|\n| Otter | % |", "| % | b |\n|--|--|\n| x | y |", "| Otter | % |", "<table><tr><td>%</td></tr></table>",
		"## References\n\n1. https://a.example/x\n\n%.", "## References\n\n%.", "## References\n\n- %, said Moss in 1999.",
		"## References\n\n1. Moss, A. (2021). Otters. https://a.example/x\n\nIn 1999, %.", "## References\n\nMoss wrote in 1999: %.",
		"## Sources\n\n- https://a.example/x\n- %.",
		"## References\n\n1. %.\n2. [B](https://a.example/b)", "Sources:\n%.",
		"## References\n\n[1] https://a.example/x\n%.", "## References\n\n- https://a.example/x\n\n%.", "## References\n\n> %.",
		"## References\n\n### %", "## References\n\n**%**",
		"## References\n\n| n | t |\n|--|--|\n| x | %. |", "<!-- x --> %. <!-- y -->", "<!--> %. -->", "<!---> %. -->",
		"Otters swim well[^1].\n\n[^1]: %.", "Otters swim well^[%].", "(%.)", "\"%\"", "> %", "- %", "- [x] %", "a) %", "<sup>%</sup>",
		"~~%~~", "<kbd>%</kbd>", "`%.`", "<textarea>%</textarea>",
		"Note: %", "Source: %", "Let me search for more, because %.",
	}
	for _, fact := range facts {
		for _, form := range forms {
			text := strings.ReplaceAll(form, "%", fact)
			stated := func(s Sentence) bool {
				return s.IsClaim && strings.Contains(s.Text, string([]rune(fact)[len([]rune(fact))-8:]))
			}
			if d := Parse(text); !slices.ContainsFunc(d.Sentences, stated) {
				t.Errorf("%q: no claim in %+v", text, d.Sentences)
			}
		}
	}
}

func TestShortFacts(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"Sales fell 40%.", "312 people died.", "Costs hit $5bn.", "水坝高21米。", "船闸建于1901年。",
		"- Cost: $1.2 million", "- **Share:** 65%", "- Height: 4.5 m"} {
		if d := Parse(text); len(d.Sentences) != 1 || !d.Sentences[0].IsClaim {
			t.Errorf("%q: %+v", text, d.Sentences)
		}
	}
}

// Headings, captions and introductions that state nothing need no source.
func TestWhatStatesNothing(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"The rules are:\n\n- a", "The following options exist:", "There are three kinds:", "In short:", "Here is what I found:",
		"The main findings are as follows:", "Some examples:",
		"Consider the following example:", "To install it, run:", "The results:", "The document lists four reasons for this:",
		"According to the report, there are two causes:",
		"Das sind die Regeln:", "Die wichtigsten Punkte sind:", "主要特点如下：", "If the pump fails, take these steps:",
		"## How otters swim", "## Speed of otters in the north", "## Results and discussion of the survey",
		"## What is known about the otters", "## Otters in Europe: history and present",
		"## Comparing SQLite, PostgreSQL and MySQL", "## Where the sources disagree", "## Is it safe to use",
		"## Migrating from Python 3.11 to 3.12", "## 10 ways to swim faster", "## The otter years 1950 to 1970",
		"## Methods used in the study", "## Lessons learned from the flood", "## Facts behind the architecture",
		"**What is the difference between A and B**", "## Economic context following World War II",
		"![Photo of an otter in a river](a.png)", "Figure 1: Map of the river Arden", "| Animal | Speed |\n|--|--|\n| Otter | 12 km/h |",
		"How fast do otters swim in winter?",
		"## References\n\n1. Moss, A. (2021). Otters are in danger. Fen Review.\n2. [The otter is back](https://a.example/x)",
		"<!-- Otters reach a speed of 412 km per hour. -->",
		"**Date:** 3 June 2026", "Stand: 3. Juni 2026", "**Prepared by:** Ida Roer and Ben Moss", "By Ida Roer, 3 June 2026",
		"To: The council of Moss", "*[WLC]: World Lock Council", "**Figure 1.** The weir of Moss.", "THE WIDTH OF THE WEIR",
		"Let me search for more sources on the speed of otters.", "```\nOtters reach a speed of 412 km per hour.\n```",
	} {
		for _, s := range Parse(text).Sentences {
			if s.IsClaim && s.Text != "a" {
				t.Errorf("%q: %q is a claim", text, s.Text)
			}
		}
	}
}
