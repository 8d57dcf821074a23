package injection

import (
	"regexp"
	"slices"
	"strings"
)

// phrase is one way to address a model. It stands only near one of its words, so a text is searched for those
// first, which is what makes a page of 30 kB cost a millisecond and not thirty.
type phrase struct {
	kind    Kind
	words   []string // as they stand in a text whose Latin capitals are small ones
	pattern *regexp.Regexp
}

// say compiles a phrase. Its words are apart by semicolons. A blank in the pattern stands for any white space, an
// optional one for any or none, "…" for up to 40 characters of one sentence.
func say(kind Kind, words, pattern string) phrase {
	pattern = strings.ReplaceAll(pattern, " ?", `\s*`)
	pattern = strings.ReplaceAll(pattern, " ", `\s+`)
	pattern = strings.ReplaceAll(pattern, "…", `[^.!?。！？\n]{0,40}?`)
	return phrase{kind, strings.Split(words, ";"), regexp.MustCompile(`(?im)` + pattern)}
}

// phrases are those of the languages of the project, and the marks of chats, which are the same in all of them.
//
// Each pattern wants the word that makes it a model's business (previous, system, you must), because "ignore the
// instructions" alone is said to people every day.
var phrases = slices.Concat(english, german, french, spanish, portuguese, italian, russian, chinese, japanese, chat)

const modelEN = `(?:AI|A\.I\.|LLM|GPT|ChatGPT|Claude|Gemini|Copilot|large language model|language model|chatbot|AI (?:assistant|agent|model|system|language model|reviewer|chatbot))`

