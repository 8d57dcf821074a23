package loopstate

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/citeloop/citeloop/internal/text/query"
	"github.com/citeloop/citeloop/internal/text/words"
	"github.com/citeloop/citeloop/internal/translations"
)

//go:embed data/messages.txt
var messagesFile string

var messages = sync.OnceValue(func() map[string]translations.Table { return translations.Parse(messagesFile) })

// Language returns the language of the question: de, fr, es, zh or ja, or en for English, other and unknown ones.
func (s *State) Language() string {
	return query.Language(s.Query + " " + strings.Join(s.Rubrics, " "))
}

// messages returns the texts of gaps in the language of the question.
func (s *State) messages() translations.Table { return messages()[s.Language()] }

// against returns a query for counter-evidence.
func (s *State) against(subject string) string {
	table := s.messages()
	if l := words.Script(subject); l == "ko" || l == "ru" {
		table = messages()[l]
	}
	return table.T("criticism of %s", subject)
}
