package grounding

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func harbour() []Source {
	return []Source{
		{ID: "S1", Title: "Port of Ellisford", SourceType: "primary", Text: `The port of Ellisford opened on 3 March 1998. It cost 1.2 million francs, paid by the canton and by Marta Keller.

In 2010 about 40 % of the visitors came by ferry. The old lighthouse was never repaired. The museum on the pier shows models of 212 ships. Its director is the historian Paul Wenger, who has worked there for thirty years.

The winter timetable begins in October. Ferries run every hour and the crossing takes fifty minutes. Bicycles travel free of charge on all boats.`},
		{ID: "S2", Title: "Travel notes", SourceType: "press", Text: `Visitors to Ellisford can walk along the pier. In 2010 about 55 % of the visitors came by ferry. Bread is sold in the market hall on Saturdays. The town lies on the northern shore.`},
		{ID: "S3", Title: "Copy", SourceType: "press", Text: `Visitors to Ellisford can walk along the pier. In 2010 about 55 % of the visitors came by ferry. Bread is sold in the market hall on Saturdays. The town lies on the northern shore!`},
		{ID: "S4", Title: "港口", Text: `埃利斯港于1998年3月3日启用。修建费用为一百二十万法郎。旧灯塔从未修复。冬季时刻表从十月开始。`},
	}
}

func cite(ids ...string) []Citation {
	var out []Citation
	for _, id := range ids {
		out = append(out, Citation{SourceID: id})
	}
	return out
}

func kinds(flags []string) []string {
	var out []string
	for _, f := range flags {
		kind, _, _ := strings.Cut(f, ":")
		out = append(out, kind)
	}
	return out
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name  string
		claim Claim
		want  Verdict // only Status, SourceID, QuoteGrade, Flags (kinds), IndependentOrigins and BetterSource are compared
	}{
		{"word for word", Claim{Text: "Bicycles travel free of charge on all boats.", Citations: cite("S1")},
			Verdict{Status: Grounded, SourceID: "S1", Flags: []string{FlagSingleSource}, IndependentOrigins: 1}},
		{"numbers and dates written another way", Claim{Text: "The port of Ellisford opened on March 3, 1998 and cost 1,200,000 francs.", Citations: cite("S1")},
			Verdict{Status: Grounded, SourceID: "S1", Flags: []string{FlagSingleSource}, IndependentOrigins: 1}},
		{"another number", Claim{Text: "In 2010, about 80 % of the visitors came by ferry.", Citations: cite("S1")},
			Verdict{Status: Unsupported, Flags: []string{FlagNumberMismatch}}},
		{"another year", Claim{Text: "The port of Ellisford opened in 1988.", Citations: cite("S1")},
			Verdict{Status: Unsupported, Flags: []string{"time_mismatch"}}},
		{"negation dropped", Claim{Text: "The old lighthouse was repaired.", Citations: cite("S1")},
			Verdict{Status: Unsupported, Flags: []string{FlagNegationMismatch}}},
		{"negation added", Claim{Text: "Bicycles do not travel free of charge on all boats.", Citations: cite("S1")},
			Verdict{Status: Unsupported, Flags: []string{FlagNegationMismatch}}},
		{"a name from nowhere", Claim{Text: "The director of the museum on the pier is Ingrid Salander.", Citations: cite("S1")},
			Verdict{Status: Inferred, SourceID: "S1", Flags: []string{FlagSingleSource}, IndependentOrigins: 1}},
		{"about something else", Claim{Text: "Whales migrate through cold polar oceans every spring.", Citations: cite("S1")},
			Verdict{Status: Unsupported, Flags: []string{FlagNotFound}}},
		{"cites the wrong source", Claim{Text: "Bread is sold in the market hall on Saturdays.", Citations: cite("S1")},
			Verdict{Status: Unsupported, Flags: []string{FlagNotFound}, BetterSource: "S2"}},
		{"copies are one origin", Claim{Text: "Bread is sold in the market hall on Saturdays.", Citations: cite("S2", "S3")},
			Verdict{Status: Grounded, SourceID: "S2", Flags: []string{FlagSingleSource, FlagSecondaryOnly}, IndependentOrigins: 1}},
		{"exact quote", Claim{Text: "Ferries run hourly: “Ferries run every hour”.", Citations: []Citation{{SourceID: "S1", Quote: "Ferries run every hour"}}},
			Verdict{Status: Grounded, SourceID: "S1", QuoteGrade: QuoteExact, Flags: []string{FlagSingleSource}, IndependentOrigins: 1}},
		{"invented quote", Claim{Text: "Ferries run every hour.", Citations: []Citation{{SourceID: "S1", Quote: "Ferries run every minute of the day"}}},
			Verdict{Status: Unsupported, QuoteGrade: QuoteAbsent, Flags: []string{FlagQuoteAbsent}}},
		{"quote from another cited source", Claim{Text: "Bread is sold in the market hall on Saturdays.", Citations: []Citation{{SourceID: "S1", Quote: "Bread is sold in the market hall"}, {SourceID: "S2"}}},
			Verdict{Status: Unsupported, QuoteGrade: QuoteAbsent, Flags: []string{FlagQuoteElsewhere, FlagQuoteAbsent}}},
		{"Chinese", Claim{Text: "埃利斯港1998年3月3日启用，费用为120万法郎。", Citations: cite("S4")},
			Verdict{Status: Grounded, SourceID: "S4", Flags: []string{FlagSingleSource}, IndependentOrigins: 1}},
		{"Chinese, another number", Claim{Text: "埃利斯港的修建费用为三百万法郎。", Citations: cite("S4")},
			Verdict{Status: Unsupported, Flags: []string{FlagNumberMismatch}}},
		{"uncited", Claim{Text: "Ferries run every hour."}, Verdict{Status: Unsupported, Flags: []string{FlagUncited}}},
		{"an id that nobody minted", Claim{Text: "Ferries run every hour.", Citations: cite("S99")}, Verdict{Status: Unsupported, Flags: []string{FlagUnknownSource}}},
		{"no words", Claim{Text: " – [1] – ", Citations: cite("S1")}, Verdict{Status: Unsupported, Flags: []string{FlagEmptyClaim}}},
	}
	sources := harbour()
	checker := NewChecker(sources)
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			v := checker.Check(tt.claim)
			got := Verdict{Status: v.Status, SourceID: v.SourceID, QuoteGrade: v.QuoteGrade, Flags: kinds(v.Flags), IndependentOrigins: v.IndependentOrigins, BetterSource: v.BetterSource}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s\nsupport %.3f, flags %q, missing %q, because %q", diff, v.Support, v.Flags, v.Missing, v.Because)
			}
			checkVerdict(t, v, sources)
		})
	}
}

