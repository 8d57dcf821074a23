package report

import (
	"strings"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// FlagWords says a flag of a verdict in words (grounding's and judge's names). One that is not known here is said as it
// is, without its underscores; what stands behind a colon is said after the words.
func FlagWords(flag string) string {
	name, more, _ := strings.Cut(sanitize.Line(flag), ":")
	words, ok := map[string]string{
		"uncited":           "cites nothing",
		"unknown_source":    "cites something that was not read",
		"empty_claim":       "has no words that could be checked",
		"number_mismatch":   "a number differs from the passage",
		"negation_mismatch": "one side denies what the other says",
		"name_absent":       "a name is nowhere in the sources cited",
		"name_elsewhere":    "a name is in the source, but not in this passage",
		"quote_absent":      "the quotation is not in the source",
		"quote_fuzzy":       "the quotation differs a little from the source",
		"quote_elsewhere":   "the quotation is in another cited source",
		"split_support":     "its parts are in several passages",
		"single_source":     "rests on one independent origin",
		"secondary_only":    "only press or practitioners",
		"disputed":          "disputed by a second reader",
		"overruled":         "overruled by a second reader",
		"judge_agrees":      "the model that was asked agrees",
		"judge_lowered":     "lowered after a model's opinion",
		"judge_lifted":      "lifted to inferred after a model's opinion",
		"judge_not_lifted":  "a model would say more, the rules do not allow it",
		"judge_undecided":   "the model that was asked abstained",
		"judge_failed":      "the model that was asked gave no usable answer",
		"not_judged":        "no model was asked",

		"passage_never_shown": "not all of its passage was shown to the host",
		"addresses_the_model": "contains words that address a model",
		"invisible_text":      "contains text that no reader sees",
	}[strings.TrimSpace(name)]
	if !ok {
		words = strings.ReplaceAll(name, "_", " ")
	}
	if more = strings.TrimSpace(more); more != "" {
		return words + ": " + more
	}
	return words
}

// warnings are what a reader of the report should know of how a source was read and what is odd about its text.
func (s Source) warnings() []string {
	var out []string
	if s.RobotsIgnored {
		out = append(out, "read although the site's robots.txt forbids it to programs")
	}
	for _, flag := range s.Flags {
		if sanitize.Line(flag) != "" {
			out = append(out, sanitize.Short(FlagWords(flag), titleChars))
		}
	}
	return out
}

// differences are the differences of a sentence in words.
func (s Sentence) differences() []string {
	var out []string
	for _, d := range s.Differences {
		out = append(out, sanitize.Short(d.String(), 2*titleChars))
	}
	return out
}

// flags are the flags of a sentence in words, without the one that repeats its verdict.
func (s Sentence) flags() []string {
	var out []string
	for _, flag := range s.Flags {
		if sanitize.Line(flag) == "" || flag == drawing.Uncited && s.Status == drawing.Uncited || flag == "judge_agrees" && s.Status == loopstate.Grounded {
			continue
		}
		out = append(out, sanitize.Short(FlagWords(flag), 2*titleChars))
	}
	if s.Pending && s.state() != waiting {
		out = append(out, "no second reader has read it yet")
	}
	return out
}
