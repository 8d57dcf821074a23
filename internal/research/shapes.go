package research

// The parts of the server's results that this host reads.
type (
	decision struct {
		NextAction string   `json:"next_action"`
		Queries    []string `json:"next_queries"`
		NextURLs   []string `json:"next_urls_to_fetch"`
		StopReason string   `json:"stop_reason"`
		Rule       string   `json:"rule"`
		Because    string   `json:"because"`
		Target     string   `json:"target"`
	}
	remaining struct {
		Rounds         int      `json:"rounds"`
		CostUSD        *float64 `json:"cost_usd"`
		LatencySeconds *int     `json:"latency_seconds"`
		Tokens         int      `json:"tokens"`
	}

	// loopView is a result of loop_get_state; the requested list is set.
	loopView struct {
		StateID    string    `json:"state_id"`
		Query      string    `json:"query"`
		AsOf       string    `json:"as_of"`
		Round      int       `json:"round"`
		Remaining  remaining `json:"budget_remaining"`
		Decision   decision  `json:"decision"`
		Sources    []source  `json:"sources"`
		Claims     []claim   `json:"claims"`
		Events     []event   `json:"events"`
		NextCursor string    `json:"next_cursor"`
	}
	event struct{ Kind, Op string }

	hit struct {
		Title       string `json:"title"`
		URL         string `json:"url"`
		Snippet     string `json:"snippet"`
		SourceType  string `json:"source_type,omitempty"`
		PublishedAt string `json:"published_at,omitempty"`
		Seen        bool   `json:"seen,omitempty"`
	}
	outcome struct {
		Name    string `json:"name"`
		Status  string `json:"status"`
		Count   int    `json:"count"`
		Message string `json:"message,omitempty"`
	}
	source struct {
		SourceID    string    `json:"source_id,omitempty"`
		URL         string    `json:"url"`
		Status      string    `json:"status,omitempty"`
		Reason      string    `json:"reason,omitempty"`
		Title       string    `json:"title"`
		PublishedAt string    `json:"published_at,omitempty"`
		SourceType  string    `json:"source_type,omitempty"`
		Chars       int       `json:"chars,omitempty"`
		Text        string    `json:"text,omitempty"`
		NextOffset  int       `json:"next_offset,omitempty"`
		Flags       []string  `json:"flags,omitempty"` // suspicious properties of the text
		Passages    []passage `json:"passages,omitempty"`
	}
	passage struct {
		SourceID string `json:"source_id,omitempty"`
		Start    int    `json:"start"`
		End      int    `json:"end"`
		Text     string `json:"text"`
	}

	// claim is one sentence with its sources. Check is set once it is verified.
	claim struct {
		ID         string   `json:"claim_id,omitempty"`
		Claim      string   `json:"claim"`
		SourceIDs  []string `json:"source_ids"`
		Confidence string   `json:"confidence,omitempty"`
		Check      *struct {
			Cycle  int    `json:"cycle"`
			Status string `json:"status"`
		} `json:"check,omitempty"`
	}

	verification struct {
		Verdict      string         `json:"verdict"`
		Counts       map[string]int `json:"counts"`
		Claims       []verdict      `json:"verified_claims"`
		Hallucinated []struct {
			Claim    string `json:"claim"`
			Citation string `json:"citation"`
			Why      string `json:"why"`
		} `json:"hallucinated_citations"`
		Uncited []struct {
			Text string `json:"text"`
			Line int    `json:"line"`
		} `json:"uncited_sentences"`
		Left int `json:"left_out"`
	}
	verdict struct {
		Claim    string   `json:"claim"`
		Status   string   `json:"status"`
		Read     bool     `json:"read"`
		Because  string   `json:"because"`
		SourceID string   `json:"source_id"`
		Passage  *passage `json:"passage"`
		Line     int      `json:"line"`
	}
)

// Values of the server.
const (
	fetchMore      = "fetch_more"
	finalize       = "finalize"
	escalateBudget = "escalate_budget"
	abort          = "abort"

	grounded    = "grounded"
	inferred    = "inferred"
	unsupported = "unsupported"

	fail = "fail" // the verdict of a text
)
