package drawing

import (
	"fmt"
	"math"
	"sort"
	"strconv"
	"strings"

	"github.com/citeloop/citeloop/internal/translations"
)

// Dated is a source with its date.
type Dated struct {
	Year, Month int  // of publication; 0 if unknown
	Cited       bool // else only read
	Index       int  // chosen by the caller
}

// Period is a span of time with its sources.
type Period struct {
	Name        string // "2024", "2024-03", "1990–1994", "undated"
	Cited, Read []int  // indexes of Dated
}

// Sources counts the sources of the period.
func (p Period) Sources() int { return len(p.Cited) + len(p.Read) }

// label is what stands below its bar: of several years the first.
func (p Period) label(m translations.Table) string {
	first, _, _ := strings.Cut(m.T(p.Name), "–")
	return first
}

// undated is the name of the period of sources without a date.
const undated = "undated"

// maxPeriods is the maximum number of bars, so that each stays visible.
const maxPeriods = 36

// months counts from the year 0.
func (d Dated) months() int { return 12*d.Year + d.Month - 1 }

// Periods groups sources into consecutive periods of equal length: months if all months are known and within three years,
// else one or more years. The periods reach to asOf, the date of the question (YYYY-MM-DD or ""). The last period contains
// the undated sources.
func Periods(sources []Dated, asOf string) []Period {
	var dated []Dated
	without := Period{Name: undated}
	byMonth := true
	for _, d := range sources {
		if d.Year < 1 || d.Year > 9999 || d.Month < 0 || d.Month > 12 {
			without = without.with(d)
			continue
		}
		byMonth = byMonth && d.Month > 0
		dated = append(dated, d)
	}
	var out []Period
	if len(dated) > 0 {
		out = periods(dated, byMonth, asOf)
	}
	if without.Sources() > 0 {
		out = append(out, without)
	}
	return out
}

func periods(dated []Dated, byMonth bool, asOf string) []Period {
	sort.SliceStable(dated, func(i, j int) bool { return dated[i].months() < dated[j].months() })
	first, last := dated[0], dated[len(dated)-1]
	if now, ok := dateOf(asOf); ok && now.months() > last.months() {
		last = now
	}
	of, name := func(d Dated) int { return d.Year }, func(from, step int) string {
		if step == 1 {
			return strconv.Itoa(from)
		}
		return fmt.Sprintf("%d–%d", from, from+step-1)
	}
	if byMonth && last.Month > 0 && last.months()-first.months() < maxPeriods {
		of, name = Dated.months, func(from, _ int) string { return fmt.Sprintf("%04d-%02d", from/12, from%12+1) }
	}
	step := 1
	for _, step = range []int{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000} {
		if of(last)/step-of(first)/step < maxPeriods {
			break
		}
	}
	from := of(first) / step * step
	out := make([]Period, (of(last)-from)/step+1)
	for i := range out {
		out[i].Name = name(from+i*step, step)
	}
	for _, d := range dated {
		i := (of(d) - from) / step
		out[i] = out[i].with(d)
	}
	return out
}

func (p Period) with(d Dated) Period {
	if d.Cited {
		p.Cited = append(p.Cited, d.Index)
	} else {
		p.Read = append(p.Read, d.Index)
	}
	return p
}

func dateOf(s string) (Dated, bool) {
	if len(s) < 7 || s[4] != '-' {
		return Dated{}, false
	}
	year, err := strconv.Atoi(s[:4])
	month, err2 := strconv.Atoi(s[5:7])
	return Dated{Year: year, Month: month}, err == nil && err2 == nil && year > 0 && month >= 1 && month <= 12
}

// Measures of the timeline, in its own units.
const (
	timeTop  = 22.0
	timeBase = 118.0
	timeEnd  = 146.0
	apart    = 26.0 // between the dated bars and the undated

	timeMargin = 20.0 // for half a label
)

// Timeline draws periods as stacked bars of cited and other sources, with the undated ones apart. It returns "" without
// periods.
func Timeline(m translations.Table, periods []Period) string {
	if len(periods) == 0 {
		return ""
	}
	step, most, cited, all := timeStep(periods), 1, 0, 0
	for _, p := range periods {
		most = max(most, p.Sources())
		cited, all = cited+len(p.Cited), all+p.Sources()
	}
	dated := len(periods)
	if periods[dated-1].Name == undated {
		dated--
	}
	need, apartNeed := labelWidth(m, periods[:dated]), labelWidth(m, periods[dated:])
	edge := max(timeMargin, (apartNeed-step)/2)
	width := 2*edge + step*float64(len(periods)) + apart
	var c canvas
	desc := m.T("%s, %d of them cited", sourcesIn(m, all), cited) + "."
	for _, p := range periods {
		if p.Sources() > 0 {
			desc += fmt.Sprintf(" %s: %d.", capital(m.T(p.Name)), p.Sources())
		}
	}
	c.open("timeline", "img", max(width, 200), timeEnd, m.T("Publication dates of the sources"), desc)
	every, apartAt := labelEvery(need, step), math.Inf(1)
	if dated < len(periods) { // the label of the undated has to stay free
		apartAt = width - edge - step/2
	}
	x, base := edge, edge
	for i, p := range periods {
		last := i == dated
		if last && i > 0 {
			base = x
			x += apart
		}
		scale := (timeBase - timeTop) / float64(most)
		low, high := float64(len(p.Cited))*scale, float64(p.Sources())*scale
		w := step - max(2, step/5)
		left := x + (step-w)/2
		c.add(`<g><title>%s</title>`, escape(capital(m.T(p.Name))+": "+m.T("%s, %d of them cited", sourcesIn(m, p.Sources()), len(p.Cited))))
		c.rect("hit", x, timeTop-16, step, timeBase-timeTop+16)
		c.rect("all", left, timeBase-high, w, high-low)
		c.rect("new", left, timeBase-low, w, low)
		if last {
			c.rect("none", left, timeBase-high, w, high)
		}
		c.add(`</g>`)
		if n := strconv.Itoa(p.Sources()); n != "0" && step >= 7*float64(len(n)) {
			c.text("mid", x+step/2, timeBase-high-5, n)
		}
		if last || i%every == 0 && x+(step+need+apartNeed)/2 <= apartAt {
			c.text("mid soft", x+step/2, timeBase+17, p.label(m))
		}
		x += step
	}
	if dated == len(periods) {
		base = x
	}
	if base > edge {
		c.line("rule", edge, timeBase, base, timeBase)
	}
	return c.close()
}

// timeStep returns the width of a period.
func timeStep(periods []Period) float64 { return min(56, max(8, 290/float64(len(periods)))) }

// labelWidth returns the width of the widest label with a gap.
func labelWidth(m translations.Table, periods []Period) float64 {
	widest := 0
	for _, p := range periods {
		columns := 0
		for _, r := range p.label(m) {
			columns += columnsOf(r)
		}
		widest = max(widest, columns)
	}
	return 8 + 6.6*float64(widest)
}

// labelEvery returns how many periods share a label, so that labels do not overlap.
func labelEvery(need, step float64) int { return int(math.Ceil(need / step)) }

func capital(s string) string {
	if s == undated {
		return "Undated"
	}
	return s
}
