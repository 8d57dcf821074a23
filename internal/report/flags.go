package report

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/report/drawing"
	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

// flagWords are the words of known flags.
var flagWords = map[string]string{
	"uncited":           "cites nothing",
	"unknown_source":    "cites a source that was not read",
	"empty_claim":       "has no words to check",
	"not_found":         "nothing in the cited sources is about it",
	"number_mismatch":   "a number differs from the passage",
	"negation_mismatch": "negated on one side only",
	"name_absent":       "a name is not in the cited sources",
	"name_elsewhere":    "a name is in the source, but not in this passage",
	"quote_absent":      "the quotation is not in the source",
	"quote_fuzzy":       "the quotation differs a little from the source",
	"quote_elsewhere":   "the quotation is in another cited source",
	"split_support":     "its parts are in several passages",
	"single_source":     "rests on one independent origin",
	"secondary_only":    "only press or practitioner sources",
	"disputed":          "disputed",
	"overruled":         "overruled",
	"judge_agrees":      "the model agrees",
	"judge_lowered":     "lowered after a model's opinion",
	"judge_lifted":      "lifted to inferred after a model's opinion",
	"judge_not_lifted":  "a model would say more, the rules do not allow it",
	"judge_undecided":   "the model abstained",
	"judge_failed":      "the model gave no usable answer",
	"not_judged":        "no model was asked",

	"passage_never_shown": "the host did not see the whole passage",
	"addresses_the_model": "contains text that addresses a model",
	"invisible_text":      "contains invisible text",
	"hidden_text":         "hides text that addresses a model",
	"imported_review":     "imported, not checked here",
	"own_statement":       "own statements",
}

// FlagWords returns the words for a flag of a verdict, with what follows its colon. An unknown flag is returned without
// underscores.
func FlagWords(m messages.Table, flag string) string {
	name, more, _ := strings.Cut(sanitize.Line(flag), ":")
	words, ok := flagWords[strings.TrimSpace(name)]
	if !ok {
		words = strings.ReplaceAll(name, "_", " ")
	}
	if kind, differs := strings.CutSuffix(strings.TrimSpace(name), "_mismatch"); differs && m.Lang() != "en" {
		words = messages.Reason(m, kind)
	}
	if more = messages.Reason(m, strings.TrimSpace(more)); more != "" {
		if name == "not_found" { // the page that a source or a link leads to
			words = "not found"
		}
		return m.T(words) + ": " + more
	}
	return m.T(words)
}

// warnings returns how the source was read, and its flags, in words.
func (s Source) warnings(m messages.Table) []string {
	var out []string
	if s.RobotsIgnored {
		out = append(out, m.T("read although robots.txt disallows it"))
	}
	for _, flag := range s.Flags {
		if sanitize.Line(flag) != "" {
			out = append(out, sanitize.Short(FlagWords(m, flag), titleChars))
		}
	}
	return out
}

// differences returns the differences of a sentence in words.
func (s Sentence) differences() []string {
	m := messages.For(s.Lang)
	var out []string
	for _, d := range s.Differences {
		words := d.String()
		if kind, rest, ok := strings.Cut(words, ": "); ok && m.Lang() != "en" {
			words = messages.Reason(m, kind) + m.T(": ") + messages.Reason(m, rest)
		}
		out = append(out, sanitize.Short(words, 2*titleChars))
	}
	return out
}

// flags returns the flags of a sentence in words, without those that repeat its verdict.
func (s Sentence) flags() []string {
	m := messages.For(s.Lang)
	var out []string
	for _, flag := range s.Flags {
		if sanitize.Line(flag) == "" || flag == drawing.Uncited && s.Status == drawing.Uncited || flag == "judge_agrees" && s.Status == loopstate.Grounded {
			continue
		}
		out = append(out, sanitize.Short(FlagWords(m, flag), 2*titleChars))
	}
	if s.Pending && s.state() != waiting {
		out = append(out, m.T("no second reader has read it yet"))
	}
	return out
}

// seriousFlags returns the flags of a grounded sentence in words, without those about the number and kind of its sources.
func (s Sentence) seriousFlags() []string {
	s.Flags = slices.DeleteFunc(slices.Clone(s.Flags), func(flag string) bool {
		name, _, _ := strings.Cut(flag, ":")
		return name == "single_source" || name == "secondary_only" || name == "passage_never_shown"
	})
	return s.flags()
}
