// Package style has what all pages share: the presentation of verdicts, formats of numbers and times, and the style sheet.
package style

import _ "embed"

//go:embed page.css
var page string

// Page is the style sheet that all pages share, with colors and fonts for light and dark.
func Page() string { return page }
