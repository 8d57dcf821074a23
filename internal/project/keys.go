package project

import "slices"

// Name is the name of the file.
const Name = "citeloop.toml"

// SchemaURL is the address of docs/citeloop.schema.json, for the line that editors read.
const SchemaURL = "https://raw.githubusercontent.com/citeloop/citeloop/main/docs/citeloop.schema.json"

// The readers.
const (
	ReaderNone      = "none"
	ReaderAssistant = "assistant" // a subagent of the assistant, in its loops and by --review-out
	ReaderModel     = "model"     // that of CITELOOP_READER_URL
)

// valueKind is the type of a value.
type valueKind int

const (
	text valueKind = iota
	truth
	number // 0 to 1
	list   // of texts
	date
)

// key is a key of the file, or of a [[suppress]] table.
type key struct {
	name     string
	kind     valueKind
	words    []string // the valid texts; nil for any
	required bool
	says     string // for the schema
}

// findings are the kinds of findings that --fail-on takes, worst first. A test compares them with those of package textcheck.
var findings = []string{"hallucinated", "quote", "contradicted", "unsupported", "uncited", "mistitled", "addresses_the_model", "remark", "not_read", "unread"}

// undecided are the kinds that say only that nobody has read something. They cannot be suppressed.
var undecided = []string{"not_read", "unread"}

// suppressible returns the kinds that a suppression may name.
func suppressible() []string {
	return slices.DeleteFunc(slices.Clone(findings), func(kind string) bool { return slices.Contains(undecided, kind) })
}

// keys are those of the file.
func keys() []key {
	return []key{
		{"corpus", list, nil, false, "Folders of documents below this file, as --corpus."},
		{"offline", truth, nil, false, "Read nothing from the network, as --offline."},
		{"reader", text, []string{ReaderNone, ReaderAssistant, ReaderModel}, false, "Who reads the sentences beside their sources: none, assistant (a subagent, in its loops or by --review-out), or model (that of CITELOOP_READER_URL, as --reader)."},
		{"strict", truth, nil, false, "Fail on remarks and on what nobody has read, too, as --strict."},
		{"threshold", number, nil, false, "Minimum share of supported sentences, of those that were read, as --threshold."},
		{"fail-on", list, findings, false, "Findings that fail, as --fail-on. An empty list: none."},
		{"include", list, nil, false, "Texts that 'citeloop verify' without files checks: files, folders, or patterns with *, ? and **."},
		{"exclude", list, nil, false, "Texts below include, or in a folder that is named, to leave out."},
	}
}

// suppressKeys are those of a [[suppress]] table.
func suppressKeys() []key {
	return []key{
		{"finding", text, suppressible(), true, "Kind of the finding."},
		{"file", text, nil, false, "The text: a file, folder or pattern below this file. Without it, every text."},
		{"text", text, nil, false, "The sentence or mark, as the finding shows it; … at its end stands for the rest. Without it, every one in file."},
		{"reason", text, nil, true, "Why the finding is accepted."},
		{"until", date, nil, false, "The last day on which the suppression holds, such as 2027-01-31."},
	}
}

func names(of []key) []string {
	var out []string
	for _, k := range of {
		out = append(out, k.name)
	}
	return out
}
