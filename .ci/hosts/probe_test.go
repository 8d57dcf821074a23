package hosts

import (
	"bufio"
	"encoding/json"
	"io"
	"strconv"
	"strings"
)

// The probe is an MCP server. Its numbered answers show how a client cuts them. It is named citeloop, and its first
// tool loop_init, so that the scripted model calls it as it calls citeloop.

// probeInstructions are longer than the instructions of real servers. Each word is numbered, so that a cut is visible.
var probeInstructions = numbered(20_000)

// numbered returns words of ten characters with their offsets: "w00000000 w00000010 ".
func numbered(chars int) string {
	var b strings.Builder
	for b.Len() < chars {
		n := strconv.Itoa(b.Len())
		b.WriteString("w" + strings.Repeat("0", 8-len(n)) + n + " ")
	}
	return b.String()
}

// lastNumber returns the end of the last whole word of numbered in a text.
func lastNumber(text string) int {
	last := 0
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r != 'w' && (r < '0' || r > '9') }) {
		if n, err := strconv.Atoi(strings.TrimPrefix(word, "w")); err == nil && strings.HasPrefix(word, "w") && len(word) == 9 && n+10 > last {
			last = n + 10
		}
	}
	return last
}

// probeSizes are the sizes of the probes' answers.
var probeSizes = []int{20_000, 45_000, 60_000, 110_000, 400_000}

// probes are the tools and their answers, in the order of the calls.
func probes() []struct {
	name   string
	result object
	meta   object
} {
	type probe = struct {
		name   string
		result object
		meta   object
	}
	text := func(s string) object { return object{"type": "text", "text": s} }
	link := object{"type": "resource_link", "uri": "citeloop://probe", "name": "LINK"}
	data := object{"only": "STRUCTURED"}
	all := []probe{
		{name: "loop_init", result: object{"content": []object{text("TEXT")}}},
		{name: "both", result: object{"content": []object{text("TEXT")}, "structuredContent": data}},
		{name: "linked", result: object{"content": []object{text("TEXT"), link}, "structuredContent": data}},
		{name: "error", result: object{"content": []object{text(numbered(40_000))}, "isError": true}},
	}
	for _, n := range probeSizes {
		all = append(all, probe{name: "text" + strconv.Itoa(n), result: object{"content": []object{text(numbered(n))}}})
	}
	all = append(all, probe{name: "writes", result: object{"content": []object{text("TEXT")}}})
	return append(all, probe{name: "raised", result: object{"content": []object{text(numbered(400_000))}}, meta: object{"anthropic/maxResultSizeChars": 500_000}})
}

// serveProbe serves MCP over stdio, in revision 2025-06-18.
func serveProbe(in io.Reader, out io.Writer) error {
	enc := json.NewEncoder(out)
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var req struct {
			ID     any    `json:"id"`
			Method string `json:"method"`
			Params struct {
				Name            string `json:"name"`
				ProtocolVersion string `json:"protocolVersion"`
			} `json:"params"`
		}
		if err := json.Unmarshal(lines.Bytes(), &req); err != nil {
			return err
		}
		if req.ID == nil {
			continue
		}
		answer := object{"jsonrpc": "2.0", "id": req.ID}
		switch req.Method {
		case "initialize":
			answer["result"] = object{"protocolVersion": "2025-06-18", "capabilities": object{"tools": object{}}, "serverInfo": object{"name": "citeloop", "version": "1"}, "instructions": probeInstructions}
		case "tools/list":
			var list []object
			for _, p := range probes() {
				t := object{"name": p.name, "description": "DESCRIPTION " + numbered(5_000), "inputSchema": object{"type": "object", "properties": object{}},
					"annotations": object{"readOnlyHint": p.name != "writes", "destructiveHint": false, "openWorldHint": false}}
				if p.meta != nil {
					t["_meta"] = p.meta
				}
				list = append(list, t)
			}
			answer["result"] = object{"tools": list}
		case "tools/call":
			for _, p := range probes() {
				if p.name == req.Params.Name {
					answer["result"] = p.result
				}
			}
		case "ping":
			answer["result"] = object{}
		}
		if answer["result"] == nil {
			answer["error"] = object{"code": -32601, "message": "method not found"}
		}
		if err := enc.Encode(answer); err != nil {
			return err
		}
	}
	return lines.Err()
}

// probing is the script that calls every probe.
func probing() []func(*model) call {
	var steps []func(*model) call
	for _, p := range probes() {
		steps = append(steps, func(*model) call { return call{Tool: p.name, Args: object{}} })
	}
	return append(steps, func(*model) call { return call{} })
}
