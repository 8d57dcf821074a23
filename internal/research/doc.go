// Package research is a host agent: it drives a research loop over MCP with any model that has an OpenAI-compatible
// endpoint. It serves people without a host and is a small example of one. It knows only the server's tools and prompts,
// and finds sentences in a text as the server does.
//
// # A run
//
// [Run] starts or continues a loop. In each round, one searcher per angle has its own conversation with the model, in
// parallel with the others and without seeing them. The synthesizer writes claims, which are verified before they are
// recorded. The critic names gaps or signs off, and loop_reflect closes the round. The server, not the model, decides
// when to stop. Then a text is written, checked sentence by sentence, corrected or shortened, and reported.
//
// # Trust
//
// The server is trusted. The model's output is not: it is parsed leniently, repaired once, and otherwise counted as a
// failure. Only ids from the server are valid. The report contains no sentence without support in a text that was read;
// the result counts the rejected ones.
//
// # Limits
//
// The server keeps the loop's budget (rounds, tokens, cost, time) from the usage that this host reports after every step.
// Each conversation has limits of turns, calls and tokens, so that a model that never stops costs one conversation only.
// A part of the budget is reserved for the text.
//
// # Recovery
//
// All state is in the loop. Each step ends with a loop_update whose operation id names the step. A run that continues
// after a crash finds the completed steps in the log, and a repeated call takes effect once. Changes at the sources of a finished loop
// open it again.
package research
