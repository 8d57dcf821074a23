package grounding

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var harbourSources = []Source{
	{ID: "S1", Text: "The quay of Aldmoor was built in 1904. It cost 12,000 crowns, which the town borrowed from a bank. The lamps of the lighthouse were lit by gas until 1911."},
	{ID: "S2", Text: "Dredging the channel of Aldmoor took four summers. The dredging cost 3,400 crowns a year. Pilots complained that the channel silted up again within two years."},
	{ID: "S3", Text: "A copy of the record follows. The dredging cost 3,400 crowns a year."},
}

func TestOmissions(t *testing.T) {
	question := "What did Aldmoor pay for its quay and for dredging the channel?"
	tests := []struct {
		name, draft string
		topics      []string
		used        []Evidence
		want        []string // beginnings of the passages' texts, in any order
		never       []string
		unanswered  []string
	}{
		{name: "what no sentence uses, its copy once", draft: "The quay of Aldmoor was built in 1904. [S1]\n", topics: []string{question, "What did dredging cost?"},
			want: []string{"The dredging cost"}, never: []string{"The quay of Aldmoor was built"}, unanswered: []string{"What did dredging cost?"}},
		{name: "what is said in other words is not left out", draft: "Dredging cost 3,400 crowns per year, and the quay cost 12,000 crowns borrowed from a bank.\n", topics: []string{question, "What did dredging cost?"},
			never: []string{"The dredging cost", "It cost 12,000"}},
		{name: "where a sentence rests, nothing is left out", draft: "The channel of Aldmoor was dredged, and pilots complained.\n", topics: []string{question},
			used: []Evidence{{SourceID: "S2", Start: 0, End: 200}}, never: []string{"Dredging the channel", "Pilots complained"}},
		{name: "a long topic, clause by clause", draft: "Piles under the wall stop the sinking of the quay. The mud of the channel goes away with each flood. A survey in spring watches the depth of the harbour.\n",
			topics: []string{question, "How can the sinking quay be stopped, the mud of the silted channel be removed without closing the port, and the depth of the harbour be watched?"}},
		{name: "a long topic, one clause of three", draft: "Piles under the wall stop the sinking of the quay.\n",
			topics:     []string{question, "How can the sinking quay be stopped, the mud of the silted channel be removed without closing the port, and the depth of the harbour be watched?"},
			unanswered: []string{"How can the sinking quay be stopped, the mud of the silted channel be removed without closing the port, and the depth of the harbour be watched?"}},
		{name: "a long topic, all but one clause", draft: "Piles under the wall stop the sinking of the quay. The mud of the silted channel is removed by a dredger at night, and the port stays open.\n",
			topics:     []string{question, "How can the sinking quay be stopped, the mud of the silted channel be removed without closing the port, and the herring fleet be told?"},
			unanswered: []string{"and the herring fleet be told?"}},
		{name: "a procedure is asked for", draft: "Dredging was expensive for the town.\n", topics: []string{question, "give a procedure"}, unanswered: []string{"give a procedure"}},
		{name: "a procedure is given", draft: "## Steps\n\n1. Close the channel.\n2. Dredge it.\n", topics: []string{question, "give a procedure"}},
		{name: "what can fail is asked for", draft: "Dredging was expensive for the town.\n", topics: []string{question, "what can go wrong"}, unanswered: []string{"what can go wrong"}},
		{name: "what can fail is said", draft: "The dredger fails in storms.\n", topics: []string{question, "what can go wrong"}},
		{name: "what the sources omit is asked for", draft: "The records name each sum, not each name.\n", topics: []string{question, "say what the records do not tell us"}, unanswered: []string{"say what the records do not tell us"}},
		{name: "what the sources omit is said", draft: "The sources do not say who paid.\n", topics: []string{question, "say what the records do not tell us"}},
		{name: "what the sources omit has a heading", draft: "## What the records do not tell\n\n- names of the pilots\n", topics: []string{question, "say what the records do not tell us"}},
		{name: "words for the kind of answer find no passage", draft: "Nothing.\n", topics: []string{"Give a procedure, say what the records do not tell, and what can go wrong."}, never: []string{"A copy of the record"},
			unanswered: []string{"Give a procedure, say what the records do not tell, and what can go wrong."}},
		{name: "kinds of answers and areas, not subjects", draft: "## First day\n\n1. Run `dredge --test`.\n\n## First month\n\n| Ship | Verdict |\n| --- | --- |\n| Heron | unlike the Gannet |\n\nThe record of 1904 is out of date.\n",
			topics: []string{question, "first-day procedure with commands", "first-month procedure with commands", "comparison per area in tables", "disagreements and outdated advice with a choice and reasons", "say where records disagree or are out of date"}},
		{name: "a table and commands are asked for", draft: "Dredging was expensive for the town.\n", topics: []string{question, "dredging in a table", "dredging with commands"}, unanswered: []string{"dredging in a table", "dredging with commands"}, never: []string{"The dredging cost", "Dredging the channel"}},
		{name: "a number is asked for", draft: "Dredging was expensive for the town.\n", topics: []string{question, "names the sum paid for dredging"}, unanswered: []string{"names the sum paid for dredging"}},
		{name: "a date is asked for", draft: "The quay was built by the town.\n", topics: []string{question, "When was the quay built?"}, unanswered: []string{"When was the quay built?"}},
		{name: "a date is given", draft: "The quay was built in 1904.\n", topics: []string{question, "When was the quay built?"}},
		{name: "a heading counts", draft: "# Dredging\n\nIt took 3,400 crowns a year.\n", topics: []string{question, "What did dredging cost?"}},
		{name: "another language is not judged", draft: "Der Kai wurde von der Stadt gebaut, und sie hat dafür Geld von der Bank geliehen.\n", topics: []string{question, "explains the silting of the channel"}},
		{name: "no topics", draft: "The quay was built.\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := NewChecker(harbourSources).Omissions(Answer{Text: tt.draft, Topics: tt.topics, Used: tt.used})
			if diff := cmp.Diff(tt.unanswered, got.Unanswered); diff != "" {
				t.Errorf("unanswered (-want +got):\n%s", diff)
			}
			found := func(beginning string) (n int) {
				for _, p := range got.Passages {
					if strings.HasPrefix(p.Text, beginning) {
						n++
					}
				}
				return n
			}
			for _, w := range tt.want {
				if found(w) != 1 {
					t.Errorf("%q is %d times among %v", w, found(w), got.Passages)
				}
			}
			for _, w := range tt.never {
				if found(w) != 0 {
					t.Errorf("%q is among %v", w, got.Passages)
				}
			}
			again := NewChecker(harbourSources).Omissions(Answer{Text: tt.draft, Topics: tt.topics, Used: tt.used})
			if diff := cmp.Diff(got, again); diff != "" {
				t.Errorf("the same question gives another answer:\n%s", diff)
			}
		})
	}
}

