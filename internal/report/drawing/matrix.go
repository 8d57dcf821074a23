package drawing

import (
	"strconv"

	"github.com/citeloop/citeloop/internal/translations"
)

// Matrix draws which source supports which claim.
type Matrix struct {
	Rows    []Row    // sources
	Columns []Column // sentences
	Cells   []Cell
}

// Row is a source.
type Row struct {
	Label  string // the citation label, such as "12"
	Name   string // its title
	Href   string // link target of the label, or ""
	Origin string // rows with the same origin are copies of one text and drawn together; "" is a separate origin
}

// Column is a sentence.
type Column struct {
	Status string // loopstate's verdicts, or "uncited"
	Says   string // tooltip
	Href   string // link target of the verdict, or ""
}

// Cell means that a source supports a sentence.
type Cell struct {
	Row, Column int    // indexes
	Passage     bool   // a passage supports the sentence; else the source is only cited
	Says        string // tooltip
	Href        string // link target, or ""
}

// maxSources and maxClaims bound the drawing of a matrix: a larger one is not readable, and the table has all.
const (
	maxSources = 200
	maxClaims  = 400
)

// Measures of the matrix, in its own units.
const (
	labelRight  = 30.0 // right edge of the labels
	nameLeft    = 37.0
	nameColumns = 32  // of the names
	bracketAt   = 254 // of an origin with several sources
	cellsLeft   = 266.0
	cellsTop    = 46.0 // below the sentences' numbers and verdicts
	largest     = 5.5  // half of a mark's side
	totalWidth  = 40.0
)

// pitches returns the distances between sentences and between sources: wide if possible, and wide enough to distinguish
// marks.
func (m Matrix) pitches() (x, y float64) {
	switch n := len(m.Columns); {
	case n <= 36:
		x = 22
	case n <= 64:
		x = 13
	case n <= 100:
		x = 8.5
	default:
		x = 7
	}
	y = 20
	if len(m.Rows) > 30 {
		y = 14
	}
	return x, y
}

// SVG draws a row for each source with its number of sentences, and a column for each sentence with its verdict. A bracket
// joins the sources of one origin. It returns "" without sources or sentences.
func (m Matrix) SVG(t translations.Table) string {
	note := m.cut(t)
	if len(m.Rows) == 0 || len(m.Columns) == 0 {
		return ""
	}
	order, groups := m.order()
	px, py := m.pitches()
	width := max(cellsLeft+px*float64(len(m.Columns))+totalWidth, 420)
	height := cellsTop + py*float64(len(m.Rows)) + 10
	if note != "" {
		height += 20
	}
	carried := make([]int, len(m.Rows))
	for _, cell := range m.Cells {
		carried[cell.Row]++
	}
	var c canvas
	c.open("matrix", "group", width, height, t.T("Which source supports which claim"),
		t.T("%s in rows, %s in columns, %s where a source supports a sentence. The table shows the same data.",
			sourcesIn(t, len(m.Rows)), sentencesIn(t, len(m.Columns)), t.Count(len(m.Cells), strconv.Itoa(len(m.Cells)), "1 mark", "%s marks")))
	c.add(`<g aria-hidden="true">`) // screen readers read the table
	right := cellsLeft + px*float64(len(m.Columns))
	row := make([]float64, len(m.Rows)) // the center of each
	for at, i := range order {
		row[i] = cellsTop + (float64(at)+0.5)*py
	}
	for g, group := range groups {
		top, bottom := row[group[0]]-py/2, row[group[len(group)-1]]+py/2
		if g%2 == 1 {
			c.rect("band", 0, top, right+totalWidth, bottom-top)
		}
		if len(group) > 1 {
			c.add(`<path class="rule" d="M%d %sh-4v%sh4"><title>%s</title></path>`, bracketAt, num(top+3), num(bottom-top-6), escape(t.T("one independent origin: %d copies of one text", len(group))))
		}
	}
	c.columns(t, m.Columns, px, height)
	for _, i := range order {
		c.row(m.Rows[i], row[i], carried[i], right)
	}
	for _, cell := range m.Cells {
		x := cellsLeft + (float64(cell.Column)+0.5)*px
		y := row[cell.Row]
		c.link(cell.Href, cell.Says, func() {
			c.rect("hit", x-px/2, y-py/2, px, py)
			c.mark(m.Columns[cell.Column].Status, !cell.Passage, x, y, min(largest, min(px, py)/2-1.6))
		})
	}
	c.add(`</g>`)
	if note != "" {
		c.text("soft", nameLeft, height-6, note)
	}
	return c.close()
}

