package passages

import (
	"slices"
	"strings"
	"testing"
)

func ranked(t *testing.T, claim, text string) []string {
	t.Helper()
	var out []string
	read := NewText(text)
	for _, c := range Rank(claim, []*Text{read}, 5) {
		out = append(out, read.Sentences[c.Sentence].Text)
	}
	return out
}

func TestRankFindsTheSentence(t *testing.T) {
	for _, c := range []struct{ name, claim, text, want string }{
		{"synonym", "The firm purchased a large mill.", "The mill is old. It makes paper for books. In May the company bought a big mill from its rival. The mill closed.", "In May the company"},
		{"derived word", "They decided to weaken the rule.", "A rule is a rule. The decision brought a weakening of it. They were there, they said. The rule is old.", "The decision"},
		{"number word in another language", "Forty-eight pupils chose a name.", "Die Schule liegt am See und ist sehr alt. Insgesamt 48 Schüler wählten einen Namen aus. Der See ist tief und die Stadt liegt mit dem Hafen auf der anderen Seite.", "Insgesamt 48"},
		{"place and word in Chinese", "A school in Hong Kong received koalas.", "海洋公园很大。香港的学校收到了考拉。天气很热。", "香港的学校"},
		{"second sentence says the rest", "The bridge was built in 1890 and carries trains.", "The bridge was built in 1890 by the town. The bridge was built in 1890 of steel. It carries goods trains. The town is small.", ""},
	} {
		got := ranked(t, c.claim, c.text)
		if len(got) == 0 || !strings.HasPrefix(got[0], c.want) {
			t.Errorf("%s: first is %q", c.name, got)
		}
		if c.want == "" && !slices.Contains(got[:2], "It carries goods trains.") {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

func TestRankIsStable(t *testing.T) {
	text := strings.Repeat("The same words come again. ", 30)
	first := Rank("the same words", []*Text{NewText(text), NewText(text)}, 5)
	for range 5 {
		if again := Rank("the same words", []*Text{NewText(text), NewText(text)}, 5); !slices.Equal(first, again) {
			t.Fatalf("%v, then %v", first, again)
		}
	}
	if len(first) != 5 || first[0].Text != 0 {
		t.Errorf("equal sentences go by their place: %v", first)
	}
}

func TestContext(t *testing.T) {
	text := "# Prices\n\n| year | price |\n| --- | --- |\n| 2019 | 4 |\n| 2020 | 5 |\n\n## Needs\n\nYou need these tools:\n\n- a saw\n- a hammer\n"
	read := NewText(text)
	for _, c := range []struct {
		sentence string
		want     []string
	}{
		{"| 2020 | 5 |", []string{"# Prices", "| year | price |"}},
		{"- a hammer", []string{"## Needs", "You need these tools:"}},
		{"# Prices", nil},
	} {
		i := slices.IndexFunc(read.Sentences, func(p Passage) bool { return p.Text == c.sentence })
		var got []string
		for _, p := range read.Context(i) {
			got = append(got, p.Text)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.sentence, got, c.want)
		}
	}
}

func TestSplitLeavesNoBareHeading(t *testing.T) {
	text := "# Title\n\nThe first paragraph says something.\n\nHistory\n\nThe second one says more.\n\nYou need:\n\n- a saw\n"
	want := []string{"# Title\n\nThe first paragraph says something.", "History\n\nThe second one says more.", "You need:\n\n- a saw"}
	var got []string
	for _, p := range Split(text, 200) {
		got = append(got, p.Text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

func TestSentencesAroundOrdinalsAndOmissions(t *testing.T) {
	for _, s := range []string{
		"Das Ticket kommt zum 1. April 2023 und gilt bis 16. November.",
		"Im 19. Jahrhundert war die Stadt klein.",
		"Use CREATE TABLE ... PARTITION OF to make one.",
		"He said: \"She came [...] Nobody saw her.\"",
	} {
		if got := Sentences(s); len(got) != 1 {
			t.Errorf("%q is cut: %v", s, got)
		}
	}
	for _, s := range []string{"He waited... Then he left.", "It costs 16. The other is free.", "Es waren 16. Danach kam niemand."} {
		if got := Sentences(s); len(got) != 2 {
			t.Errorf("%q: %v", s, got)
		}
	}
}