// The writer of a draft learns which sections of a cited page no answer has shown.
func TestOmissionsNameUnreadSections(t *testing.T) {
	long := strings.Repeat("The harbour board of Aldmoor met in the old customs hall and wrote down what it had decided that day. ", 6)
	page := "1. Building the quay\n\n" + long + "\n\n2. Dredging the channel\n\n" + long + "\n\nQuay = 3\n\n3. Lamps of the lighthouse\n\n" + long + "\n\n4. A short part\n\nNothing more.\n"
	sources := []Source{{ID: "S1", Text: page}, {ID: "S2", Text: page}, {ID: "S3", Text: strings.Repeat(page, 40)}}
	shown := func(e Evidence) int { return max(0, min(e.End, 600)-e.Start) }
	used := []Evidence{{SourceID: "S1", Start: 30, End: 90}, {SourceID: "S3", Start: 30, End: 90}}
	answer := Answer{Text: "The board met in the customs hall.\n", Topics: []string{"What did the board decide?"}, Used: used, Shown: shown}
	got := NewChecker(sources).Omissions(answer).Unread
	if len(got) != 1 || got[0].SourceID != "S1" || got[0].More != 0 {
		t.Fatalf("%+v", got)
	}
	var headings []string
	for _, h := range got[0].Sections {
		headings = append(headings, h.Text)
		if !strings.HasPrefix(page[h.Start:], h.Text) {
			t.Errorf("%q is not at %d", h.Text, h.Start)
		}
	}
	if diff := cmp.Diff([]string{"2. Dredging the channel", "3. Lamps of the lighthouse"}, headings); diff != "" {
		t.Errorf("sections (-want +got):\n%s", diff)
	}
	if share := got[0].Share; share < 0.6 || share > 0.7 {
		t.Errorf("%.2f of the text was not shown", share)
	}
	if answer.Shown = nil; NewChecker(sources).Omissions(answer).Unread != nil {
		t.Error("where nothing is known of what was shown, sections are named")
	}
	answer.Shown = func(e Evidence) int { return e.End - e.Start }
	if got := NewChecker(sources).Omissions(answer).Unread; got != nil {
		t.Errorf("all was shown: %+v", got)
	}
}

