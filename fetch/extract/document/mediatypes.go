package document

// The types that are read, as [Document.ContentType] names them.
const (
	TypeHTML     = "text/html"
	TypeMarkdown = "text/markdown"
	TypePlain    = "text/plain"
	TypePDF      = "application/pdf"
	TypeEPUB     = "application/epub+zip"
	TypeDOCX     = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	TypeRSS      = "application/rss+xml"
	TypeAtom     = "application/atom+xml"
	TypeJSONFeed = "application/feed+json"
	TypeJATS     = "application/jats+xml" // not registered, and what archives call it
	TypeMessage  = "message/rfc822"
)
