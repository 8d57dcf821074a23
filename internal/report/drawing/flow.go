package drawing

import "strings"

// Flow draws a flow of steps from top to bottom. Each step may have a box beside it that says what left the flow there.
type Flow struct {
	Title, Says string
	Steps       []Step
}

// Step is a box of a flow with the box beside it. The first line of a box is its head.
type Step struct {
	Box  []string
	Left []string // what left the flow after this step; beside the last one, a note
}

// Measures of the flow, in its own units.
const (
	flowBox     = 300.0
	flowGap     = 48.0 // between a box and the box beside it
	flowDown    = 26.0 // between the boxes of two steps
	flowLine    = 16.0
	flowPad     = 10.0
	flowColumns = 46 // of a line
)

// flowStyle has no custom properties, which most programs but browsers do not know.
const flowStyle = `.drawing text { font: 11.5px sans-serif; fill: #1e1f22; } .drawing .bold { font-weight: bold; } .drawing .ground { fill: #fff; } ` +
	`.drawing .frame, .drawing .rule { fill: none; stroke: #55585f; }`

// SVG returns the drawing as a file of its own.
func (f Flow) SVG() string {
	height := 2 * flowPad
	for _, s := range f.Steps {
		height += s.height() + flowDown
	}
	var c canvas
	c.open("flow", "img", 2*flowBox+flowGap+2*flowPad, height-flowDown, f.Title, f.Says)
	c.add("<style>%s</style>", flowStyle)
	c.rect("ground", 0, 0, 2*flowBox+flowGap+2*flowPad, height-flowDown)
	y, center := flowPad, flowPad+flowBox/2
	for i, s := range f.Steps {
		c.box(flowPad, y, s.Box)
		if len(s.Left) > 0 {
			beside := flowPad + flowBox + flowGap
			if i < len(f.Steps)-1 { // nothing leaves after the last step
				c.arrow(flowPad+flowBox, y+flowLine, beside, y+flowLine)
			}
			c.box(beside, y, s.Left)
		}
		if i < len(f.Steps)-1 {
			c.arrow(center, y+boxHeight(s.Box), center, y+s.height()+flowDown)
		}
		y += s.height() + flowDown
	}
	return c.close()
}

func (s Step) height() float64 { return max(boxHeight(s.Box), boxHeight(s.Left)) }

func boxHeight(lines []string) float64 {
	if len(lines) == 0 {
		return 0
	}
	n := 0
	for _, line := range lines {
		n += len(wrap(line, flowColumns))
	}
	return float64(n)*flowLine + flowPad
}

func (c *canvas) box(x, y float64, lines []string) {
	c.rect("frame", x, y, flowBox, boxHeight(lines))
	class := "bold"
	for _, line := range lines {
		indent := flowPad
		for _, part := range wrap(line, flowColumns) {
			y += flowLine
			c.text(class, x+indent, y, part)
			indent = 2 * flowPad
		}
		class = "soft"
	}
}

// wrap breaks a text into lines of at most so many columns, between words, or within one that is longer. "n = 5" stays together.
func wrap(s string, columns int) []string {
	lines, at := []string{""}, 0
	for word := range strings.SplitSeq(strings.ReplaceAll(s, " = ", "\x00=\x00"), " ") {
		wide := 0
		for _, r := range word {
			wide += columnsOf(r)
		}
		if at > 0 {
			if at+1+wide > columns {
				lines, at = append(lines, ""), 0
			} else {
				lines[len(lines)-1] += " "
				at++
			}
		}
		for _, r := range word {
			if at += columnsOf(r); at > columns {
				lines, at = append(lines, ""), columnsOf(r)
			}
			lines[len(lines)-1] += string(r)
		}
	}
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], "\x00", " ")
	}
	return lines
}

// arrow draws an arrow to the right or down.
func (c *canvas) arrow(x1, y1, x2, y2 float64) {
	c.line("rule", x1, y1, x2, y2)
	if x1 == x2 {
		c.add(`<path class="rule" d="M%s %sl4 6l4 -6"/>`, num(x2-4), num(y2-6))
	} else {
		c.add(`<path class="rule" d="M%s %sl6 4l-6 4"/>`, num(x2-6), num(y2-4))
	}
}
