package archive

import (
	"archive/zip"
	"context"
	_ "embed"
	"io"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/crypto/ssh"

	"github.com/citeloop/citeloop/internal/sanitize"
	"github.com/citeloop/citeloop/loopstate"
)

const (
	crateVersion  = "https://w3id.org/ro/crate/1.2"
	crateMetadata = "ro-crate-metadata.json"
	programID     = "#citeloop"
)

// checkScript checks a bundle without this program.
//
//go:embed check.py
var checkScript []byte

// Crate is what a bundle has besides the log: an RO-Crate 1.2, which other programs read as well. It cannot be imported.
type Crate struct {
	Description string
	Published   time.Time
	License     string // an address; "" if none is stated
	Files       []File
	Texts       bool // with the stored texts; else their hashes only, which are in the log and in the report's JSON
}

// File is a file of a bundle.
type File struct {
	Name, Type, About string
	Body              []byte
}

// entity is an object of the metadata's graph.
type entity map[string]any

// WriteCrate writes a bundle as a zip file. signer signs its metadata, which have the hashes of all other files.
func WriteCrate(ctx context.Context, w io.Writer, from Source, c Crate, signer ssh.Signer) error {
	log, hashes, err := logOf(from)
	if err != nil {
		return err
	}
	files := append(slices.Clone(c.Files), File{eventsName, "application/jsonl", "Log of the loop, one event a line", log},
		File{"check.py", "text/x-python", "Checks this bundle without citeloop: hashes, receipts and citations", checkScript})
	if c.Texts {
		for _, name := range slices.Sorted(maps.Keys(hashes)) {
			hash, err := loopstate.ParseHash(name)
			if err != nil {
				return err
			}
			body, err := from.Blob(ctx, hash)
			if err != nil {
				return err
			}
			files = append(files, File{textsFolder + name + ".txt", "text/plain", "Stored text", body})
		}
	}
	z := zip.NewWriter(w)
	for _, f := range files {
		if err := addFile(z, f.Name, f.Body); err != nil {
			return err
		}
	}
	return closeSigned(z, crateMetadata, map[string]any{"@context": crateVersion + "/context", "@graph": crateGraph(from, c, files)}, signer)
}

// crateGraph describes the bundle: its files, its sources with their authors, and the program that made it.
func crateGraph(from Source, c Crate, files []File) []entity {
	sources, authors, sourceOf := crateSources(from.Sources)
	license := entity{"@id": "#license", "@type": "CreativeWork", "name": "No license is stated",
		"description": "Who made this bundle stated no license for the report. Passages and texts of sources belong to their authors."}
	if c.License != "" {
		license["@id"], license["name"], license["description"] = c.License, c.License, "License of the report. Passages and texts of sources belong to their authors."
	}
	published := c.Published.UTC().Format(time.RFC3339)
	var parts []entity
	for _, f := range files {
		e := entity{"@id": f.Name, "@type": "File", "name": f.About, "contentSize": strconv.Itoa(len(f.Body)), "encodingFormat": mediaType(f.Type),
			"sha256": loopstate.HashText(f.Body).String()}
		if of := sourceOf[strings.TrimSuffix(strings.TrimPrefix(f.Name, textsFolder), ".txt")]; len(of) > 0 {
			e["isBasedOn"] = of
		}
		parts = append(parts, e)
	}
	graph := []entity{
		{"@id": crateMetadata, "@type": "CreativeWork", "conformsTo": entity{"@id": crateVersion}, "about": entity{"@id": "./"}},
		{"@id": "./", "@type": "Dataset", "name": sanitize.Short(from.Query, 300), "description": c.Description, "datePublished": published, "identifier": from.Loop,
			"license": refer(license)[0], "hasPart": refer(parts...), "citation": refer(sources...), "mentions": entity{"@id": "#export"}},
		license,
		{"@id": "#export", "@type": "CreateAction", "name": "Report of a research loop, with its receipts", "endTime": published,
			"instrument": entity{"@id": programID}, "object": refer(sources...), "result": refer(parts...)},
		{"@id": programID, "@type": "SoftwareApplication", "name": "citeloop", "url": "https://github.com/citeloop/citeloop",
			"softwareVersion": strings.TrimPrefix(from.Generator, "citeloop ")},
	}
	return slices.Concat(graph, parts, sources, authors)
}

// crateSources returns the sources and their authors, and by the hash of a text the sources that have it.
func crateSources(list []loopstate.Source) (sources, authors []entity, of map[string][]entity) {
	of = map[string][]entity{}
	known := map[string]bool{}
	for _, src := range list {
		e := entity{"@id": "#" + src.ID, "@type": "CreativeWork", "name": sanitize.Short(src.Title, 300), "alternateName": src.ID}
		address := webAddress(src.FinalURL, src.URL)
		if address != "" {
			e["@id"], e["@type"], e["url"] = address, "WebPage", address
		}
		if src.DOI != "" {
			e["@id"], e["@type"] = "https://doi.org/"+(&url.URL{Path: src.DOI}).EscapedPath(), "ScholarlyArticle"
		} else if src.SourceType == "peer" {
			e["@type"] = "ScholarlyArticle"
		}
		if known[e["@id"].(string)] { // another text of the same address
			e["@id"] = "#" + src.ID
		}
		known[e["@id"].(string)] = true
		if src.PublishedAt != "" {
			e["datePublished"] = src.PublishedAt
		}
		var by []entity
		for _, name := range src.Authors {
			author := entity{"@id": "#author-" + url.PathEscape(name), "@type": "Person", "name": sanitize.Line(name)}
			by = append(by, refer(author)...)
			if id := author["@id"].(string); !known[id] {
				known[id], authors = true, append(authors, author)
			}
		}
		if by != nil {
			e["author"] = by
		}
		sources = append(sources, e)
		of[src.SHA256] = append(of[src.SHA256], refer(e)...)
	}
	return sources, authors, of
}

// refer returns references to entities.
func refer(to ...entity) []entity {
	refs := make([]entity, len(to))
	for i, e := range to {
		refs[i] = entity{"@id": e["@id"]}
	}
	return refs
}

// webAddress returns the first address of the web, or "".
func webAddress(addresses ...string) string {
	for _, address := range addresses {
		if u, err := url.Parse(address); err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
			return u.String()
		}
	}
	return ""
}

func mediaType(contentType string) string {
	media, _, _ := strings.Cut(contentType, ";")
	return media
}
