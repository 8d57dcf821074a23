package loopstate

import (
	_ "embed"
	"sync"

	"github.com/citeloop/citeloop/internal/translations"
)

//go:embed data/messages.txt
var messagesFile string

var messages = sync.OnceValue(func() map[string]translations.Table { return translations.Parse(messagesFile) })

// messages returns the texts of gaps in the language of the question.
func (s *State) messages() translations.Table { return messages()[s.Language()] }

// against returns a query for counter-evidence.
func (s *State) against(subject string) string {
	words := s.messages()
	if l := WrittenIn(subject); l == "ko" || l == "ru" {
		words = messages()[l]
	}
	return words.T("criticism of %s", subject)
}