func TestOmissionsAreFew(t *testing.T) {
	var text strings.Builder
	for _, subject := range strings.Fields("quay lighthouse breakwater customs railway pilots dredging warehouse cranes ferries anchors nets ropes sails lamps") {
		text.WriteString("The harbour board of Aldmoor paid for the " + subject + " with money of the " + subject + " guild in that year.\n\n")
	}
	got := NewChecker([]Source{{ID: "S1", Text: text.String()}}).Omissions(Answer{Text: "Nothing.", Topics: []string{"What did the harbour board of Aldmoor pay for?"}})
	if len(got.Passages) == 0 || len(got.Passages) > maxOmitted {
		t.Errorf("%d passages, at most %d are meant", len(got.Passages), maxOmitted)
	}
}

func TestQuestionParts(t *testing.T) {
	tests := []struct {
		name, question string
		want           []string
	}{
		{"one", "Why did the quay sink?", []string{"Why did the quay sink?"}},
		{"comma and conjunction", "What did the boards pay for, and when?", []string{"What did the boards pay for", "when?"}},
		{"two sentences", "Who built it? How much did it cost?", []string{"Who built it?", "How much did it cost?"}},
		{"a relative clause is no part", "Which towns had a quay that sank?", []string{"Which towns had a quay that sank?"}},
		{"German", "Wie wirkt das Mittel, und welche Nebenwirkungen hat es?", []string{"Wie wirkt das Mittel", "welche Nebenwirkungen hat es?"}},
		{"French", "Comment agit le remède et combien coûte-t-il ?", []string{"Comment agit le remède", "combien coûte-t-il ?"}},
		{"Spanish", "¿Cómo actúa el remedio y cuánto cuesta?", []string{"¿Cómo actúa el remedio", "cuánto cuesta?"}},
		{"circumstances before the question", "Our quay sinks by a hand every year. The town has no money. How can it be saved, and what would that cost?", []string{"How can it be saved", "what would that cost?"}},
		{"orders", "How can the quay be saved? Compare the ways with their prices; give a plan; say what the records do not tell us.",
			[]string{"How can the quay be saved?", "Compare the ways with their prices", "give a plan", "say what the records do not tell us."}},
		{"a noun like an order", "What stands in the register and list of ships?", []string{"What stands in the register and list of ships?"}},
		{"circumstances alone", "The quay of Aldmoor. Its cost.", []string{"The quay of Aldmoor.", "Its cost."}},
		{"German orders", "Unser Kai sinkt. Vergleiche die Verfahren, nenne die Kosten.", []string{"Vergleiche die Verfahren", "nenne die Kosten."}},
		{"Chinese", "它为什么下沉？费用是多少？", []string{"它为什么下沉？", "费用是多少？"}},
		{"listed troubles", "A town has troubles: (1) the quay sinks; (2) the ferry is late when the tide is low. What can it do, and what would that cost?",
			[]string{"the quay sinks", "the ferry is late when the tide is low.", "What can it do", "what would that cost?"}},
		{"empty", "", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, QuestionParts(tt.question)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
