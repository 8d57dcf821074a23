package web

import (
	"maps"
	"net/http"
	"net/url"
	"strconv"
)

// Every list can be paged through by links. A page of a list is identified by its first item, not by a page number, so
// that new items do not shift it.

// pageSize is how many items of a list are shown at a time (chosen): a page of five lists then stays under 300 kB.
const pageSize = 50

// place is the current page with its query parameters.
type place struct {
	path   string
	params url.Values
}

// placeOf copies the known parameters of a request.
func placeOf(r *http.Request, path string, known ...string) place {
	p := place{path, url.Values{}}
	for _, name := range known {
		if n := number(r, name); n > 0 {
			p.params.Set(name, strconv.Itoa(n))
		}
	}
	return p
}

// with returns the place with one parameter changed, 0 to remove it, and a fragment.
func (p place) with(name string, n int, fragment string) string {
	if n <= 0 {
		return p.param(name, "", fragment)
	}
	return p.param(name, strconv.Itoa(n), fragment)
}

// param is with for a text parameter.
func (p place) param(name, value, fragment string) string {
	params := url.Values{}
	maps.Copy(params, p.params)
	if params.Del(name); value != "" {
		params.Set(name, value)
	}
	u := url.URL{Path: p.path, RawQuery: params.Encode(), Fragment: fragment}
	return u.String()
}

// number returns the value of a parameter, or 0.
func (p place) number(name string) int {
	n, _ := strconv.Atoi(p.params.Get(name)) // placeOf wrote it
	return n
}

// pager holds the links of a paged list. A link is empty if there is no such page.
type pager struct {
	What                   string // "claims"
	Top, Bottom, All       int    // the first and the last item shown, by their numbers
	First, Back, On, Final string
	lo, hi                 int // indexes of the list
}

// Several reports whether there is more than one page.
func (p pager) Several() bool { return p.First+p.Back+p.On+p.Final != "" }

// fromTop pages through a list from its first item, size at a time.
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

// fromEnd pages through a log from its last item back. The parameter is the number of the topmost item.
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

// beginning omits the parameter on the first page.
func beginning(n int) int {
	if n <= 1 {
		return 0
	}
	return n
}

// pageOf returns the parameter of the page with the item at an index.
func pageOf(index, size int) int { return beginning(index/size*size + 1) }

// number returns a non-negative number of the query, or 0.
func number(r *http.Request, name string) int {
	n, err := strconv.Atoi(r.URL.Query().Get(name))
	if err != nil {
		return 0
	}
	return max(0, n)
}
