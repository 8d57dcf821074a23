package injection

// chat is the marks by which models and their hosts tell the parts of a chat apart. A text that wears them wants
// to be taken for more than a text; a page that explains them is flagged as well, and stays readable.
//
// Tags that are placeholders in ordinary pages (<user>, <function>) and headers that are ordinary words ("User:",
// "System:") are left out, except in a pair that only a chat has.
var chat = []phrase{
	say(Markup, "<|",
		`<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|start_header_id|end_header_id|eot_id|begin_of_text|channel|message)\|>`),
	say(Markup, "[inst];[/inst];<<sys>>;<</sys>>;_of_turn>",
		`\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>`),
	say(Markup, "<system;</system;<assistant;</assistant;<tool_;</tool_;<function_;</function_",
		`</?(?:system(?:[-_ ](?:prompt|message|instructions?|reminder|notice|override))|assistant(?:[-_ ](?:message|response|instructions?))?|tool_(?:call|calls|use|result|results|response)|function_(?:call|calls|result|results))(?:\s[^<>\n]{0,80})?>`),
	say(Markup, "<system>;</system>",
		`<system>[^<]{20,}|</system>`),
	say(Markup, "## system;## instruction;##system;##instruction",
		`^[ \t]*#{2,4} ?(?:system|instructions?) ?:`),
	say(Markup, "system prompt;system message;system instruction;system override;system notice",
		`^\W{0,4}system (?:prompt|message|instructions?|override|notice)(?: (?:to|for) [^\n:]{1,40})? ?:`),
	say(Markup, "human:;human :",
		`^human ?:[^\n]{0,200}\n(?:[^\n]{0,200}\n){0,3}?assistant ?:`),
}
