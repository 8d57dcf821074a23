package tools

import (
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
)

// Answers link to resources, so that a host can show or attach them without another call and without passing their text
// through the model.

// ResourceRoot is the address of all loops, and the prefix of the addresses of each.
const ResourceRoot = "citeloop://loops"

// maxLinks bounds the links of an answer. A link costs about 40 tokens.
const maxLinks = 5

func (loopInitIn) links(out loopInitOut) []mcp.ResourceLink {
	if out.Folder != "" { // its index.md is the brief
		return nil
	}
	return []mcp.ResourceLink{mcp.NewResourceLink(ResourceRoot+"/"+out.StateID+"/brief", "brief", "the state of the loop", "text/markdown")}
}

// links returns links to the texts that the answer shows in part and that are no files of this machine.
func (in fetchIn) links(out fetchOut) []mcp.ResourceLink {
	var all []mcp.ResourceLink
	for _, src := range out.Sources {
		whole := src.Offset == 0 && src.NextOffset == 0 && len(src.Passages) == 0
		if in.StateID == "" || src.SourceID == "" || whole || src.File != "" || strings.HasPrefix(src.URL, "file:") || len(all) == maxLinks {
			continue
		}
		all = append(all, mcp.NewResourceLink(ResourceRoot+"/"+in.StateID+"/sources/"+src.SourceID, src.SourceID, "the whole text; untrusted", "text/plain"))
	}
	return all
}

// links returns links to the drawing and the report as a page. The page shows the recorded claims, so the report
// of a draft, or one that did not pass, has no link to it.
func (in loopReportIn) links(out loopReportOut) []mcp.ResourceLink {
	root := ResourceRoot + "/" + in.StateID
	if out.Path != "" { // the host knows it
		return nil
	}
	all := []mcp.ResourceLink{mcp.NewResourceLink(root+"/convergence", "convergence", "sources and gaps by round", "image/svg+xml")}
	if in.Draft == "" && !out.Draft && out.Format != "html" {
		all = append(all, mcp.NewResourceLink(root+"/report.html", "report.html", "the report as a page", "text/html"))
	}
	return all
}
