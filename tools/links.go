package tools

import (
	"context"
	"net/http"
	"net/url"
	"path"
	"path/filepath"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/report"
)

// Links from answers to resources: a host can show or attach what they lead to without another call, and no
// text goes through the model for it.

// ResourceRoot is the address of all loops; what belongs to one stands below it, under its state_id.
const ResourceRoot = "citeloop://loops"

// maxLinks of one answer. A link costs about 40 tokens.
const maxLinks = 5

// linker is the arguments of a tool whose answers lead to resources.
type linker[Out any] interface {
	links(answer Out) []mcp.ResourceLink
}

func (loopInitIn) links(out loopInitOut) []mcp.ResourceLink {
	return []mcp.ResourceLink{mcp.NewResourceLink(ResourceRoot+"/"+out.StateID+"/brief", "brief", "how the loop stands", "text/markdown")}
}

// links lead to the texts that the answer does not show whole.
func (in fetchIn) links(out fetchOut) []mcp.ResourceLink {
	var all []mcp.ResourceLink
	for _, src := range out.Sources {
		whole := src.Offset == 0 && src.NextOffset == 0 && len(src.Passages) == 0
		if in.StateID == "" || src.SourceID == "" || whole || len(all) == maxLinks {
			continue
		}
		all = append(all, mcp.NewResourceLink(ResourceRoot+"/"+in.StateID+"/sources/"+src.SourceID, src.SourceID, "the whole text; untrusted", "text/plain"))
	}
	return all
}

// links lead to the picture, and to the page for reading. The report resources are of the recorded claims, so
// nothing leads there from the report of a draft, or from one that did not pass.
func (in loopReportIn) links(out loopReportOut) []mcp.ResourceLink {
	root := ResourceRoot + "/" + out.StateID
	all := []mcp.ResourceLink{mcp.NewResourceLink(root+"/convergence", "convergence", "sources and gaps by round", "image/svg+xml")}
	if out.Path != "" {
		file := url.URL{Scheme: "file", Path: path.Join("/", filepath.ToSlash(out.Path))}
		all = append(all, mcp.NewResourceLink(file.String(), path.Base(file.Path), "the report", report.ContentType(out.Format)))
	}
	if in.Draft == "" && !out.Draft && out.Format != "html" {
		all = append(all, mcp.NewResourceLink(root+"/report.html", "report.html", "the report as a page", "text/html"))
	}
	return all
}

// firstWithLinks is the first revision whose results may hold links; older clients refuse content of a type that
// they do not know.
const firstWithLinks = "2025-06-18"

// takesLinks reports whether the client of a call knows links. Over HTTP the sessions of the older era do not
// remember their revision, but each request since 2025-06-18 names it.
func takesLinks(ctx context.Context, header http.Header) bool {
	version := server.RequestProtocolVersion(ctx)
	if version == "" {
		version = header.Get(mcp.HeaderProtocolVersion)
	}
	return version >= firstWithLinks // revisions are dates
}

// MarshalAnswer encodes what the use cases answer as the tools do: with empty lists where Go has nil ones.
func MarshalAnswer(answer any) ([]byte, error) { return marshalAnswer(answer) }
