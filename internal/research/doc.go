// Package research is a host agent: it drives a research loop over MCP with any model that speaks OpenAI's chat
// completions. It is for people without a host of their own, and small enough to be read as an example of one.
// It knows the server by its tools and prompts alone.
//
// # A run
//
// [Run] starts a loop, or goes on with one. Each round, one searcher for each angle holds a conversation of its
// own with the model, in parallel and blind to the others; the synthesizer writes claims, which are verified
// before they are recorded; the critic names what is missing, or signs off; loop_reflect closes the round. The
// server's decision is obeyed: the model never says when it is enough. At the end a text is written, checked
// sentence by sentence, mended or cut, and reported.
//
// # What is trusted
//
// The server is. Everything that the model writes is foreign: it is read leniently, repaired once, and counted as
// a failure where that does not help. Ids count only if the server minted them. A sentence that does not lead
// to text that was read does not reach the report, whoever wrote it; the outcome says how many were refused.
//
// # What bounds it
//
// The loop's budget (rounds, tokens, cost, time) is kept by the server, from the usage that this host reports
// after every step. Each conversation has its own limits of turns, calls and tokens beside it, so that a model
// which never stops costs one conversation, not the budget. A part of the budget is held back for the text.
//
// # What survives
//
// All state is in the loop. Each step ends with a loop_update whose operation id names it, so that a run which
// was killed finds the steps that are done in the loop's log, and a call repeated after a lost answer acts once.
package research
