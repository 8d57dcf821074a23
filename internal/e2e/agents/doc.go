// Package agents tests Claude Code, Codex and Gemini CLI with citeloop and a scripted model: what reaches the model in a loop,
// the clients' commands for servers and plugins, and the hooks.
package agents