// checkVerdict holds what every verdict promises.
func checkVerdict(t *testing.T, v Verdict, sources []Source) {
	t.Helper()
	texts := make(map[string]string)
	for _, s := range sources {
		texts[s.ID] = s.Text
	}
	if len(v.Passages) > MaxPassages {
		t.Errorf("%d passages", len(v.Passages))
	}
	for _, e := range v.Passages {
		checkEvidence(t, texts[e.SourceID], e)
	}
	if v.Status != Unsupported && (v.Passage == nil || v.SourceID != v.Passage.SourceID) {
		t.Errorf("%s without its passage", v.Status)
	}
	if v.Because == "" || v.Support < 0 || v.Support > 1 || v.Confidence < 0 || v.Confidence > 1 {
		t.Errorf("support %g, confidence %g, because %q", v.Support, v.Confidence, v.Because)
	}
}

func TestCheckNamesWhatDiffers(t *testing.T) {
	v := NewChecker(harbour()).Check(Claim{Text: "In 2010, about 80 % of the visitors came by ferry.", Citations: cite("S1")})
	want := []Difference{{Kind: DifferentNumber, Claim: "80 %", Source: "40 %", SourceID: "S1", Start: 129, End: 133, ClaimStart: 15, ClaimEnd: 19}}
	if diff := cmp.Diff(want, v.Differences); diff != "" {
		t.Errorf("differences (-want +got):\n%s", diff)
	}
	says := `the source says "40 %" where the claim says "80 %" (S1, 129-133)`
	if diff := cmp.Diff([]string{"number_mismatch: " + says}, v.Flags); diff != "" {
		t.Errorf("flags (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff("T"+says[1:]+".", v.Because); diff != "" {
		t.Errorf("because (-want +got):\n%s", diff)
	}
	v = NewChecker(harbour()).Check(Claim{Text: "The museum on the pier shows models of 212 submarines.", Citations: cite("S1")})
	if diff := cmp.Diff([]string{"submarines"}, v.Missing); diff != "" {
		t.Errorf("missing (-want +got):\n%s", diff)
	}
}

func TestCheckIsDeterministicAndConcurrent(t *testing.T) {
	claim := Claim{Text: "In 2010 about 40 % of the visitors to Ellisford came by ferry, and bread is sold on Saturdays.", Citations: cite("S1", "S2", "S3")}
	checker := NewChecker(harbour())
	want := NewChecker(harbour()).Check(claim)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if diff := cmp.Diff(want, checker.Check(claim)); diff != "" {
					t.Errorf("(-first +again):\n%s", diff)
					return
				}
				checker.Find("ferry visitors", nil, 3)
			}
		})
	}
	wg.Wait()
}

