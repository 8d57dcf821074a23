// Package lazyregexp compiles regular expressions when they are first used. A process needs few of them, and compiling
// those of all formats and services would take milliseconds before it answers for the first time.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Regexp is a regular expression with the methods of [regexp.Regexp]. Its first use panics if the pattern is invalid.
type Regexp struct{ get func() *regexp.Regexp }

// inTest makes tests compile every expression at once, so that an invalid one fails the tests of its package.
var inTest = strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test")

// New returns an expression that is compiled at its first use.
func New(pattern string) *Regexp { return From(func() string { return pattern }) }

// From returns an expression whose pattern is made and compiled at its first use.
func From(pattern func() string) *Regexp {
	r := &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(pattern()) })}
	if inTest {
		r.get()
	}
	return r
}

func (r *Regexp) Match(b []byte) bool { return r.get().Match(b) }

func (r *Regexp) MatchString(s string) bool { return r.get().MatchString(s) }

func (r *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte { return r.get().FindAllSubmatch(b, n) }

func (r *Regexp) FindString(s string) string { return r.get().FindString(s) }

func (r *Regexp) FindStringIndex(s string) []int { return r.get().FindStringIndex(s) }

func (r *Regexp) FindStringSubmatch(s string) []string { return r.get().FindStringSubmatch(s) }

func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.get().FindStringSubmatchIndex(s)
}

func (r *Regexp) FindAllString(s string, n int) []string { return r.get().FindAllString(s, n) }

func (r *Regexp) FindAllStringIndex(s string, n int) [][]int { return r.get().FindAllStringIndex(s, n) }

func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.get().FindAllStringSubmatch(s, n)
}

func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.get().FindAllStringSubmatchIndex(s, n)
}

func (r *Regexp) ReplaceAllString(src, repl string) string {
	return r.get().ReplaceAllString(src, repl)
}

func (r *Regexp) ReplaceAllStringFunc(src string, repl func(string) string) string {
	return r.get().ReplaceAllStringFunc(src, repl)
}

func (r *Regexp) Split(s string, n int) []string { return r.get().Split(s, n) }
