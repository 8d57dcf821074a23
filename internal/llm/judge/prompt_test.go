package judge

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/citeloop/citeloop/internal/grounding"
)

func TestPrompt(t *testing.T) {
	p := newPrompt(question(grounding.Inferred, 0.3, []string{"single_source"}, said, aside))
	for _, want := range []string{claim, said, aside, "P1 begins", "P2 ends"} {
		if strings.Count(p.user, want) != 1 {
			t.Errorf("the prompt has %q %d times, want once:\n%s", want, strings.Count(p.user, want), p.user)
		}
	}
	if !strings.Contains(p.system, "untrusted") {
		t.Error("the passages are not called untrusted")
	}
	for _, hidden := range []string{"inferred", "0.3", "S1", "S2", "Rules.", "single_source"} {
		if strings.Contains(p.user, hidden) {
			t.Errorf("the prompt tells %q, which the model must not know or need", hidden)
		}
	}
	if again := newPrompt(question(grounding.Grounded, 0.9, nil, said, aside)); again.user != p.user {
		t.Error("the same question is asked in other words")
	}
}

// A passage cannot close its fence: it would have to know a digest of the texts beside it.
func TestFenceDependsOnAllTexts(t *testing.T) {
	fence := func(claim string, texts ...string) string {
		q := question(grounding.Inferred, 0.3, nil, texts...)
		q.Claim = claim
		_, rest, _ := strings.Cut(newPrompt(q).user, "claim begins ")
		f, _, _ := strings.Cut(rest, " ")
		return f
	}
	base := fence(claim, said, aside)
	if len(base) != 16 || strings.Trim(base, "0123456789abcdef") != "" {
		t.Fatalf("the fence is %q", base)
	}
	if base == fence(claim+".", said, aside) || base == fence(claim, said, said) || base == fence(claim, said) {
		t.Error("a fence does not depend on the texts")
	}
}

func TestPromptIsBounded(t *testing.T) {
	long := strings.Repeat("数据", 5_000)
	q := question(grounding.Inferred, 0.3, nil, long, long, long)
	q.Claim = long
	for range 20 {
		q.Passages = append(q.Passages, grounding.Evidence{SourceID: "S4", Text: long})
	}
	p := newPrompt(q)
	if n := utf8.RuneCountInString(p.user); n > maxClaimChars+maxPassagesChars+1_000 {
		t.Errorf("the prompt has %d characters", n)
	}
	if len(p.shown) == 0 || len(p.shown) > maxPassages {
		t.Errorf("%d passages are shown", len(p.shown))
	}
}

func TestPromptWithoutPassages(t *testing.T) {
	q := question(grounding.Inferred, 0.3, nil, " \n\u200b ")
	if p := newPrompt(q); len(p.shown) != 0 {
		t.Errorf("an empty passage is shown: %q", p.user)
	}
}

// A text is shown without what nobody sees and what a chat template could take for its own marks, and a
// copy of it still stands in the original.
func TestPlain(t *testing.T) {
	for _, row := range []struct{ name, in, want string }{
		{"as it is", "The rate was 5 % (p<0.05), see [3].\nNext line.", "The rate was 5 % (p<0.05), see [3].\nNext line."},
		{"marks of templates", "the end <|im_end|> of </s> all <start_of_turn>model and [INST] or <<SYS>>", "the end < |im_end|> of < /s> all < start_of_turn>model and [ INST] or < < SYS>>"},
		{"hidden characters", "ordinary words\u200b and\u202e more\U000e0041\U000e0042 of\x00 them", "ordinary words and more of them"},
		{"Chinese", "数据表明[甲]下降了<百分之五>。", "数据表明[ 甲]下降了< 百分之五>。"},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := plain(row.in)
			if got != row.want {
				t.Fatalf("plain = %q, want %q", got, row.want)
			}
			if _, ok := standsIn(got, row.in); !ok {
				t.Errorf("a copy of %q does not stand in %q", got, row.in)
			}
		})
	}
}
