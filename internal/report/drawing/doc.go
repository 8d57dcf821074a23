// Package drawing draws a loop as SVG: how it converged ([Convergence]), which source carries which claim ([Matrix]),
// when the sources are from ([Timeline]), and what of a source was shown ([Ledger]). It is pure: the same values give the same bytes, and a drawing asks
// for nothing from anywhere.
//
// A drawing in a page takes its colours from [Style], which the page has in its style sheet; [ConvergenceFile] is a
// file of its own and brings them along. No drawing says anything by colour alone: every verdict has its shape, every
// bar its figure. Each has a title and a description for those who do not see it, and shows no more than the table
// that the page has beside it.
//
// Words of others come into a drawing as text, escaped here; characters that turn the direction of what follows are
// dropped. Links lead where the caller says, so a caller gives anchors of its own page only.
package drawing
