// Package views turns the state of a loop into what hosts, prompts, reports and people get: the brief and the other views with
// their pages, the data of prompts with original passages, the whole loop for a page, the document of a report. It is pure.
package views
