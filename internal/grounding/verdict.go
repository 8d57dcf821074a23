package grounding

// Source is a text that was read.
type Source struct {
	ID, URL, Title string
	SourceType     string // "peer", "primary", "press", "practitioner", or empty when unknown
	Text           string // valid UTF-8
	Publisher      string // the site, journal or publisher; a claim may name it, or an author, as the speaker
	Authors        []string
	Publication    []string // names of its site and publisher; sources that share one are one origin
}

// Citation points from a claim to a source, with the words it quotes, if any.
type Citation struct {
	SourceID, Quote string
}

// Claim is one statement and what it cites.
type Claim struct {
	Text       string
	Citations  []Citation
	Confidence string // as the author put it: high, med, low or empty; not used by the checks
	Given      string // facts that the question gives, such as a product's version: not held against the claim
}

// Status is the verdict on a claim.
type Status string

// The statuses. There is no fourth.
const (
	Grounded    Status = "grounded"
	Inferred    Status = "inferred"
	Unsupported Status = "unsupported"
)

// Basis says what grounds a claim. It is empty unless the status is Grounded.
type Basis string

// The bases.
const (
	BasisWording Basis = "wording" // one passage accounts for every word of the claim that carries meaning
	BasisReview  Basis = "review"  // a second reader found that the passage says it
)

// DifferenceKind names in what a claim and the text differ.
type DifferenceKind string

// The kinds of differences. The list is closed.
const (
	DifferentNumber     DifferenceKind = "number"     // another value
	DifferentUnit       DifferenceKind = "unit"       // the same value in another unit
	DifferentRate       DifferenceKind = "rate"       // per day, per week
	DifferentNegation   DifferenceKind = "negation"   // one side denies what the other says
	DifferentDirection  DifferenceKind = "direction"  // opposites: rose, fell; allowed, banned
	DifferentQuantifier DifferenceKind = "quantifier" // all, most, some; at least, at most; only
	DifferentCertainty  DifferenceKind = "certainty"  // may, does; planned, done; recommended, required
	DifferentOrdinal    DifferenceKind = "ordinal"    // first, second
	DifferentName       DifferenceKind = "name"       // another person, place or organisation
	DifferentRole       DifferenceKind = "role"       // who did what to whom is swapped
	DifferentBinding    DifferenceKind = "binding"    // a number of the text that belongs to something else
	DifferentSpeaker    DifferenceKind = "speaker"    // somebody else said it
	DifferentTime       DifferenceKind = "time"       // another date, or before for after
	DifferentCondition  DifferenceKind = "condition"  // the text says it under a condition that the claim drops
	DifferentMyth       DifferenceKind = "myth"       // the text states it only to refute it
)

// Difference is one thing in which a claim and a passage differ. Start and End count code points in the text of
// the source, ClaimStart and ClaimEnd in the claim, all half open. Claim or Source is empty where one side has
// nothing in its place; then its offsets are those of the words around.
type Difference struct {
	Kind                 DifferenceKind
	Claim, Source        string // the words of each
	SourceID             string
	Start, End           int
	ClaimStart, ClaimEnd int
}

// Evidence is a passage of a source. Start and End count Unicode code points, half open, in Source.Text.
type Evidence struct {
	SourceID   string
	Start, End int
	Text       string
}

// Verdict is what the checker found about one claim.
type Verdict struct {
	Status             Status
	Basis              Basis        // what grounds the claim; empty unless Status is Grounded
	Differences        []Difference // where the text says otherwise, most telling first
	Language           string       // the language whose lists were used for the claim, as a subtag of BCP 47; then the source's, if another ("en, de")
	Support            float64      // 0 to 1: how alike the claim and the cited texts are; for ranking
	Confidence         float64      // 0 to 1: how sure the status is
	SourceID           string       // the source of the deciding passage; empty when unsupported by all
	Passage            *Evidence    // the deciding passage; nil when nothing in the cited texts is near the claim
	Passages           []Evidence   // best first, at most MaxPassages
	QuoteGrade         string       // the worst grade of the claim's quotes: exact, normalised, fuzzy, absent; empty without quotes
	Missing            []string     // words, numbers and names of the claim that the passages lack, most telling first
	Flags              []string     // "kind: explanation", the kinds as listed at the Flag constants
	IndependentOrigins int          // cited sources that support the claim; one publication and near-duplicates count once
	BetterSource       string       // a source that grounds the claim when the cited ones do not
	Because            string       // one sentence for a person
}

// MaxPassages bounds Verdict.Passages.
const MaxPassages = 5

// The kinds of flags: each begins a string of Verdict.Flags, followed by ": " and an explanation, or alone.
const (
	FlagUncited          = "uncited"         // the claim cites nothing
	FlagUnknownSource    = "unknown_source"  // none of the cited ids is among the sources
	FlagEmptyClaim       = "empty_claim"     // the claim has no words to check
	FlagNotFound         = "not_found"       // nothing in the cited texts is about this
	FlagNumberMismatch   = "number_mismatch" // the difference of this kind; so with every kind: direction_mismatch, …
	FlagNegationMismatch = "negation_mismatch"
	FlagNameMismatch     = "name_mismatch"
	FlagQuoteAbsent      = "quote_absent"    // a quote is nowhere in its source
	FlagQuoteFuzzy       = "quote_fuzzy"     // a quote is in its source with small changes
	FlagQuoteElsewhere   = "quote_elsewhere" // a quote is in another cited source than the one it names
	FlagSingleSource     = "single_source"   // one independent origin supports the claim
	FlagSecondaryOnly    = "secondary_only"  // only press or practitioner sources support the claim
)

// Ranked is a passage that answers a query. Score is comparable only within one answer.
type Ranked struct {
	Evidence
	Section string // the heading and the introduction of the list above it
	Score   float64
	Share   float64 // of the query's words, without function words, that the passage has
}

// Conflict is one quantity with two values.
type Conflict struct {
	Topic          string // the words that both passages use for the quantity
	A, B           Evidence
	ValueA, ValueB string // as the passages write them
	Because        string // one sentence for a person
}
