// Package tools defines the MCP tools, one file each: a typed input, a typed output and a short handler that calls the
// use cases. Only this package knows the arguments and answers that MCP clients depend on. It has more than 25 files because
// each of the 15 tools has its own.
package tools

import (
	"errors"
	"log/slog"
	"slices"

	"github.com/mark3labs/mcp-go/server"

	"github.com/citeloop/citeloop/internal/loops"
)

// All returns the tools in the order of tools/list, which does not change. Models pay most attention to the first ones.
func All(svc *loops.Service, logger *slog.Logger) ([]server.ServerTool, error) {
	d := &definer{logger: logger}
	all := []server.ServerTool{
		loopInit(d, svc),
		loopUpdate(d, svc),
		loopGetGaps(d, svc),
		loopAddGap(d, svc),
		runChannel(d, svc),
		fetchPages(d, svc),
		verifyCitations(d, svc),
		loopReflect(d, svc),
		loopGetState(d, svc),
		loopList(d, svc),
		findPassages(d, svc),
		listChannels(d, svc),
		loopReport(d, svc),
		reviewClaims(d, svc),
		auditReferences(d, svc),
	}
	return all, errors.Join(d.faults...)
}

// Names returns the names of all tools, in the order of tools/list.
func Names() []string {
	return []string{"loop_init", "loop_update", "loop_get_gaps", "loop_add_gap", "run_channel", "fetch", "verify_citations", "loop_reflect",
		"loop_get_state", "loop_list", "find_passages", "list_channels", "loop_report", "review_claims", "audit_references"}
}

// readers are the tools that write nothing to the log of a loop except which texts were shown.
var readers = []string{"loop_get_gaps", "loop_get_state", "loop_list", "find_passages", "list_channels", "loop_report"}

// WritesLog reports whether a tool may write to the log of a loop; a read-only server has none of these. Nor has it audit_references,
// which writes none: it spends requests that services allow the server.
func WritesLog(tool string) bool { return !slices.Contains(readers, tool) }