var english = []phrase{
	say(Override, "ignore;disregard;forget;override;bypass;do not follow;don't follow;don’t follow;pay no attention",
		`\b(?:ignore|disregard|forget|override|bypass|do not follow|don['’]t follow|pay no attention to) (?:(?:all|any|every|of|the|your|these|those|my|other|and) ){0,4}(?:previous|prior|earlier|preceding|foregoing|above|initial|original|system|hidden|safety|existing|current)(?: (?:and|or|system|user|safety|\w+ing))? (?:\w+ )?(?:instructions?|prompts?|directions?|directives?|guidelines?|rules|commands?|messages?|context|training|programming|constraints|conversation|orders)\b`),
	say(Override, "ignore;disregard;forget;override;bypass",
		`\b(?:ignore|disregard|forget|override|bypass) (?:all |any |of )*(?:your|the system) (?:\w+ )?(?:instructions?|prompts?|guidelines?|directives?|programming|training|constraints)\b`),
	say(Override, "ignore;disregard;forget",
		`\b(?:ignore|disregard|forget) (?:all (?:of )?)?(?:everything|anything|what) (?:(?:that )?(?:you (?:were|have been|['’]ve been) (?:told|given|instructed|taught)|I (?:said|told you))|(?:written |said |stated |mentioned )?(?:above|before this|prior to this))`),
	say(Override, "system prompt;system message;system instruction;initial prompt;hidden prompt",
		`\b(?:reveal|print|repeat|output|show me|leak|disclose|display|recite) (?:(?:all|of|me|verbatim|back) )*(?:your|the) (?:full |entire |hidden |initial |original |secret )*(?:system (?:prompt|message|instructions?)|initial prompt|hidden prompt)\b`),
	say(Override, "your new;your real;your actual;your only;your updated",
		`\byour (?:new|real|actual|only|updated) (?:instructions?|task|goal|objective|mission|directive)s? (?:is|are|now)\b`),
	say(Persona, "you are now;you are no longer;you are henceforth",
		`\byou are (?:now|no longer|henceforth) (?:(?:a|an|the|in|my|called|bound by|under|acting as|\w+) ){0,4}(?:`+modelEN+`|assistant|DAN|developer mode|jailbroken|unrestricted)\b`),
	say(Persona, "you must;you should;you shall;you have to;you need to;you are;you will;you may not;you can",
		`\bas an? (?:\w+ )?`+modelEN+`,? you (?:must|should|shall|have to|need to|are (?:required|obliged|instructed|expected|to)|will|are not|may not|cannot|can)\b`),
	say(Persona, "if you are a;if you are the;if you are chatgpt;if you are claude;if you are gemini;if you are copilot;if you are gpt",
		`\bif you are (?:an? |the )?(?:\w+ )?`+modelEN+`\b`),
	say(Persona, "note;notice;message;instruction;attention;reminder;important",
		`\b(?:note|notice|message|instructions?|attention|reminder|important)[ :,-]+(?:to|for|:)? ?(?:all |any |the )*`+modelEN+`s?(?: (?:assistants?|agents?|models?|systems?|readers?|reviewers?|crawlers?))?(?: (?:reading|processing|summari[sz]ing|reviewing|parsing|accessing)\b|:)`),
	say(Persona, "reading this;reading the following;processing th;summarizing th;summarising th;reviewing th;parsing th;viewing th;accessing th",
		`\b`+modelEN+`s? (?:assistants?|agents?|models?|systems?|reviewers?)? ?(?:reading|processing|summari[sz]ing|reviewing|parsing|viewing|accessing) (?:this|the following) (?:page|text|document|paper|article|content|file|manuscript|message|website),? (?:please|must|should|shall|you|is|are|ignore|do)\b`),
	say(Secrecy, "the user;your user;the human;your human;your operator;the operator",
		`\b(?:do not|don['’]t|never) (?:tell|inform|alert|notify|warn|reveal|disclose|mention)(?: (?:this|that|it|these|any of this|anything|about this|to))* (?:the|your) (?:user|human|operator)s?(?: (?:about|that|of|what|anything))?(?: (?:this|these|you|the (?:instructions?|prompt|message)))\b`),
	say(Secrecy, "this prompt;this instruction;these instructions;this message;this injection",
		`\b(?:do not|don['’]t|never|without) (?:mention|reveal|disclos|tell|acknowledg|report|show)(?:e|ing)? (?:(?:the |of )*(?:existence|presence) of )?(?:this (?:prompt|instruction|message|injection)|these instructions)\b`),
	say(Action, "positive review;negatives;weaknesses of",
		`\b(?:give|provide|write|produce) (?:\w+ ){0,3}positive reviews? only\b|\bonly (?:give|provide|write|produce) (?:\w+ ){0,2}positive review|\b(?:do not|don['’]t|never) (?:highlight|mention|raise|list) any (?:\w+ )?(?:negatives|weaknesses of (?:this|the) (?:paper|manuscript|work))`),
	say(Action, "loop_;verify_citations;run_channel;find_passages",
		`\b(?:call|use|invoke|run|execute) (?:the )?(?:tool )?[\x60"'“]?(?:loop_(?:init|update|reflect|report|add_gap|get_gaps|get_state|list)|verify_citations|run_channel|find_passages)\b`),
	say(Action, "tool call;function call",
		`\b(?:you (?:must|should|shall|need to|have to)|please|now|immediately) (?:make|issue|perform|execute) (?:a|an|the|this|another|the following) (?:\w+ )?(?:tool|function) call\b`),
	say(Action, "conversation;chat history;chat log;system prompt;credentials;api key;secrets;environment variable;user's;user’s",
		`\b(?:send|post|upload|forward|e-?mail|exfiltrate|leak|transmit|append|submit)…\b(?:(?:this|the|your|our|entire|full|whole) (?:\w+ )?(?:conversation|chat (?:history|log))|conversation history|system prompt|user['’]s (?:data|messages|credentials|files|secrets|api keys?)|(?:your|all|any|the) (?:\w+ )?(?:api keys?|credentials|secrets|environment variables))…\b(?:to|at) (?:https?://|www\.|\S+@\S+\.)`),
}

