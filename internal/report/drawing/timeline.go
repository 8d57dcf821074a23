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

// Dates describes when the sources were published, and how many have no date. It returns "" without sources.
func Dates(m translations.Table, sources []Dated) string {
	first, last, known := 0, 0, 0
	for _, d := range sources {
		if d.Year > 0 {
			if known++; known == 1 {
				first = d.Year
			}
			first, last = min(first, d.Year), max(last, d.Year)
		}
	}
	n := len(sources)
	var when string
	switch {
	case n == 0:
		return ""
	case known == 0:
		return m.Count(n, strconv.Itoa(n), "1 source, and no date of publication is known.", "%s sources, and of none a date of publication is known.")
	case n == 1:
		return m.T("1 source, from %d.", first)
	case first == last:
		when = strconv.Itoa(first)
	default:
		when = m.T("from %d to %d", first, last)
	}
	if known < n {
		when += m.Count(n-known, strconv.Itoa(n-known), "; 1 has none", "; %s have none")
	}
	return m.T("%d of %s have a date: %s.", known, sourcesIn(m, n), when)
}

// sourcesIn formats a number of sources in the language of a table.
func sourcesIn(m translations.Table, n int) string {
	return m.Count(n, strconv.Itoa(n), "1 source", "%s sources")
}

// Sources counts the sources of the period.
func (p Period) Sources() int { return len(p.Cited) + len(p.Read) }

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
	width := 2*timeMargin + step*float64(len(periods)) + apart
	var c canvas
	desc := m.T("%s, %d of them cited", sourcesIn(m, all), cited) + "."
	for _, p := range periods {
		if p.Sources() > 0 {
			desc += fmt.Sprintf(" %s: %d.", capital(m.T(p.Name)), p.Sources())
		}
	}
	c.open("timeline", "img", max(width, 200), timeEnd, m.T("Publication dates of the sources"), desc)
	need := labelWidth(periods)
	every, apartAt := labelEvery(need, step), math.Inf(1)
	if periods[len(periods)-1].Name == undated { // its label has to stay free
		apartAt = width - timeMargin - step/2
	}
	x, base := timeMargin, timeMargin
	for i, p := range periods {
		last := p.Name == undated
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
		if last || i%every == 0 && x+step/2+need <= apartAt {
			first, _, _ := strings.Cut(m.T(p.Name), "–") // of several years
			c.text("mid soft", x+step/2, timeBase+17, first)
		}
		x += step
	}
	if periods[len(periods)-1].Name != undated {
		base = x
	}
	if base > timeMargin {
		c.line("rule", timeMargin, timeBase, base, timeBase)
	}
	return c.close()
}

// timeStep returns the width of a period.
func timeStep(periods []Period) float64 { return min(56, max(8, 290/float64(len(periods)))) }

// labelWidth returns the width of the widest label with a gap.
func labelWidth(periods []Period) float64 {
	widest := 0
	for _, p := range periods {
		first, _, _ := strings.Cut(p.Name, "–")
		widest = max(widest, len(first))
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
