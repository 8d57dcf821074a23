package report

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/internal/report/messages"
	"github.com/citeloop/citeloop/internal/report/style"
	"github.com/citeloop/citeloop/internal/sanitize"
)

// flagWords are the words of known flags.
var flagWords = map[string]string{
	"uncited":             "cites nothing",
	"unknown_source":      "cites a source that was not read",
	"quote_absent":        "the quotation is not in the source",
	"quote_fuzzy":         "the quotation differs a little from the source",
	"quote_elsewhere":     "the quotation is in another place",
	"quote_misattributed": "the quotation is of another text or speaker",
	"quote_cut":           "the quotation leaves out a word that denies or restricts it",
	"single_source":       "rests on one independent origin",
	"secondary_only":      "only press or practitioner sources",
	"cited_by_paragraph":  "cited at the end of its paragraph",
	"read_at_check":       "read at the check",
	"retracted_source":    "rests on retracted or doubtful sources alone",
	"changed_since":       "changed since it was read",
	"disputed":            "disputed",
	"overruled":           "overruled",

	"addresses_the_model": "contains text that addresses a model",
	"invisible_text":      "contains invisible text",
	"hidden_text":         "hides text that addresses a model",
	"imported_review":     "imported, not checked here",
	"own_statement":       "own statements",

	"retracted":             "retracted",
	"withdrawn":             "withdrawn",
	"removed":               "removed by its publisher",
	"expression_of_concern": "expression of concern",
	"corrected":             "corrected",
	"newer_version":         "there is a newer version",
	"gone":                  "gone since it was read",
}

// FlagWords returns the words for a flag of a verdict, with what follows its colon. An unknown flag is returned without
// underscores.
func FlagWords(m messages.Table, flag string) string {
	name, more, _ := strings.Cut(sanitize.Line(flag), ":")
	words, ok := flagWords[strings.TrimSpace(name)]
	if !ok {
		words = strings.ReplaceAll(name, "_", " ")
	}
	if more = messages.Reason(m, strings.TrimSpace(more)); more != "" {
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
	if s.AtCheck {
		out = append(out, m.T("read at the check"))
	}
	for _, flag := range s.Flags {
		if sanitize.Line(flag) != "" {
			out = append(out, sanitize.Short(FlagWords(m, flag), titleChars))
		}
	}
	return out
}

// noted returns the remarks on a sentence: those of the check, or those that a document stores.
func (s Sentence) noted() []Noted {
	if len(s.Noted) > 0 {
		return s.Noted
	}
	var out []Noted
	for _, r := range s.Remarks {
		out = append(out, Noted{string(r.Kind), r.String(), r.SourceID, r.Line, r.Start, r.End})
	}
	return out
}

// remarks returns the remarks on a sentence in words, in the language of the report.
func (s Sentence) remarks() []string {
	m := messages.For(s.Lang)
	var out []string
	for _, r := range s.noted() {
		out = append(out, sanitize.Short(messages.Reason(m, r.Remark), 2*titleChars))
	}
	return out
}

// flags returns the flags of a sentence in words, without those that repeat its verdict.
func (s Sentence) flags() []string {
	m := messages.For(s.Lang)
	var out []string
	for _, flag := range s.Flags {
		if sanitize.Line(flag) == "" || flag == style.Uncited && s.Status == style.Uncited {
			continue
		}
		out = append(out, sanitize.Short(FlagWords(m, flag), 2*titleChars))
	}
	if s.Verbatim {
		out = append(out, m.T("stands word for word in the cited lines"))
	}
	return out
}

// seriousFlags returns the flags of a supported sentence in words, without those about the number and kind of its sources.
func (s Sentence) seriousFlags() []string {
	s.Flags = slices.DeleteFunc(slices.Clone(s.Flags), func(flag string) bool {
		name, _, _ := strings.Cut(flag, ":")
		return name == "single_source" || name == "secondary_only" || name == "cited_by_paragraph"
	})
	return s.flags()
}