var german = []phrase{
	say(Override, "ignorier;vergiss;vergesst;vergessen sie;missachte;überschreib",
		`\b(?:ignorier\w*|vergiss|vergesst|vergessen sie|missachte\w*|überschreibe?) (?:(?:bitte|sie|alle[rsn]?|die|deine|ihre|sämtliche|jegliche|und) ){0,4}(?:vorherige|bisherige|vorige|obige|frühere|vorangegangene|vorhergehende|ursprüngliche|bestehende|oben genannte)[nrs]? (?:\w+ )?(?:anweisung|instruktion|befehl|vorgabe|prompt|regel|richtlinie|anleitung|nachricht)\w*`),
	say(Override, "ignorier;vergiss;missachte",
		`\b(?:ignorier\w*|vergiss|missachte\w*) (?:bitte )?(?:alle )?deine (?:\w+ )?(?:anweisungen|instruktionen|vorgaben|regeln|richtlinien)\b`),
	say(Override, "systemprompt;system-prompt",
		`\b(?:gib|zeige?|verrate|wiederhole|nenne)… (?:deinen?|den) (?:\w+ )?system-?prompt\b`),
	say(Persona, "als ki;als ai;als ein;als künstl;als gro;als sprach;als llm",
		`\bals (?:(?:ein|eine|große[rs]?) ){0,2}(?:KI|AI|künstliche intelligenz|(?:KI-)?sprachmodell|KI-(?:modell|assistent|agent)\w*|LLM),? (?:musst|sollst|darfst|wirst) du\b`),
	say(Persona, "du bist jetzt;du bist nun;du bist ab sofort;du bist nicht mehr",
		`\bdu bist (?:jetzt|nun|ab sofort|nicht mehr) (?:(?:ein|eine|kein|keine|mein|\w+) ){0,3}(?:KI|AI|assistent\w*|chatbot|sprachmodell|KI-\w+)\b`),
	say(Persona, "wenn du ein;falls du ein",
		`\b(?:wenn|falls) du (?:ein|eine) (?:\w+ )?(?:KI|AI|künstliche intelligenz|sprachmodell|LLM|chatbot|KI-\w+)\b`),
	say(Secrecy, "nutzer;anwender",
		`\b(?:sag|sage|verrate|verrat|erzähle?|teile?|melde) (?:(?:es|das|dies|davon) )?(?:dem|den) (?:be)?(?:nutzer|anwender)\w* (?:\w+ ){0,3}(?:nicht|nichts)\b`),
}

var french = []phrase{
	say(Override, "ignore;oublie;néglige;ne tiens;ne tenez",
		`\b(?:ignore[zrs]?|oublie[zrs]?|néglige[zrs]?|ne (?:tiens|tenez) (?:pas|aucun) compte (?:de|des|d['’])) ?(?:(?:toutes|tous|les|tes|vos|ces|de) ){0,4}(?:précédentes |anciennes )?(?:instructions?|consignes?|directives?|règles|commandes?|messages?|prompts?) (?:\w+ )?(?:précédente?s?|antérieure?s?|ci-dessus|initiale?s?|d['’]origine|du système|système|reçues)`),
	say(Override, "ignore;oublie",
		`\b(?:ignore[zrs]?|oublie[zrs]?) (?:toutes )?(?:les|tes|vos) (?:précédentes|anciennes) (?:instructions?|consignes?|directives?|règles)`),
	say(Persona, "en tant qu",
		`\ben tant qu(?:e |['’])(?:une? )?(?:IA|intelligence artificielle|(?:grand )?modèle de langage|assistant IA|LLM),? (?:tu (?:dois|devras)|vous (?:devez|devrez))`),
	say(Persona, "si tu es un;si vous êtes un",
		`\bsi (?:tu es|vous êtes) une? (?:\w+ )?(?:IA|LLM|modèle de langage|intelligence artificielle|chatbot|assistant IA)\b`),
	say(Persona, "tu es maintenant;tu es désormais",
		`\btu es (?:maintenant|désormais) (?:\w+ ){0,3}(?:IA|assistant|chatbot|modèle de langage)\b`),
	say(Secrecy, "l'utilisateur;l’utilisateur",
		`\bne (?:le |la |les |lui )?(?:dis|dites|révèle[zs]?|mentionne[zs]?|signale[zs]?|parle[zs]?) (?:pas|rien|jamais)… à l['’]utilisateur|\bn['’]informe[zs]? (?:pas|jamais) l['’]utilisateur`),
}

var spanish = []phrase{
	say(Override, "ignor;olvid;caso omiso;no sigas;descarta",
		`\b(?:ignor[ae]n?|ignorad|ignorar|olvid[ae]n?|olvídate de|haz caso omiso (?:de|a)|no sigas|descarta) (?:(?:todas|todos|las|los|tus|sus|de) ){0,4}(?:(?:anteriores|previas) )?(?:instrucciones|indicaciones|órdenes|directrices|reglas|mensajes|prompts?)(?: (?:\w+ )?(?:anteriores|previas|previos|precedentes|de arriba|originales|iniciales|del sistema|recibidas))`),
	say(Override, "ignor;olvid;descarta",
		`\b(?:ignor[ae]n?|olvid[ae]n?|descarta) (?:todas )?(?:las|tus) (?:anteriores|previas) (?:instrucciones|indicaciones|órdenes|directrices|reglas)`),
	say(Persona, "como ia;como una ia;como inteligencia;como una inteligencia;modelo de lenguaje;como asistente;como un asistente;como llm;como un llm",
		`\bcomo (?:una? )?(?:IA|inteligencia artificial|(?:gran )?modelo de lenguaje|asistente de IA|LLM),? (?:debes|debe|tienes que|deberás|tú debes|usted debe)\b`),
	say(Persona, "si eres un;si usted es un",
		`\bsi (?:eres|usted es) una? (?:\w+ )?(?:IA|LLM|modelo de lenguaje|inteligencia artificial|chatbot|asistente de IA)\b`),
	say(Persona, "ahora eres",
		`\bahora eres (?:\w+ ){0,3}(?:IA|asistente|chatbot|modelo de lenguaje)\b`),
	say(Secrecy, "usuario",
		`\bno (?:se |le )?(?:lo )?(?:digas|diga|reveles|revele|informes|informe|menciones|cuentes)…(?:al|a los) usuarios?\b`),
}

