package verify

import (
	"slices"
	"strings"

	"github.com/citeloop/citeloop/loopstate"
)

// WithoutTexts takes the claim from the reader while a cited text that may say it could not be read. why returns the reason
// for a citation, and "" for one whose text was read.
func (c *Claim) WithoutTexts(why func(Citation) string) {
	var missing []string
	reason := ""
	for _, cite := range c.Citations {
		if cite.Problem != "" || slices.Contains(missing, cite.URL) {
			continue
		}
		if because := why(cite); because != "" {
			missing, reason = append(missing, cite.URL), because
		}
	}
	if len(missing) == 0 || c.Status == loopstate.Grounded || c.Contradicted() {
		return
	}
	c.Because = "No cited source could be read: " + reason + "."
	if others := "nobody has read the other texts yet."; len(c.SourceIDs()) > 0 {
		if !c.Pending() {
			others = "the other texts do not say it."
		}
		c.Because = strings.Join(missing, ", ") + " could not be read (" + reason + "), and " + others
	}
	if !c.Pending() {
		c.Status, c.Key, c.Reading = loopstate.Inferred, "", nil
		c.Flags = slices.DeleteFunc(c.Flags, func(f string) bool { return strings.HasPrefix(f, FlagQuoteAbsent) })
	}
}
