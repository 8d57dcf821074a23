// Package charset turns bytes into UTF-8, by what they declare, what they plainly are, and what they look like.
package charset
