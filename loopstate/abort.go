package loopstate

import "github.com/citeloop/citeloop/internal/lazyregexp"

var (
	// goesOn matches what models fill the argument with if nobody stops: nothing, a word for no, or "keep going".
	goesOn = lazyregexp.New(`(?i)^\PL*$|n['’]t\b|[不否无別别继継続]|нет|продолж` +
		`|\b(?:no|none|not|never|nothing|nobody|without|cannot|dont|false|f|n|na|nan|nil|null|off|nein|nicht|keine?|non|ne)\b` +
		`|\b(?:continu|proceed|resum|keep |go on|goes on|going on|go ahead|carry|carrying|weiter|fortsetz)`)
	// ends matches what begins with an end.
	ends = lazyregexp.New(`(?i)^\W*(?:the user )?(?:wants to |asked to |decided to )?(?:stop|abort|cancel|quit|halt|terminat|end)`)
)

// declines reports whether a reason to abort may say that nobody aborts. An abort cannot be undone, so a doubtful one needs other words.
func declines(reason string) bool { return goesOn.MatchString(reason) && !ends.MatchString(reason) }
