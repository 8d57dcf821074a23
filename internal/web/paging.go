package web

import (
	"net/http"
	"net/url"
	"strconv"
)

// Every list of a page can be looked through to its end, by links alone. A page of a list is named by its first item
// and not by a number of its own: what a loop appends meanwhile then moves nothing away from under a reader.

// pageSize is how many items of a list are shown at a time (chosen): a page of five lists then stays under 300 kB.
const pageSize = 50

// place is where a visitor is: an address of ours with what they chose to see.
type place struct {
	path   string
	params url.Values
}

// placeOf takes over what a request chose among the parameters that the page knows.
func placeOf(r *http.Request, path string, known ...string) place {
	p := place{path, url.Values{}}
	for _, name := range known {
		if n := number(r, name); n > 0 {
			p.params.Set(name, strconv.Itoa(n))
		}
	}
	return p
}

// with is the place with one parameter changed, 0 for none, and what to go to there.
func (p place) with(name string, n int, fragment string) string {
	if n <= 0 {
		return p.param(name, "", fragment)
	}
	return p.param(name, strconv.Itoa(n), fragment)
}

// param is with for a parameter that is no number.
func (p place) param(name, value, fragment string) string {
	params := url.Values{}
	for k, v := range p.params {
		params[k] = v
	}
	if params.Del(name); value != "" {
		params.Set(name, value)
	}
	u := url.URL{Path: p.path, RawQuery: params.Encode(), Fragment: fragment}
	return u.String()
}

// number is the parameter's value, 0 where it is not chosen.
func (p place) number(name string) int {
	n, _ := strconv.Atoi(p.params.Get(name)) // placeOf wrote it
	return n
}

// pager leads through a list. Its links are empty where there is nothing more.
type pager struct {
	What                   string // "claims"
	Top, Bottom, All       int    // the first and the last item shown, by their numbers
	First, Back, On, Final string
	lo, hi                 int // indexes of the list
}

// Several reports whether there is more than one page.
func (p pager) Several() bool { return p.First+p.Back+p.On+p.Final != "" }

// fromTop leads through a list from its first item on, size at a time.
func (p place) fromTop(what, param string, all, size int) pager {
	at := min(max(p.number(param), 1), max(all, 1))
	v := pager{What: what, All: all, lo: at - 1, hi: min(all, at-1+size)}
	v.Top, v.Bottom = min(at, all), v.hi
	link := func(n int) string { return p.with(param, n, "h-"+param) }
	if at > 1 {
		v.First, v.Back = link(0), link(beginning(at-size))
	}
	if v.hi < all {
		v.On, v.Final = link(v.hi+1), link(1+(all-1)/size*size)
	}
	return v
}

// fromEnd leads through a log from its last item back: the parameter is the number of the topmost one.
func (p place) fromEnd(what, param string, all, size int) pager {
	top := p.number(param)
	if top < 1 || top > all {
		top = all
	}
	v := pager{What: what, All: all, lo: max(0, top-size), hi: top, Top: top}
	v.Bottom = min(v.lo+1, all)
	link := func(n int) string { return p.with(param, n, "h-"+param) }
	if top < all {
		v.First = link(0)
		if v.Back = v.First; top+size < all {
			v.Back = link(top + size)
		}
	}
	if v.lo > 0 {
		v.On, v.Final = link(v.lo), link(min(all, size))
	}
	return v
}

// beginning leaves the parameter out for the beginning of a list.
func beginning(n int) int {
	if n <= 1 {
		return 0
	}
	return n
}

// holding is the parameter of the page of a list from its top that has the item at an index.
func holding(index, size int) int { return beginning(index/size*size + 1) }
