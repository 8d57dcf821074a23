package drawing

import (
	"fmt"
	"strconv"
)

// Matrix is which source carries which claim.
type Matrix struct {
	Rows    []Row    // sources
	Columns []Column // sentences
	Cells   []Cell
}

// Row is a source.
type Row struct {
	Label  string // as citations call it: "12"
	Name   string // its title
	Href   string // where its label leads, or ""
	Origin string // rows with the same origin repeat one text, and stand together; "" is independent origin
}

// Column is a sentence.
type Column struct {
	Status string // loopstate's verdicts, or "uncited"
	Label  string // what stands above it, where there is room; "" for its place, from 1
	Says   string // what pointing at it shows
	Href   string // where its verdict leads, or ""
}

// Cell says that a source carries a sentence.
type Cell struct {
	Row, Column int    // indexes
	Passage     bool   // a passage of the source is behind the sentence; else it is only cited
	Says        string // what pointing at it shows
	Href        string // where it leads, or ""
}

// MaxSources and MaxClaims are how much of a matrix is drawn, chosen: beyond it nobody sees more, and the table has
// it all.
const (
	MaxSources = 200
	MaxClaims  = 400
)

// Measures of the matrix, in its own units.
const (
	labelRight   = 30.0 // the labels end here
	nameLeft     = 37.0
	nameColumns  = 32  // of the names' letters
	labelColumns = 6   // of what a sentence is called
	bracketAt    = 254 // of an origin with several sources
	cellsLeft    = 266.0
	cellsTop     = 46.0 // below the sentences' numbers and verdicts
	largest      = 5.5  // half of a mark's side
	totalWidth   = 40.0
)

// pitches are the distances between sentences and between sources: wide where there is room, and never so narrow
// that a mark could not be told from its neighbour.
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

// SVG draws the matrix: a row for each source, those of one origin together and in a bracket, a column for each
// sentence with its verdict above it, and in each row how many sentences it carries. It is "" when either is missing.
func (m Matrix) SVG() string {
	note := m.cut()
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
	c.open("matrix", "group", width, height, "Which source supports which claim",
		fmt.Sprintf("%s in rows, %s in columns, %s where a source carries a sentence. The table beside it says the same.",
			plural(len(m.Rows), "source", "sources"), plural(len(m.Columns), "sentence", "sentences"), plural(len(m.Cells), "mark", "marks")))
	c.add(`<g aria-hidden="true">`) // the table is what is read out
	right := cellsLeft + px*float64(len(m.Columns))
	row := make([]float64, len(m.Rows)) // the middle of each
	for at, i := range order {
		row[i] = cellsTop + (float64(at)+0.5)*py
	}
	for g, group := range groups {
		top, bottom := row[group[0]]-py/2, row[group[len(group)-1]]+py/2
		if g%2 == 1 {
			c.rect("band", 0, top, right+totalWidth, bottom-top)
		}
		if len(group) > 1 {
			c.add(`<path class="rule" d="M%d %sh-4v%sh4"><title>one independent origin: %d copies of one text</title></path>`, bracketAt, num(top+3), num(bottom-top-6), len(group))
		}
	}
	c.columns(m.Columns, px, height)
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

// cut leaves out what is too much to draw, and says how much that is.
func (m *Matrix) cut() string {
	rows, columns := max(0, len(m.Rows)-MaxSources), max(0, len(m.Columns)-MaxClaims)
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
	return fmt.Sprintf("Not drawn: %s, %s. The table has them.", plural(rows, "source", "sources"), plural(columns, "sentence", "sentences"))
}

// order puts the rows of one origin together, where the first of them stands.
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

// link writes what leads somewhere. The keyboard passes it by: the citations in the text and the table lead to the
// same places, and nobody wants 300 stops in a drawing.
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

// columns writes what the sentences are called, as many as there is room for, their verdicts, and a guide at each
// name.
func (c *canvas) columns(columns []Column, px, height float64) {
	labels, widest := make([]string, len(columns)), 0
	for i, col := range columns {
		if labels[i] = clip(col.Label, labelColumns); labels[i] == "" {
			labels[i] = strconv.Itoa(i + 1)
		}
		widest = max(widest, len(labels[i]))
	}
	step := 1
	for _, step = range []int{1, 5, 10, 20, 50} {
		if float64(step)*px >= 8+7*float64(widest) {
			break
		}
	}
	for i, col := range columns {
		x := cellsLeft + (float64(i)+0.5)*px
		if n := i + 1; n%step == 0 || n == 1 && step > 1 {
			c.text("mid soft", x, 13, labels[i])
			c.line("guide", x, cellsTop, x, height-10)
		}
		c.link(col.Href, col.Says, func() {
			c.rect("hit", x-px/2, 18, px, 20)
			c.mark(col.Status, false, x, 28, min(largest, px/2-1.6))
		})
	}
	c.text("end soft", cellsLeft-12, 13, "sentence")
	c.text("end soft", cellsLeft-12, 32, "verdict")
	c.text("end soft", cellsLeft+px*float64(len(columns))+totalWidth-6, 32, "in all")
}

func (c *canvas) row(r Row, y float64, carried int, right float64) {
	c.line("guide", cellsLeft, y, right, y)
	c.link(r.Href, clip(r.Name, 300), func() {
		c.text("end soft", labelRight, y+4, clip(r.Label, 4))
		c.text("name", nameLeft, y+4, clip(r.Name, nameColumns))
	})
	c.text("end soft", right+totalWidth-6, y+4, strconv.Itoa(carried))
}
