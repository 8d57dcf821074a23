package fetch

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Texts of pages that answer 200 and hold no document. Each set is used only together with a bound on the
// length of the text: articles about these things contain the same words.
var (
	challengeWords = regexp.MustCompile(`(?i)just a moment\.\.\.|checking (if the site connection is secure|your browser before)|verify(ing)? (that )?you are (a )?human|are you a robot|attention required! \| cloudflare|cf-browser-verification|unusual (traffic|activity) (from|detected)|complete the (captcha|security check)|pardon our interruption|request unsuccessful\. incapsula|bot verification|ddos protection by`)
	deniedWords    = regexp.MustCompile(`(?i)^\s*(access denied|403 forbidden|forbidden|request blocked|you have been blocked)\s*($|[-|:.!\n])|you don't have permission to access|your (ip|access).{0,40}(has been )?(blocked|denied)`)
	scriptWords    = regexp.MustCompile(`(?i)(enable|turn on|activate|requires?|needs?|without|allow) (your )?java ?script|java ?script (is |seems to be )?(disabled|not enabled|required|must be enabled|needs to be enabled)|java ?script (aktivieren|activé)|activer javascript|habilit(e|ar) (el )?javascript|unsupported browser`)
	missingWords   = regexp.MustCompile(`(?i)^\s*(error )?404\s*($|[-|:.!]|error|not found|page)|page (was |is )?(not found|cannot be found|can't be found|could not be found|doesn't exist|does not exist|no longer (exists|available))|^\s*not found\s*$|seite nicht gefunden|page introuvable|página no encontrada`)
	paywallWords   = regexp.MustCompile(`(?i)(subscribe|sign in|log in|register|become a (member|subscriber)).{0,40}to (continue|keep|read|unlock|access)|(this|the) (article|content|story) is (only )?(available |reserved )?(for|to) (our )?(paying )?(subscribers|members)|purchase (this article|access)|get (full )?access to this article|already a subscriber\?`)
)

const (
	// Shells, error and challenge pages are shorter than this, in code points. Chosen: above it the words are
	// taken to be the subject of the page.
	shellChars = 1000
	// A preview before a wall. Above this a text that is declared to be not free is taken as read: many sites
	// declare it and serve the whole.
	previewChars = 1500
)

// judge decides whether an extracted text is a source, and says why when it is not.
func judge(x extraction) (Status, string) {
	text := x.Text
	switch {
	case x.Chars < shellChars && (challengeWords.MatchString(x.Title) || challengeWords.MatchString(text)):
		return StatusBlocked, "the site answers with a check for browsers that a program cannot pass"
	case x.Chars < shellChars && (deniedWords.MatchString(x.Title) || deniedWords.MatchString(text)):
		return StatusBlocked, "the site refuses automatic readers, or this one"
	case x.Chars < shellChars && (missingWords.MatchString(x.Title) || missingWords.MatchString(firstLine(text))):
		return StatusNotFound, "the page says that it does not exist"
	case x.notFree && x.Chars < previewChars, x.Chars < shellChars && paywallWords.MatchString(text) && x.ContentType == typeHTML:
		return StatusPaywalled, fmt.Sprintf("the site shows only a preview of %d characters", x.Chars)
	case x.Chars < shellChars/2 && scriptWords.MatchString(text):
		return StatusBlocked, "the page is a shell that needs JavaScript to show its text"
	case x.Chars >= MinChars:
		return StatusRead, ""
	case x.needsScript:
		return StatusTooShort, fmt.Sprintf("only %d characters of text, a source has at least %d; the page needs JavaScript to show its text", x.Chars, MinChars)
	case x.forwardsTo != "":
		return StatusTooShort, fmt.Sprintf("only %d characters of text, a source has at least %d; the page forwards to %s", x.Chars, MinChars, x.forwardsTo)
	default:
		return StatusTooShort, fmt.Sprintf("only %d characters of text, a source has at least %d", x.Chars, MinChars)
	}
}

func saysChallenge(body string) bool { return challengeWords.MatchString(body) }

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func codePoints(s string) int { return utf8.RuneCountInString(s) }