var portuguese = []phrase{
	say(Override, "ignor;esqueça;esqueca;desconsidere;descarte",
		`\b(?:ignor[ea]m?|ignorar|esque[çc]a(?: d?as)?|desconsidere|descarte) (?:(?:todas|todos|as|os|suas|seus|de) ){0,4}(?:(?:anteriores|prévias) )?(?:instruções|orientações|ordens|diretrizes|regras|mensagens|comandos|prompts?)(?: (?:\w+ )?(?:anteriores|prévias|acima|originais|iniciais|do sistema|recebidas))`),
	say(Persona, "como ia;como uma ia;como inteligência;como uma inteligência;modelo de linguagem;como assistente;como um assistente;como llm;como um llm",
		`\bcomo (?:uma? )?(?:IA|inteligência artificial|(?:grande )?modelo de linguagem|assistente de IA|LLM),? (?:você (?:deve|precisa|tem que)|deves|tens de)\b`),
	say(Persona, "se você é;se você for;se és",
		`\bse (?:você (?:é|for)|és) (?:uma? )?(?:\w+ )?(?:IA|LLM|modelo de linguagem|inteligência artificial|chatbot|assistente de IA)\b`),
	say(Persona, "você agora é",
		`\bvocê agora é (?:\w+ ){0,3}(?:IA|assistente|chatbot|modelo de linguagem)\b`),
	say(Secrecy, "usuário;utilizador",
		`\bnão (?:o |lhe )?(?:diga|conte|revele|informe|mencione)…(?:ao|aos|o) (?:usuário|utilizador)(?:es)?s?\b`),
}

var italian = []phrase{
	say(Override, "ignor;dimentic;trascura",
		`\b(?:ignora|ignorate|ignori|ignorare|dimentica|dimenticate|dimentichi|trascura) (?:(?:tutte|tutti|le|i|gli|tue|vostre) ){0,4}(?:(?:precedenti) )?(?:istruzioni|indicazioni|direttive|regole|comandi|messaggi|prompt)(?: (?:\w+ )?(?:precedenti|di cui sopra|qui sopra|originali|iniziali|di sistema|del sistema|ricevute))`),
	say(Override, "ignor;dimentic",
		`\b(?:ignora|ignorate|ignori|dimentica|dimenticate) (?:tutte )?le precedenti (?:istruzioni|indicazioni|direttive|regole)`),
	say(Persona, "come ia;come una ia;come ai;come intelligenza;come un'intelligenza;come un’intelligenza;modello linguistico;come assistente;come un assistente;come llm;come un llm;in quanto",
		`\b(?:come|in quanto) (?:una? )?(?:IA|AI|intelligenza artificiale|(?:grande )?modello linguistico|assistente (?:di )?(?:IA|AI)|LLM),? (?:devi|dovrai|dovete|deve)\b`),
	say(Persona, "se sei un",
		`\bse sei un(?:a |['’]| )(?:\w+ )?(?:IA|AI|LLM|modello linguistico|intelligenza artificiale|chatbot|assistente (?:IA|AI))\b`),
	say(Persona, "ora sei",
		`\b(?:ora sei|da ora sei) (?:\w+ ){0,3}(?:IA|AI|assistente|chatbot|modello linguistico)\b`),
	say(Secrecy, "utent",
		`\bnon (?:dire|dirlo|rivelare|rivelarlo|menzionare|menzionarlo|comunicare|riferire)…(?:all['’]utente|agli utenti)|\bnon informare l['’]utente`),
}
