// Package arguments describes the arguments of tools to clients, and decodes what models send: values of the wrong type are
// converted if only one meaning is possible, and errors tell a model what to send instead.
package arguments
