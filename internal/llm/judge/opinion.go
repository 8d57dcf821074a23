package judge

// Verdict is what the model says about a claim.
type Verdict string

// The verdicts, from best to worst. There is no sixth.
const (
	Supported    Verdict = "supported"     // the passages say all of it
	Partly       Verdict = "partly"        // they say a part and are silent on the rest
	NotSupported Verdict = "not_supported" // they do not say it
	Contradicted Verdict = "contradicted"  // they say something that cannot be true together with it
	CannotTell   Verdict = "cannot_tell"   // the model abstains
)

func (v Verdict) known() bool {
	switch v {
	case Supported, Partly, NotSupported, Contradicted, CannotTell:
		return true
	}
	return false
}

// needsQuote reports whether a verdict is worth nothing without the words that it rests on.
func (v Verdict) needsQuote() bool { return v == Supported || v == Partly || v == Contradicted }

// Opinion is the model's answer to one question. Exactly one of Verdict, Failure and Skipped is set.
type Opinion struct {
	Verdict  Verdict
	SourceID string // the source of Quote
	Quote    string // words of a passage, as the model copied them; they stand there, typography aside
	Because  string // the model's reason, one line; written under the influence of untrusted text
	Format   string // how the answer was asked for; empty when nothing was sent

	Failure string // why the answer counts for nothing
	Skipped string // why nothing was asked
}
