package html

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Characters that are written raised or lowered: digits and the signs of exponents and of chemical formulas.
var (
	raisedChars = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹",
		"+", "⁺", "-", "⁻", "−", "⁻", "–", "⁻", "=", "⁼", "(", "⁽", ")", "⁾", "n", "ⁿ", "i", "ⁱ")
	loweredChars = strings.NewReplacer("0", "₀", "1", "₁", "2", "₂", "3", "₃", "4", "₄", "5", "₅", "6", "₆", "7", "₇", "8", "₈", "9", "₉",
		"+", "₊", "-", "₋", "−", "₋", "–", "₋", "=", "₌", "(", "₍", ")", "₎")
)

// unraised leaves characters as they are.
var unraised = strings.NewReplacer()

const maxRaisedBytes = 12

// unraisable are exponents some of whose characters have no raised form, such as "6.5" and "2/3".
const unraisable = "0123456789.,/*·×+-−– ()"

// isExponent reports a <sup> whose text must not be read as digits of the number before it.
func isExponent(n *html.Node) bool {
	if n.DataAtom != atom.Sup {
		return false
	}
	s, ok := shortText(n, maxRaisedBytes)
	return ok && strings.Trim(s, unraisable) == "" && strings.ContainsAny(s, "0123456789") && raising(n) == nil
}

// raising is how the characters of a <sup> or <sub> are written, so that 2 to the power of 32 does not become 232; nil
// when a character has no raised or lowered form, or nothing is to be told apart: "1st".
func raising(n *html.Node) *strings.Replacer {
	to, known := raisedChars, "0123456789+-−–=()ni"
	switch n.DataAtom {
	case atom.Sup:
	case atom.Sub:
		to, known = loweredChars, "0123456789+-−–=()"
	default:
		return nil
	}
	s, ok := shortText(n, maxRaisedBytes)
	if !ok || strings.Trim(s, known) != "" || !strings.ContainsAny(s, "0123456789ni") {
		return nil
	}
	return to
}