// cut removes the rows and columns beyond the limits, and describes what is omitted.
func (m *Matrix) cut(t translations.Table) string {
	rows, columns := max(0, len(m.Rows)-maxSources), max(0, len(m.Columns)-maxClaims)
	m.Rows, m.Columns = m.Rows[:len(m.Rows)-rows], m.Columns[:len(m.Columns)-columns]
	var kept []Cell
	for _, cell := range m.Cells {
		if cell.Row >= 0 && cell.Row < len(m.Rows) && cell.Column >= 0 && cell.Column < len(m.Columns) {
			kept = append(kept, cell)
		}
	}
	m.Cells = kept
	if rows == 0 && columns == 0 {
		return ""
	}
	return t.T("Not drawn: %s, %s. See the table.", sourcesIn(t, rows), sentencesIn(t, columns))
}

func sentencesIn(m translations.Table, n int) string {
	return m.Count(n, strconv.Itoa(n), "1 sentence", "%s sentences")
}

// order groups the rows of one origin at the position of the first.
func (m Matrix) order() (order []int, groups [][]int) {
	at := make(map[string]int)
	for i, r := range m.Rows {
		g, ok := at[r.Origin]
		if r.Origin == "" || !ok {
			g = len(groups)
			groups = append(groups, nil)
			if r.Origin != "" {
				at[r.Origin] = g
			}
		}
		groups[g] = append(groups[g], i)
	}
	for _, group := range groups {
		order = append(order, group...)
	}
	return order, groups
}

// link writes a link. It is not in the tab order: the citations and the table have the same links, and a drawing can have
// hundreds.
func (c *canvas) link(href, says string, draw func()) {
	if href != "" {
		c.add(`<a href="%s" tabindex="-1">`, escape(href))
	} else {
		c.add(`<g>`)
	}
	c.add(`<title>%s</title>`, escape(says))
	draw()
	if href != "" {
		c.add(`</a>`)
	} else {
		c.add(`</g>`)
	}
}

// columns writes the column heads that fit, the verdicts, and guide lines.
func (c *canvas) columns(t translations.Table, columns []Column, px, height float64) {
	widest, step := len(strconv.Itoa(len(columns))), 1
	for _, step = range []int{1, 5, 10, 20, 50} {
		if float64(step)*px >= 8+7*float64(widest) {
			break
		}
	}
	for i, col := range columns {
		x := cellsLeft + (float64(i)+0.5)*px
		if n := i + 1; n%step == 0 || n == 1 && step > 1 {
			c.text("mid soft", x, 13, strconv.Itoa(n))
			c.line("guide", x, cellsTop, x, height-10)
		}
		c.link(col.Href, col.Says, func() {
			c.rect("hit", x-px/2, 18, px, 20)
			c.mark(col.Status, false, x, 28, min(largest, px/2-1.6))
		})
	}
	c.text("end soft", cellsLeft-12, 13, t.T("sentence"))
	c.text("end soft", cellsLeft-12, 32, t.T("verdict"))
	c.text("end soft", cellsLeft+px*float64(len(columns))+totalWidth-6, 32, t.T("total"))
}

func (c *canvas) row(r Row, y float64, carried int, right float64) {
	c.line("guide", cellsLeft, y, right, y)
	c.link(r.Href, clip(r.Name, 300), func() {
		c.text("end soft", labelRight, y+4, clip(r.Label, 4))
		c.text("name", nameLeft, y+4, clip(r.Name, nameColumns))
	})
	c.text("end soft", right+totalWidth-6, y+4, strconv.Itoa(carried))
}