func TestFind(t *testing.T) {
	checker := NewChecker(harbour())
	tests := []struct {
		name, query string
		ids         []string
		want        string // id of the first, "" for none
	}{
		{"anywhere", "who is the director of the museum", nil, "S1"},
		{"only in some sources", "ferry visitors 2010", []string{"S2"}, "S2"},
		{"Chinese", "旧灯塔修复", nil, "S4"},
		{"nothing", "volcano", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			if found := checker.Find(tt.query, tt.ids, 3); len(found) > 0 {
				got = found[0].SourceID
				checkVerdict(t, Verdict{Status: Unsupported, Because: "-", Passages: []Evidence{found[0].Evidence}}, harbour())
			}
			if got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

func TestConflicts(t *testing.T) {
	market := []Source{
		{ID: "A", Text: "The market for wooden toys in Norland was worth $5 billion in 2023. Growth was slow."},
		{ID: "B", Text: "Analysts disagree. The market for wooden toys in Norland was worth $3 billion in 2023."},
		{ID: "C", Text: "The market for wooden toys in Norland was worth $2 billion in 2015."},
		{ID: "D", Text: "The market for wooden toys in Norland was worth 5,000,000,000 dollars in 2023, one agency says."},
		{ID: "E", Text: "The market for wooden toys in Sudland was worth $9 billion in 2023."},
	}
	tests := []struct {
		name, claim string
		ids         string // of the sources
		want        []string
	}{
		{"two values", "The market for wooden toys in Norland was worth $5 billion in 2023.", "AB", []string{"A $5 billion, B $3 billion"}},
		{"another year is no conflict", "The market for wooden toys in Norland was worth $5 billion in 2023.", "AC", nil},
		{"another spelling is no conflict", "The market for wooden toys in Norland was worth $5 billion in 2023.", "AD", nil},
		{"another country is no conflict", "The market for wooden toys in Norland was worth $5 billion in 2023.", "AE", nil},
		{"a claim without a number", "The market for wooden toys in Norland is large.", "AB", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var sources []Source
			for _, s := range market {
				if strings.Contains(tt.ids, s.ID) {
					sources = append(sources, s)
				}
			}
			var got []string
			for _, c := range NewChecker(sources).Conflicts(Claim{Text: tt.claim}) {
				got = append(got, c.A.SourceID+" "+c.ValueA+", "+c.B.SourceID+" "+c.ValueB)
				for _, e := range []Evidence{c.A, c.B} {
					checkVerdict(t, Verdict{Status: Unsupported, Because: c.Because, Passages: []Evidence{e}}, sources)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A quote inside a claim is shown with what surrounds it: the rest of the claim is checked there.
func TestQuoteIsShownInItsPassage(t *testing.T) {
	text := "The council met on Monday. The mayor called the new tariff “a burden on every family of the island” and asked for a vote. The vote was lost."
	v := NewChecker([]Source{{ID: "S1", Text: text}}).Check(Claim{Text: "The mayor called the tariff a burden on every family and asked for a vote.",
		Citations: []Citation{{SourceID: "S1", Quote: "a burden on every family"}}})
	if v.Status != Grounded || v.QuoteGrade != QuoteExact || v.Passage == nil || !strings.Contains(v.Passage.Text, "asked for a vote") {
		t.Errorf("%s, quote %s, passage %+v", v.Status, v.QuoteGrade, v.Passage)
	}
}

// A sentence that is alike and denies nothing does not speak for a claim that denies.
func TestAlikeSentenceDoesNotExcuseADenial(t *testing.T) {
	text := "A parcel in the lift is weighed before the matching letter on that lift.\n\nA letter in an uncovered lift is weighed before the matching parcel on that lift.\n\nThe porter keeps a list of both and signs it every evening."
	checker := NewChecker([]Source{{ID: "S1", Text: text}})
	for claim, want := range map[string]Status{
		"A parcel in the lift is weighed before the matching letter on that lift.":     Grounded,
		"A parcel in the lift is not weighed before the matching letter on that lift.": Unsupported,
	} {
		if v := checker.Check(Claim{Text: claim, Citations: []Citation{{SourceID: "S1"}}}); v.Status != want {
			t.Errorf("%q: %s (%s), want %s", claim, v.Status, v.Because, want)
		}
	}
}
