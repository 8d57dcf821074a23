// Package docid says which document an address or an identifier names, so that the same document found or read twice is
// one: by its DOI, arXiv id, PMID or PMCID, and otherwise by its normalised address. It also lists the types of
// sources.
//
// The files, each of which uses only those before it: sourcetype; address, doi; identity, which chooses the strongest
// identifier.
//
// The package compares texts only. It cannot know that an article has a second DOI, that an address redirects, or that a
// page states the DOI of another document: who calls it decides which identifiers are proven.
package docid
