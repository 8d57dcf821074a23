package fetch

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/citeloop/citeloop/fetch/extract/document"
)

// Texts of pages that answer 200 and hold no document. Each set is used only together with a bound on the
// length of the text: articles about these things contain the same words.
var (
	challengeWords = regexp.MustCompile(`(?i)just a moment\.\.\.|press (&|and) hold|i'm not a robot|are you human|prove you('re| are) (not a robot|human)|human verification|security verification|enter the characters you see|our systems have detected|performing security verification|why did this happen\?|please wait while (we|your)|checking (if the site connection is secure|your browser before)|verify(ing)? (that )?you are (a )?human|are you a robot|attention required! \| cloudflare|cf-browser-verification|unusual (traffic|activity) (from|detected)|complete the (captcha|security check)|pardon our interruption|request unsuccessful\. incapsula|bot verification|ddos protection by`)
	deniedWords    = regexp.MustCompile(`(?i)^\s*(access denied|access to this page has been denied|403 forbidden|forbidden|error 403|403 error|request blocked|sorry, you have been blocked|you have been blocked|zugriff verweigert|accès refusé|acceso denegado)\s*($|[-|:.!\n])|you (don't|do not) have permission to (access|view)|not available in your (country|region|location)|unavailable (in|due to) .{0,30}(legal|gdpr|region)|not accessible (in|from) your (country|region)|error 1020|ray id: |your (ip|access).{0,40}(has been )?(blocked|denied)`)
	missingWords   = regexp.MustCompile(`(?i)^\s*(error )?404\s*($|[-|:.!]|error|not found|page)|page (was |is )?(not found|cannot be found|can't be found|could not be found|doesn't exist|does not exist|no longer (exists|available))|^\s*not found\s*$|(we )?(couldn't|could not|can't|cannot) find (the|that|this) page|(the )?(page|article|content|document) (you('re| are)? )?(were )?(requested|looking for|are looking for).{0,40}(not|no longer|moved|removed|unavailable|doesn't|isn't|can't)|(oops|sorry)[!,.].{0,30}page|this (page|content|article|video|post) (isn't|is not|is no longer) available|^\s*nothing (was )?found( here)?\W*$|seite (wurde )?nicht gefunden|diese seite existiert nicht|pagina non trovata|pagina niet gevonden|sidan (hittades inte|finns inte)|página não encontrada|cette page n'existe pas|error 404|404 error|http 404|410 gone|page introuvable|página no encontrada`)
	paywallWords   = regexp.MustCompile(`(?i)(subscribe|sign in|log in|register|become a (member|subscriber)).{0,40}to (continue|keep|read|unlock|access)|(this|the) (article|content|story) is (only )?(available |reserved )?(for|to) (our )?(paying )?(subscribers|members)|reached your (article )?limit|you('ve| have) (reached|read) (your|all|the).{0,40}(free|limit)|nur für abonnenten|mit .{0,20}abo weiterlesen|jetzt weiterlesen mit|réservé aux abonnés|contenido exclusivo para suscriptores|exclusivo para assinantes|to read the full (article|story)|unlock this (article|story)|start your (free )?trial to read`)
	offerWords     = regexp.MustCompile(`(?i)purchase (this article|access)|get (full )?access to this article|already a (subscriber|member)\?|subscribers? only|for subscribers only|(free )?articles? (left|remaining) this month`)
	cookieWords    = regexp.MustCompile(`(?i)(we|our partners|and our \d+ partners).{0,80}(use|uses|store|access).{0,40}cookies|accept (all )?(cookies|and continue)|cookie (settings|preferences|einstellungen|policy)|before you continue to|bevor sie fortfahren|consent (choices|management)|manage (your )?(consent|privacy)|alle akzeptieren|zustimmen und weiter|tout accepter|agree and (close|proceed|continue)|mit werbung (und tracking )?weiterlesen|do not sell (or share )?my personal`)
	loginWords     = regexp.MustCompile(`(?i)(you (must|need to|have to) (be )?(log(ged)?|sign(ed)?)[ -]?in( first)?( to (view|see|access|continue|read|proceed)|\s*[.!\n]|$)|(please|log in|sign in).{0,10}(log|sign)[ -]?in to (continue|view|see|access|your account)|(log|sign) in to (continue|view|see|access|your account|facebook|linkedin|x\b|instagram)|login (is )?required|authentication required|restricted to (members|registered users)|bitte (melden sie sich an|einloggen)|connectez-vous pour|inicia sesión para)`)
	formWords      = regexp.MustCompile(`(?i)(forgot (your )?password|remember me|keep me (logged|signed) in|create an? (new )?account|passwort vergessen|mot de passe oublié|olvidaste tu contraseña|new to [a-z]+\?|don't have an account)`)
)

