package prompts

import (
	"strings"
	"testing"

	"github.com/citeloop/citeloop/internal/wording"
	"github.com/citeloop/citeloop/loopstate"
)

func named(t *testing.T, name string) Prompt {
	t.Helper()
	for _, p := range All() {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("no prompt %s", name)
	return Prompt{}
}

func render(t *testing.T, name string, l Loop, extra ...string) string {
	t.Helper()
	given := map[string]string{ArgStateID: l.StateID}
	if l.StateID == "" {
		given = map[string]string{ArgQuery: l.Question}
	}
	for i := 0; i < len(extra); i += 2 {
		given[extra[i]] = extra[i+1]
	}
	text, err := named(t, name).Render(l, given)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// No prompt has a hole where the loop has no data for it.
func TestPromptsHaveNoHoles(t *testing.T) {
	for _, p := range All() {
		got := render(t, p.Name, englishLoop(), extraFor(p)...)
		if p.Drafts {
			got += render(t, p.Name, withDraft(englishLoop()), extraFor(p)...)
		}
		if strings.Contains(got, "\n\n\n\n") || strings.Contains(got, "<no value>") {
			t.Errorf("%s has a hole:\n%s", p.Name, got)
		}
	}
}

// The requirements of each prompt, by the numbers of docs/mechanisms.md: each prompt must contain the given words,
// ignoring white space.
func TestPromptsRequireTheMechanisms(t *testing.T) {
	tests := []struct {
		number string
		prompt string // "searcher:byEntity" for one angle
		words  []string
	}{
		{"1", "critic", []string{"Your list of gaps is the work-list of the next round"}},
		{"3", "synthesize", []string{"A sentence without a source is an opinion: cut it, or find the source"}},
		{"4", "research", []string{"the strongest case against the answer that is forming", "one searcher's whole job in every round"}},
		{"4", "critic", []string{"is the opposing case steel-manned", "Reject a synthesis without it"}},
		{"6", "synthesize", []string{"Copies of one press release are one origin"}},
		{"8", "critic", []string{"ONLY if closing it would CHANGE a claim, not add one more confirming citation"}},
		{"13", "synthesize", []string{`"source_ids": ["S1:120-128"]`, "A concatenated list of quotes is a failure"}},
		{"31", "searcher:byEntity", []string{"A hit you could not read (404, paywall, empty shell) is not a source"}},
		{"47", "research", []string{"No source text, no claim"}},
		{"70", "critic", []string{"the loop asks for two in a row"}},
		{"71", "searcher:byEntity", []string{"you do not see what they found, and must not"}},
		{"94", "research", []string{"Two or three rounds are the usual measure"}},
		{"96", "research", []string{"Never go on beyond 8 rounds without the user's word"}},
		{"119", "synthesize", []string{"Never average two figures", "Cite BOTH sources"}},
		{"125", "synthesize", []string{"Use ONLY the texts of these sources, nothing that you remember"}},
		{"141", "research", []string{"durability (high)", "1. Gather", "2. Read", "3. Synthesize", "5. Critic (prompt critic) and coverage (prompt coverage)", "THE TEXT"}},
		{"145", "coverage", []string{"Does the new zinc coating double the life of coastal bridges?", "durability (high)", "The coating lasts 40 years.", "round 2 of at most 5"}},
		{"175", "coverage", []string{"the first is run as the next query"}},
		{"182", "coverage", []string{"What could not be looked at (blocked, paywalled) is not known to be absent"}},
		{"183", "searcher:byEntity", []string{"Search in other languages too where the sources are written in them"}},
		{"183", "critic", []string{"no search was run for? A language?"}},
		{"10, 11", "research", []string{"one angle each, blind to one another", "ONE target gap"}},
		{"19", "searcher:byEntity", []string{"Enumerate the KEY ENTITIES", "people, organisations, studies, products, places", "each by NAME", "primary source, not commentary", "canonical or original version"}},
		{"20", "searcher:byTimeWindow", []string{"seminal or origin source", "current state of the art", "last 18 MONTHS (since 2024-09-01) that supersedes", "wrong, not just stale"}},
		{"21", "searcher:bySourceType", []string{"peer-reviewed > official or primary > reputable press > practitioner", "Do NOT return four blog posts", "only secondary coverage is weaker"}},
		{"22", "searcher:byCounterArg", []string{"STRONGEST case AGAINST", `"criticism of", "limitations of", "failed to replicate"`, "dissenting experts", "contrary data", "steel-man, not the strawman", "best opposing source"}},
		{"23", "searcher:byEntity", []string{`{"hits": [{"url", "title", "sourceType": "peer" | "primary" | "press" | "practitioner", "snippet", "whyRelevant"`}},
		{"24", "searcher:byEntity", []string{"ONLY through your angle", "READ it", "Return ONLY sources whose text you actually retrieved"}},
		{"25", "searcher:byEntity", []string{`{"hits": []}`, "Empty is honest; padding is not."}},
		{"34", "synthesize", []string{`{"claims": [{"claim", "source_ids": ["S1:120-128"], "confidence": "high" | "med" | "low"}]`}},
		{"35", "synthesize", []string{`"contradictions": [{"topic", "resolution", "why", "source_ids"`}},
		{"36", "synthesize", []string{"Use ONLY the texts of these sources", "EVERY claim cites the sources it rests on, with the lines that say it", "never invent an id or a line", "RESOLVE it by the quality and the recency", "record it under contradictions with WHY", "concatenated list of quotes is a failure"}},
		{"37, 46", "synthesize", []string{"HALLUCINATED CITATION", "A claim with no source id fails", "every round"}},
		{"37, 46", "research", []string{"HALLUCINATED CITATION", "verify_citations with all claims"}},
		{"37, 46", "critic", []string{"HALLUCINATED CITATION", "verify_citations with all claims"}},
		{"38", "critic", []string{`"kind": "modality" | "unverified-claim" | "unread-source" | "missing-counterarg" | "unresolved-contradiction"`}},
		{"39", "critic", []string{"if and only if zero MATERIAL gaps remain", "cosmetic gaps do not block"}},
		{"40", "critic", []string{"SOURCES ACTUALLY READ", "an entity, a time window or a source type that no search was run for"}},
		{"41", "critic", []string{"rest on one weak or secondary source, or on none"}},
		{"42", "critic", []string{"key primary source referred to, and never fetched"}},
		{"43", "critic", []string{"opposing case steel-manned, or is it absent or a strawman"}},
		{"44", "critic", []string{"disagreement appended instead of adjudicated"}},
		{"45", "critic", []string{"concrete next QUERY that would close it, a priority (a number, higher first) and material: true ONLY if closing it would CHANGE a claim"}},
		{"54", "research", []string{"Two signals must both turn", "open material gaps go to 0", "new sources of a round become few"}},
		{"55", "research", []string{"9, 22, 16, 7, 2 new sources with 6, 4, 1, 0, 0 open material gaps"}},
		{"56", "research", []string{"gaps stay above 0 while the sources climb", "too broad (decompose it, each sub-question a loop of its own) or a gap cannot be answered"}},
		{"57", "research", []string{"explicit OPEN QUESTION with why", "leaves the count", "never dropped silently"}},
		{"57", "synthesize", []string{"Name each open question with why it is open", "Nothing is dropped silently"}},
		{"59", "research", []string{"A vague question gives vague gaps"}},
		{"62", "research", []string{"rounds table (round, sources, new, claims, open gaps, sign-off)", "list of open questions, each with why"}},
		{"102", "research", []string{"As of: 2026-03-01", "put the date into the query"}},
		{"102", "searcher:byTimeWindow", []string{"As of: 2026-03-01", "put the date into the query"}},
		{"104, 111", "critic", []string{"You verify; you do not write a second synthesis", "against the originals below, never against a summary"}},
		{"106", "critic", []string{"grounded: a reader found that the cited lines say it", "inferred: nobody has read them yet", "unsupported: no text that was read says it"}},
		{"112", "critic", []string{"Find the PASSAGE that it rests on"}},
		{"113", "critic", []string{"flag BOTH", "Checking sub-question by sub-question is cheaper and misses this"}},
		{"114", "critic", []string{`("A and B both confirm") needs a passage of each of them`}},
		{"147", "coverage", []string{`"importance": "critical" | "important" | "minor", "questions": [`, `"source_types": ["peer"`}},
		{"148", "coverage", []string{"concrete facts, numbers, dates, names", "verified claims with evidence", "details of the TARGET entity"}},
		{"149", "coverage", []string{`"we could not find X", "no data for Y", "unverified", "unknown"`, "competitors or the industry in place of the target's", "generic market background", "but competitors do …\" is a gap"}},
		{"150", "coverage", []string{"founding date, products, team", "significantly improve understanding", "nice to have"}},
		{"151", "coverage", []string{"0.85 or more, with no critical gap and with substantive information: complete"}},
		{"152", "coverage", []string{`Mostly "we do not know": below 0.4`}},
		{"153", "coverage", []string{"Below 0.6 with several gaps: continue"}},
		{"154", "coverage", []string{"At the last round: complete"}},
		{"167", "synthesize", []string{"About 1800 words"}},
		{"168", "synthesize", []string{"dedicated sub-section (###) for each research area, 250-400 words each", "250-400 words with the key insights", "SAME language as the query"}},
		{"169", "synthesize", []string{"## Executive Summary", "## Detailed Findings", "## Limitations and Uncertainties: only if significant gaps remain"}},
		{"170", "synthesize", []string{"Inline citations on ALL factual statements, at least 6", "[1], [2]", `Do NOT write "## Sources"`, "the report appends it"}},
		{"173", "continue_report", []string{"Continue from the last sentence", "Do NOT repeat", "SAME language", "half as many tokens", "Join the two parts with a blank line", "same headings", "same citation style"}},
		{"C14", "coverage", []string{"fewer than three verifiable facts"}},
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	for _, tt := range tests {
		t.Run(tt.number+" "+tt.prompt, func(t *testing.T) {
			name, angle, _ := strings.Cut(tt.prompt, ":")
			var extra []string
			if angle != "" {
				extra = []string{ArgAngle, angle}
			}
			if name == "continue_report" {
				extra = []string{ArgText, "It was cut and"}
			}
			got := squeeze(render(t, name, englishLoop(), extra...))
			for _, words := range tt.words {
				if !strings.Contains(got, squeeze(words)) {
					t.Errorf("mechanism %s: %s does not say %q", tt.number, tt.prompt, words)
				}
			}
		})
	}
}

// Every prompt requests the language of the query, in that language if the script identifies it.
func TestLanguage(t *testing.T) {
	for _, tt := range []struct{ name, question, language string }{
		{"English", "What is it?", ""},
		{"French", "Où est-ce ?", ""},
		{"Chinese", "它是什么？", "Chinese"},
		{"Chinese with Latin names", "OpenAI 最新的模型 GPT-5 有哪些限制？", "Chinese"},
		{"English with a Chinese word", "What does 道 mean in the history of Taoism?", ""},
		{"Japanese", "量子コンピュータは何に使えますか？", "Japanese"},
		{"Korean", "서울의 인구는 얼마입니까?", "Korean"},
		{"nothing", "", ""},
		{"numbers", "42?", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			lang := languageOf(tt.question)
			if lang.Name != tt.language {
				t.Errorf("language %q, want %q", lang.Name, tt.language)
			}
			if lang.Summary == "" || lang.Findings == "" || lang.Limitations == "" {
				t.Errorf("%+v lacks a heading", lang)
			}
			l := englishLoop()
			l.Question = tt.question
			for _, p := range All() {
				if p.Name == "reviewer" {
					continue // this prompt does not have the question or its language
				}
				got := render(t, p.Name, l, extraFor(p)...)
				if !strings.Contains(got, "in the SAME language as the query") || !strings.Contains(got, lang.Say) {
					t.Errorf("%s does not demand the language", p.Name)
				}
			}
		})
	}
}

// extraFor returns the arguments that a prompt needs in addition to the loop.
func extraFor(p Prompt) []string {
	var extra []string
	for _, a := range p.Arguments {
		switch a.Name {
		case ArgAngle:
			extra = append(extra, a.Name, "byEntity")
		case ArgText:
			extra = append(extra, a.Name, "It was cut and")
		}
	}
	return extra
}

// A searcher sees the question, the date, the target and its own angle, but no results of others.
func TestSearcherIsBlind(t *testing.T) {
	l := englishLoop()
	for _, angle := range loopstate.Angles() {
		got := render(t, "searcher", l, ArgAngle, angle.Angle)
		for _, want := range []string{l.Question, l.AsOf, l.StateID, l.Target.Gap, l.Target.Query, angle.Brief} {
			if !strings.Contains(got, want) {
				t.Errorf("%s lacks %q", angle.Angle, want)
			}
		}
		for _, other := range loopstate.Angles() {
			if other != angle && (strings.Contains(got, other.Brief) || strings.Contains(got, other.Angle)) {
				t.Errorf("%s knows of the angle %s", angle.Angle, other.Angle)
			}
		}
		var hidden []string
		for _, s := range l.Sources {
			hidden = append(hidden, s.Title, s.FinalURL)
		}
		for _, c := range l.Claims {
			hidden = append(hidden, c.Claim)
		}
		for _, p := range l.Passages {
			hidden = append(hidden, p.Text)
		}
		for _, e := range l.Unread {
			hidden = append(hidden, e.Title, e.URL)
		}
		hidden = append(hidden, l.Asked...)
		hidden = append(hidden, l.Contradictions[0].Topic, l.Gaps[1].Gap, l.OpenQuestions[0].Gap, "S1", "S2", "C1")
		for _, h := range hidden {
			if strings.Contains(got, h) {
				t.Errorf("%s sees %q", angle.Angle, h)
			}
		}
	}
}

// The prompt describes the next action of the decision.
func TestResearchFollowsTheDecision(t *testing.T) {
	for action, want := range map[string]string{
		loopstate.SearchMore: "Go on with ONE ROUND", loopstate.FetchMore: "at step 2", loopstate.Finalize: "run no further round",
		loopstate.EscalateBudget: "Ask the user", loopstate.Abort: "not continued",
	} {
		l := englishLoop()
		l.Decision.NextAction = action
		if got := render(t, "research", l); !strings.Contains(got, want) {
			t.Errorf("%s: the prompt does not say %q", action, want)
		}
	}
}

func TestLength(t *testing.T) {
	for _, tt := range []struct{ areas, least, words, citations int }{{0, 0, 1800, 6}, {2, 0, 1800, 6}, {5, 0, 2000, 15}, {8, 0, 3200, 24}, {0, 3000, 3000, 6}} {
		l := Loop{Areas: make([]loopstate.Dimension, tt.areas), MinWords: tt.least}
		if l.TargetWords() != tt.words || l.MinCitations() != tt.citations {
			t.Errorf("%d areas: %d words and %d citations, want %d and %d", tt.areas, l.TargetWords(), l.MinCitations(), tt.words, tt.citations)
		}
	}
}

func TestArguments(t *testing.T) {
	for _, tt := range []struct {
		name, prompt string
		given        map[string]string
		argument     string
	}{
		{"no state_id", "critic", nil, "state_id"},
		{"blank state_id", "critic", map[string]string{"state_id": "  "}, "state_id"},
		{"no angle", "searcher", map[string]string{"state_id": "x"}, "angle"},
		{"wrong angle", "searcher", map[string]string{"state_id": "x", "angle": "byMoon"}, "angle"},
		{"no text", "continue_report", map[string]string{"state_id": "x"}, "text"},
		{"long text", "continue_report", map[string]string{"state_id": "x", "text": strings.Repeat("x", loopstate.MaxSynthesisChars+1)}, "text"},
		{"bad bytes", "continue_report", map[string]string{"state_id": "x", "text": "\xff"}, "text"},
		{"unknown argument", "critic", map[string]string{"state_id": "x", "mood": "good"}, "mood"},
		{"research of nothing", "research", nil, "query"},
		{"research of two things", "research", map[string]string{"state_id": "x", "query": "y"}, "query"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := named(t, tt.prompt).Render(englishLoop(), tt.given)
			bad, ok := err.(*wording.Mistake)
			if !ok || bad.Argument != tt.argument || bad.Problem == "" || bad.Remedy == "" {
				t.Errorf("error %v, want one of %s that says what and what next", err, tt.argument)
			}
		})
	}
}

// The reviewer's prompt contains only the id of the loop.
func TestReviewerIsBlind(t *testing.T) {
	l := englishLoop()
	got := render(t, "reviewer", l)
	for _, secret := range []string{l.Question, l.AsOf} {
		if secret != "" && strings.Contains(got, secret) {
			t.Errorf("the reviewer is told %q", secret)
		}
	}
	for _, rule := range []string{"review_claims", l.StateID, "not_stated", "passages alone"} {
		if !strings.Contains(got, rule) {
			t.Errorf("the reviewer is not told %q", rule)
		}
	}
}

// The critic of a draft gets the question, the rubrics, the draft with its lines and the sources, and nothing of what the author or a reader
// thought.
func TestCriticOfADraft(t *testing.T) {
	l := withDraft(englishLoop())
	l.Claims, l.Contradictions, l.Failures, l.Synthesis = englishLoop().Claims, englishLoop().Contradictions, englishLoop().Failures, "my reasons" // even if they were given
	got := render(t, "critic", l)
	for _, want := range []string{l.Question, "names the test method", "3  It lasts 40 years [S1:7-8].", "7  | west | 5 µm a year [S2:21] |", "S1 | 40 lines | press | 2025-11 | A coat for a century", "3 more: loop_get_state", l.Draft.Folder,
		"Work every number and every calculation through", "What two sources say differently", "Consequences across sources", "part by part", "what may be cut instead", "At most 25 points, the most material first",
		"a new conversation that begins with the prompt critic", `"lines": "S1:120; S3:7"`, `critic="read"`} {
		if !strings.Contains(got, want) {
			t.Errorf("the critic is not told %q", want)
		}
	}
	for _, secret := range []string{"single_source", "The coating lasts 40 years.", "different coasts", "my reasons", "It goes on:", "fetch(state_id"} {
		if strings.Contains(got, secret) {
			t.Errorf("the critic is told %q", secret)
		}
	}
	l.Draft.Folder, l.Draft.Of = "", 90
	got = render(t, "critic", l)
	for _, want := range []string{`It goes on: loop_get_state(state_id="` + l.StateID + `", view="critic", cursor="8")`, `fetch(state_id="` + l.StateID + `", url="the address of S1", lines=`, "find_passages("} {
		if !strings.Contains(got, want) {
			t.Errorf("without a folder the critic is not told %q", want)
		}
	}
}
