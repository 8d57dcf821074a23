// Package llm asks language models behind OpenAI-compatible endpoints: hosted ones, and servers on the user's machine
// such as Ollama and llama.cpp. Nothing is sent unless an endpoint and a model are configured.
//
// [Client.Complete] asks for one answer. It streams, so that a slow model can be distinguished from a dead one. A request with a
// schema asks for structured output; an endpoint that does not know schemas is asked for a JSON object, then for plain
// text, and [Answer.Format] says which it was. The client remembers what an endpoint does not accept.
//
// Connections, rate limits, server errors and answers that broke off are retried; Retry-After is honoured. Errors are
// [*Error] with a code. Time, tokens, bytes, retries and concurrent requests are bounded.
//
// It uses net/http alone: openai-go was 20 of 73 MB of the program (docs/decisions/9-size.md).
//
// The key is sent only in the Authorization header. It is removed from every error and log line. Redirects are not
// followed: the texts are meant for the configured host.
package llm