const (
	// Shells, error and challenge pages are shorter than this, in code points. Chosen: above it the words are
	// taken to be the subject of the page.
	shellChars = 1000
	// A preview before a wall. Above this a text that is declared to be not free is taken as read: many sites
	// declare it and serve the whole.
	previewChars = 1500

	shellReason = "the page is a shell that needs JavaScript to show its text"
)

// judge decides whether an extracted text is a source, and says why when it is not. Walls are looked for in
// all that the page shows, since what is left of one after the extraction may be any part of it; they are
// believed only when the page shows little else.
func judge(x document.Extraction) (Status, string) {
	text, shown, shownChars := x.Text, x.Shown, x.ShownChars
	if shown == "" {
		shown, shownChars = text, x.Chars
	}
	short := x.Chars < shellChars              // so little text that it may be what stands in the way of it
	bare := short && shownChars < 3*shellChars // and the page around it is small too
	says := func(so func(string) bool) bool {
		return short && so(text) || bare && so(shown)
	}
	switch {
	case short && challengeWords.MatchString(x.Title), says(challengeWords.MatchString):
		return StatusBlocked, "the site answers with a check for browsers that a program cannot pass"
	case short && deniedWords.MatchString(x.Title), says(deniedWords.MatchString):
		return StatusBlocked, "the site refuses automatic readers, or this one"
	case short && (missingWords.MatchString(x.Title) || saysMissing(text) || bare && saysMissing(shown)):
		return StatusNotFound, "the page says that it does not exist"
	case x.ContentType == document.TypeHTML && x.Chars < MinChars && bare && (loginWords.MatchString(text) || loginWords.MatchString(shown)):
		return StatusBlocked, "the site asks for a log-in"
	case x.NotFree && x.Chars < previewChars, x.ContentType == document.TypeHTML && short && (offerWords.MatchString(text) || says(paywallWords.MatchString)):
		return StatusPaywalled, fmt.Sprintf("the site shows only a preview of %d characters", x.Chars)
	case x.ContentType == document.TypeHTML && short && loginWords.MatchString(x.Title), x.ContentType == document.TypeHTML && short && (loginWords.MatchString(text) || x.Chars < MinChars && bare && loginWords.MatchString(shown)), x.ContentType == document.TypeHTML && x.Chars < MinChars && shownChars < shellChars && formWords.MatchString(shown):
		return StatusBlocked, "the site asks for a log-in"
	case x.Chars < shellChars/2 && says(document.AsksForScripts):
		return StatusBlocked, shellReason
	case x.ContentType == document.TypeHTML && x.Chars < shellChars && cookieShare(text) >= 0.5:
		return StatusBlocked, "the site shows a question about cookies in place of the page"
	case x.Chars >= MinChars:
		return StatusRead, ""
	case x.NeedsScript:
		return StatusTooShort, fmt.Sprintf("only %d characters of text, a source has at least %d; the page needs JavaScript to show its text", x.Chars, MinChars)
	case x.ForwardsTo != "":
		return StatusTooShort, fmt.Sprintf("only %d characters of text, a source has at least %d; the page forwards to %s", x.Chars, MinChars, x.ForwardsTo)
	default:
		return StatusTooShort, fmt.Sprintf("only %d characters of text, a source has at least %d", x.Chars, MinChars)
	}
}

// saysMissing looks at the first lines of a text, where a page says what it is.
func saysMissing(text string) bool {
	lines := 0
	for line := range strings.SplitSeq(text, "\n") {
		if line == "" {
			continue
		}
		if missingWords.MatchString(line) {
			return true
		}
		if lines++; lines == 6 {
			break
		}
	}
	return false
}

// cookieShare is the share of a text's blocks that ask about cookies.
func cookieShare(text string) float64 {
	asks, all := 0, 0
	for block := range strings.SplitSeq(text, "\n\n") {
		all += len(block)
		if cookieWords.MatchString(block) {
			asks += len(block)
		}
	}
	if all == 0 {
		return 0
	}
	return float64(asks) / float64(all)
}

func saysChallenge(body string) bool { return challengeWords.MatchString(body) }
