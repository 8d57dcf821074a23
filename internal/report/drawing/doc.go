// Package drawing draws a loop as SVG: convergence ([Convergence]), sources by claim ([Matrix]), publication dates
// ([Timeline]), and the flow of a systematic review ([Flow]). It is pure: the same values give the same bytes, and drawings
// load nothing.
//
// A drawing in a page uses the colors of [Style] in the page's style sheet; [ConvergenceFile] includes them. Color is
// never the only information: every verdict has a shape, every bar a number. Each drawing has a title and a description
// for screen readers, and shows the same data as the table next to it.
//
// Untrusted text is escaped, and characters that change the text direction are dropped. Links are not checked, so callers
// pass anchors of their own page only.
package drawing
