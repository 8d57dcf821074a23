package prompts

import (
	"strings"
	"testing"
)

// Rules that only the host's model can follow, so that a prompt must state them, by their numbers in
// docs/mechanisms.md. TestPromptsRequireTheMechanisms has the other numbers.
func TestPromptsStateTheRules(t *testing.T) {
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
	}
	squeeze := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	for _, tt := range tests {
		t.Run(tt.number+" "+tt.prompt, func(t *testing.T) {
			name, angle, _ := strings.Cut(tt.prompt, ":")
			var extra []string
			if angle != "" {
				extra = []string{ArgAngle, angle}
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
