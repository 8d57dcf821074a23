package html

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
)

// form is one way in which a page might keep a text from its reader, or seems to. What Chromium shows of each is
// recorded in testdata/forms.txt; TestFormsInChromium compares the record with the browser.
type form struct {
	family string
	code   string // before the text: a style for inline and sheet, else HTML
	head   string
	open   string
}

func (f form) name() string { return f.family + ": " + f.code }

// page is the page of a form, with a text in the place that the form may hide.
func (f form) page(text string) string {
	return "<!DOCTYPE html><html><head><title>Harbour</title>" + f.head + "</head><body><p style=\"display:block!important;visibility:visible!important;opacity:1!important;color:#000!important\">" + formBefore + "</p>" + f.open + text + "</div></p></span></div><p>" + formAfter + "</p></body></html>"
}

const (
	formBefore = "The harbour is dredged twice a year by the town's own boat."
	formAfter  = "The ferry leaves at noon on every working day of the week."
	formSecret = "Quartz wardens juggle vexing balms."
)

// formFamily lists forms of one kind. Families of the development half were looked at while the code was written, those
// of the other half only when it was finished.
type formFamily struct {
	name    string
	heldOut bool
	kind    string // inline: a style attribute; sheet: a style element, for <p class="x" id="x">; html: the elements before the text
	codes   []string
}

func (f formFamily) forms() []form {
	var all []form
	for _, code := range f.codes {
		made := form{family: f.name, code: code}
		switch f.kind {
		case "inline":
			made.open = `<p style="` + code + `">`
		case "sheet":
			made.head, made.open = "<style>"+code+"</style>", `<div class="box outer"><i></i><p class="x note" id="x" data-k="v" lang="en">`
		case "html":
			made.open = code
		}
		all = append(all, made)
	}
	return all
}

var formFamilies = []formFamily{
	{"importance and white space", false, "inline", []string{
		"display:none ! important", "display:none !\timportant", "display : none!IMPORTANT", "DISPLAY:NONE", "display:none;display:block!important", "display:none!important;display:block",
		"display:none !importan", "display:none important", "display:\nnone", "visibility:hidden ! important",
	}},
	{"comments in inline styles", false, "inline", []string{
		"display:/**/none", "display/**/:none", "/*a*/display:none", "display:none/*", "display:no/**/ne", "display:none/**/!/**/important", "/*;*/display:none/*;display:block*/", "opacity:/*1*/0",
	}},
	{"escapes", false, "inline", []string{
		`display:n\6f ne`, `display:\6eone`, `d\69splay:none`, `display:non\65`, `disp\lay:none`, `\64 isplay:none`, `visibility:h\000069dden`, `display:n\o ne`, `display:\none`,
	}},
	{"invalid values", false, "inline", []string{
		"display:none;display:foo", "opacity:0;opacity:foo", "font-size:0;font-size:bar", "visibility:hidden;visibility:shown", "color:transparent;color:nocolor", "display:none none", "display:none;display:-x-none",
		"width:0;height:0;overflow:hidden;height:abc", "display:none;;;", "{};display:none", "foo:bar;display:none", "left:-9999px;position:foo", "display:'none'", "position:absolute;left:-9999",
	}},
	{"conditions", false, "sheet", []string{
		"@media screen{.x{display:none}}", "@media all{.x{display:none}}", "@media only screen{.x{display:none}}", "@media screen and (min-width:1px){.x{display:none}}", "@supports (display:block){.x{display:none}}",
		"@layer a{.x{display:none}}", "@layer a,b;@layer b{.x{display:none}}", "@media not print{.x{display:none}}", "@media{.x{display:none}}", "@media screen{@supports (color:red){.x{display:none}}}",
		"@media print{.x{display:none}}", "@supports not (display:block){.x{display:none}}", "@media (max-width:99999px){.x{display:none}}", "@media print,screen{.x{display:none}}",
	}},
	{"ends of sheets", false, "sheet", []string{
		".x{display:none", ".x{visibility:hidden;", "@media screen{.x{display:none}", "@media screen{.x{display:none", ".x{display:none/*", ".x{display:none}}", ".y{color:red}}.x{display:none}", "}.x{display:none}", "<!--.x{display:none}-->", ".x{display:none;}.y{",
	}},
	{"selectors beside and of attributes", false, "sheet", []string{
		"p+div .x{display:none}", "i+.x{display:none}", "i~.x{display:none}", "[data-k]{display:none}", "[data-k=v]{display:none}", `[class~="x"]{display:none}`, "[class^=x]{display:none}", "p[id=x]{display:none}", "*{visibility:hidden}",
		"body>div>p{display:none}", "body *+p{display:none}", "p+.x{display:none}", "[data-k=w]{display:none}", "div+.x{display:none}",
	}},
	{"arithmetic", false, "inline", []string{
		"font-size:calc(0px)", "opacity:calc(0)", "position:absolute;left:calc(-9999px)", "font-size:calc(1px * 0)", "height:calc(0px);overflow:hidden", "opacity:calc(1 - 1)", "text-indent:calc(-1 * 9999px)", "position:absolute;left:calc(0px - 9999px)",
		"font-size:calc(10px + 6px)", "opacity:calc(0.5 + 0.5)",
	}},
	{"indents and margins", false, "inline", []string{
		"text-indent:-9999px", "text-indent:-999em;overflow:hidden", "margin-left:-9999px", "text-indent:9999px;overflow:hidden;white-space:nowrap", "margin-top:-9999px", "text-indent:100vw;white-space:nowrap;overflow:hidden", "padding-left:100vw;width:0;overflow:hidden;white-space:nowrap;box-sizing:border-box",
		"text-indent:-2em;padding-left:2em", "margin-left:40px", "text-indent:200%;white-space:nowrap;overflow:hidden",
	}},
	{"masks and filters", false, "inline", []string{
		"mask:linear-gradient(transparent,transparent)", "-webkit-mask:linear-gradient(#0000,#0000)", "mask-image:linear-gradient(rgba(0,0,0,0),rgba(0,0,0,0))", "filter:opacity(0)", "filter:blur(99px)", "filter:brightness(99)", "filter:contrast(0) brightness(9)", "-webkit-filter:opacity(0)",
		"filter:opacity(.9)", "mask:linear-gradient(black,black)", "filter:none", "filter:grayscale(1)",
	}},
	{"zoom and scale", false, "inline", []string{
		"zoom:0.001", "zoom:.1%", "scale:0", "scale:0 1", "scale:1 0", "transform:scaleX(0)", "transform:scale(0,1)", "transform:scale(0.001)", "transform:matrix(0,0,0,0,0,0)", "transform:matrix(1,0,0,0,0,0)", "zoom:1", "zoom:1.2", "scale:1", "transform:scale(1)",
	}},
	{"spaces of colours", false, "inline", []string{
		"color:oklch(1 0 0)", "color:oklab(100% 0 0)", "color:lab(100 0 0)", "color:lch(100% 0 0)", "color:color(srgb 1 1 1)", "color:hwb(0 100% 0%)", "color:hsl(0 0% 100%)", "color:color-mix(in srgb, white, white)", "color:rgb(255 255 255 / 1)", "color:rgb(100% 100% 100%)",
		"color:oklch(0.4 0.1 20)", "color:color(srgb 0.2 0.2 0.2)", "color:hsl(120deg 100% 99%)", "color:RGB(255,255,255)",
	}},
	{"names of colours", false, "inline", []string{
		"color:ivory", "color:lightyellow", "color:honeydew", "color:WHITE", "color:canvas", "color:darkslategray", "color:lavenderblush;background:snow", "color:navy;background:darkblue", "color:rebeccapurple;background:rebeccapurple", "color:#fffe", "color:inherit;opacity:.02", "color:currentColor", "color:tomato;background:tomato",
	}},
	{"elements", false, "html", []string{
		"<p><template>", "<p><noscript>", "<p><object data='data:text/html,'>", "<p><canvas>", "<p><video>", "<p><audio>", "<p><iframe src='about:blank'>", "<p><svg width=1 height=1><desc>", "<p><svg width=1 height=1><title>", "<p><datalist><option>", "<p><meter value=1>", "<p><progress>", "<dialog><p>", "<div popover><p>", "<p hidden>", "<p hidden=''>",
		"<p><mark>", "<p><small>", "<p><bdi>", "<div inert><p>",
	}},

	{"more of importance", true, "inline", []string{
		"opacity:0 ! important", "opacity:0!important;opacity:1", "font-size:0 !\nimportant", "Visibility:Hidden !Important", "visibility:hidden!important;visibility:visible", "display:block;display:none", "display:none;display:inline", "opacity:0 !imp ortant", "font-size:0;font-size:1em ! important", "visibility:hidden;visibility:visible!important",
	}},
	{"importance between rules", true, "sheet", []string{
		".x{display:none!important}.x{display:block}", ".x{display:none}#x{display:block}", "#x{display:none}.x{display:block}", "p.x{display:none}.x{display:block}", ".x.note{display:none}.x{display:block}", ".x{display:block!important}#x{display:none}", ".x{display:none}p{display:block}", "@layer a{.x{display:none}}.x{display:block}",
		".x{display:none}@layer a{.x{display:block}}", ":root .x{display:none}.x{display:block}",
	}},
	{"comments in sheets", true, "sheet", []string{
		".x/**/{display:none}", "/*.x{}*/.x{display:none}", ".x{/*}*/display:none}", ".x{display:none/*}*/}", "./**/x{display:none}", ".x{disp/**/lay:none}", ".x{visibility:/*visible*/hidden}", ".y/*,*/,.x{display:none}", ".x{display/* : */:/* block */none}",
	}},
	{"escapes in sheets", true, "sheet", []string{
		`.\78{display:none}`, `.\x{display:none}`, `#\78 {display:none}`, `.x{display:\6e\6f\6e\65}`, `.x{v\69sibility:hidden}`, `p\2e x{display:none}`, `.x{content:"}";display:none}`, `.x{background:url(a;b);display:none}`, `.x{content:'\'}';opacity:0}`, `@m\65 dia screen{.x{display:none}}`,
	}},
	{"values that do not hold", true, "inline", []string{
		"clip-path:circle(0);clip-path:foo", "transform:scale(0);transform:scale(x)", "overflow:hidden;height:0;height:1e", "opacity:0;opacity:10px", "visibility:hidden;visibility:", "color:transparent;color:#12", "display:none;display:", "opacity:0;opacity:50%", "font-size:0;font-size:-1px", "position:absolute;left:-9999px;left:oops",
		"display:nothing", "visibility:hiddn", "opacity:-1", "opacity:0e5", "opacity:.0", "opacity:+0", "display:none\\9",
	}},
	{"more conditions", true, "sheet", []string{
		"@media screen,print{.x{visibility:hidden}}", "@MEDIA SCREEN{.x{display:none}}", "@supports (opacity:0){.x{opacity:0}}", "@supports (display:grid) and (color:red){.x{display:none}}", "@layer{.x{display:none}}", "@layer a.b{.x{display:none}}", "@media (min-width:0){.x{display:none}}", "@media screen and (min-height:1px){.x{display:none}}", "@media not all{.x{display:none}}",
		"@media speech{.x{display:none}}", "@supports (foo:bar){.x{display:none}}", "@media (min-width:320px){.x{display:none}}", "@media not screen{.x{display:none}}", "@layer a{@media all{.x{display:none}}}",
	}},
	{"nesting and pseudo-classes", true, "sheet", []string{
		".box{.x{display:none}}", ".box{& .x{display:none}}", ".box{& > p{display:none}}", "p{&.x{display:none}}", ".x{color:red;&{display:none}}", "p:first-of-type{display:none}.y{}", ".x:not(.y){display:none}", ":is(.x,.y){display:none}", ":where(.x){display:none}", "p:last-child{display:none}", ".x:nth-child(2){display:none}", "p:not(.x){display:none}", ".x:hover{display:none}", ".x:lang(en){display:none}", ".box:has(.x){display:none}",
	}},
	{"more selectors", true, "sheet", []string{
		".outer.box .x{display:none}", "html body .x{display:none}", "body .box>.x{display:none}", "i + p{display:none}", "i ~ p{display:none}", "[lang|=en]{display:none}", "[class$=note]{display:none}", "[class*=ot]{display:none}", "p[data-k='v'].x{display:none}", `[DATA-K="v"]{display:none}`, "P.x{display:none}", "p + p{display:none}", "div > i > p{display:none}", ".X{display:none}", "body>*{opacity:0}",
	}},
	{"more arithmetic", true, "inline", []string{
		"font-size:min(0px,16px)", "font-size:max(0px,0.5px)", "opacity:min(0,1)", "position:absolute;left:min(-9999px,0px)", "width:calc(1px);height:calc(1px);overflow:hidden;white-space:nowrap", "font-size:clamp(0px,0px,0px)", "opacity:calc(0%)", "transform:translateX(calc(-1px * 9999))", "font-size:max(0px,16px)", "opacity:max(0,1)", "position:absolute;left:calc(-100vw - 9000px)",
	}},
	{"places", true, "inline", []string{
		"position:absolute;top:-9999px", "position:fixed;bottom:-500vh", "position:fixed;top:200vh", "position:absolute;right:9999px", "translate:-9999px", "translate:0 -9999px", "transform:translate3d(-9999px,0,0)", "inset:-9999px auto auto -9999px;position:absolute", "position:absolute;inset-inline-start:-9999px", "position:relative;left:-200vw", "position:relative;left:10px", "translate:4px", "margin-inline-start:-9999px", "position:static;left:-9999px", "left:-9999px",
	}},
	{"boxes", true, "inline", []string{
		"max-height:0;overflow:hidden", "block-size:0;overflow:hidden", "inline-size:0;overflow:hidden;white-space:nowrap", "max-inline-size:0;overflow:clip;white-space:nowrap", "height:0;overflow:clip", "height:0;overflow-y:hidden", "line-height:0;overflow:hidden", "contain:strict", "contain:size;overflow:hidden", "height:0;overflow:auto", "clip-path:inset(100%)", "clip-path:polygon(0 0)", "clip-path:inset(50% 0)", "clip-path:polygon(0 0,0 0,0 0)", "clip-path:ellipse(0 0)", "position:absolute;clip:rect(0 0 0 0)", "clip-path:rect(0 0 0 0)", "clip-path:xywh(0 0 0 0)",
		"height:200px;overflow:hidden", "clip-path:inset(0)", "height:0", "max-height:50px;overflow:hidden",
	}},
	{"letters", true, "inline", []string{
		"font:0/1 serif", "font:0px serif", "font-size:0%", "font-size:.1px", "font-size:0em", "-webkit-text-fill-color:transparent", "-webkit-text-fill-color:white", "letter-spacing:-9999px", "-webkit-text-security:disc", "font:16px serif", "font-size:smaller", "font-size:100%", "font-size:1px", "color:white;text-shadow:0 0 1px black", "font-size-adjust:0",
	}},
	{"more colours", true, "inline", []string{
		"color:rgba(255,255,255,.5)", "color:rgb(250 250 250)", "color:oklch(100% 0.01 90)", "color:lab(99% 0 0)", "color:color(display-p3 1 1 1)", "color:hsla(0,0%,100%,1)", "color:hwb(120 100% 0%)", "color:color-mix(in oklab, white 100%, black)", "color:#FFF", "color:rgb(0 0 0 / 0)", "color:rgb(0 0 0 / 0%)", "color:oklch(0 0 0 / 0)", "color:color(srgb 0 0 0 / 0)", "color:lab(20% 0 0)", "color:hwb(0 0% 100%)", "color:light-dark(white,black)", "color:azure", "color:mintcream;background:white", "color:teal;background:teal", "color:white;background:maroon", "color:black;background:oklch(0 0 0)", "background:black",
	}},
	{"variables", true, "sheet", []string{
		".x{--d:none;display:var(--d)}", ":root{--d:none}.x{display:var(--d)}", ".x{display:var(--nope,none)}", "html{--w:white}.x{color:var(--w)}", ".box{--o:0}.x{opacity:var(--o)}", ":root{--c:#fff}.x{color:var(--c);background:var(--c)}", ":root{--c:#111}.x{color:var(--c)}", ".x{display:var(--nope)}", ".x{--d:none}",
	}},
	{"around the text", true, "html", []string{
		"<div style='display:none'><p>", "<div style='visibility:hidden'><p>", "<div style='visibility:hidden'><p style='visibility:visible'>", "<div style='opacity:0'><p style='opacity:1'>", "<div style='height:0;overflow:hidden'><p>", "<div style='font-size:0'><p>", "<div style='font-size:0'><p style='font-size:16px'>", "<div style='color:white'><p>", "<div style='background:black;color:black'><p>",
		"<div style='background:black'><p style='color:white'>", "<div style='opacity:.2'><div style='opacity:.2'><p style='opacity:.2'>", "<div hidden style='display:block'><p>", "<p><span style='display:none'>", "<ul style='display:none'><li>", "<table hidden><tr><td>", "<p><font color=white>", "<body text=white><p>", "<p><font size=1>", "<div style='content-visibility:hidden'><p>",
		"<section aria-hidden=true><p>", "<p><s>", "<div style='display:contents;display:none'><p>", "<div style='transform:scale(0)'><p style='transform:scale(1)'>", "<p><map>", "<p><rp>", "<p><select><option>", "<p><textarea hidden>",
	}},
	{"hard ones", true, "sheet", []string{
		"@keyframes k{to{opacity:0}}.x{animation:k 1ms forwards}", ".x{display:none}.open .x{display:block}", ".x{display:none}.x:hover{display:block}", "@media (min-width:600px){.x{display:none}}", "@media (orientation:landscape){.x{display:none}}", "@container (min-width:0){.x{display:none}}body{container-type:inline-size}",
		"@scope (.box){.x{display:none}}", ".box{position:relative}.box i{position:absolute;inset:0;background:white}", ".x{mix-blend-mode:screen;color:white}", ".x{letter-spacing:-1em;width:1px;overflow:hidden;white-space:nowrap}", ".x{margin-left:-200%}", ".x{position:absolute;left:-100%}", ".x{transform:translateX(-120%)}", ".x{position:absolute;z-index:-1}.box{background:white;position:relative;z-index:0}.box i{display:block;position:absolute;inset:0;background:#fff}", ".box{max-height:0}.box{overflow:hidden}", ".x{height:0}.note{overflow:hidden}", "::first-line{color:white}", ".x::first-line{font-size:0}", "@property --q{syntax:'<number>';inherits:true;initial-value:0}.x{opacity:var(--q)}", ".x{opacity:calc(var(--n,0) * 1)}",
	}},
}

// formsDecided are the forms that are read differently from what Chromium paints, with the reason.
var formsDecided = map[string]string{
	"spaces of colours: color:color-mix(in srgb, white, white)":                                     noMixtures,
	"more colours: color:color-mix(in oklab, white 100%, black)":                                    noMixtures,
	"more selectors: body>*{opacity:0}":                                                             scriptShows,
	"hard ones: @keyframes k{to{opacity:0}}.x{animation:k 1ms forwards}":                            "animations are not run",
	"hard ones: .x{display:none}.open .x{display:block}":                                            readerOpens,
	"hard ones: .x{display:none}.x:hover{display:block}":                                            readerOpens,
	"hard ones: @media (min-width:600px){.x{display:none}}":                                         otherScreens,
	"hard ones: @media (orientation:landscape){.x{display:none}}":                                   otherScreens,
	"hard ones: @container (min-width:0){.x{display:none}}body{container-type:inline-size}":         otherScreens,
	"hard ones: @scope (.box){.x{display:none}}":                                                    "scopes are not read",
	"hard ones: @property --q{syntax:'<number>';inherits:true;initial-value:0}.x{opacity:var(--q)}": "the first values of registered variables are not read",
	"hard ones: .box{position:relative}.box i{position:absolute;inset:0;background:white}":          needsLayout,
	"hard ones: .x{margin-left:-200%}":                                                              needsLayout,
	"hard ones: .x{position:absolute;left:-100%}":                                                   needsLayout,
	"hard ones: .x{transform:translateX(-120%)}":                                                    needsLayout,
	"letters: letter-spacing:-9999px":                                                               needsLayout,
	"hard ones: ::first-line{color:white}":                                                          needsLayout,
	"hard ones: .x::first-line{font-size:0}":                                                        needsLayout,
	"around the text: <body text=white><p>":                                                         "a colour of the whole page may stand before a picture",
	"around the text: <p><select><option>":                                                          "the choices of a form are not its text",
}

const (
	scriptShows  = "a script is expected to show what most of the page is"
	readerOpens  = "a reader may open it"
	otherScreens = "other screens show it"
	needsLayout  = "it needs a layout"
	noMixtures   = "mixtures of colours are not read"
)

const formsRecord = "testdata/forms.txt"

// recordedForms is what Chromium shows, by the names of forms.
func recordedForms(t *testing.T) map[string]bool {
	t.Helper()
	f, err := os.Open(formsRecord)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	shown := map[string]bool{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		verdict, name, _ := strings.Cut(lines.Text(), " ")
		shown[name] = verdict == "shown"
	}
	return shown
}

func quotedName(f form) string { return strings.Trim(fmt.Sprintf("%q", f.name()), `"`) }

// TestForms compares what is kept with what Chromium shows.
func TestForms(t *testing.T) {
	shown := recordedForms(t)
	for _, half := range []struct {
		name    string
		heldOut bool
	}{{"development", false}, {"held out", true}} {
		hidden, kept, lost, seen := 0, 0, 0, 0
		for _, family := range formFamilies {
			if family.heldOut != half.heldOut {
				continue
			}
			for _, f := range family.forms() {
				visible, ok := shown[quotedName(f)]
				if !ok {
					t.Fatalf("%s: not in %s", f.name(), formsRecord)
				}
				text := Text(f.page(formSecret))
				if !strings.Contains(text, formBefore) {
					t.Errorf("%s: the text before it is lost: %q", f.name(), text)
				}
				has := strings.Contains(text, formSecret)
				if visible {
					seen++
				} else {
					hidden++
				}
				if has == visible {
					continue
				}
				what := "kept"
				if visible {
					what = "lost"
					lost++
				} else {
					kept++
				}
				if formsDecided[f.name()] == "" {
					t.Errorf("%s: %s: %s", half.name, what, f.name())
				}
			}
		}
		t.Logf("%s: %d of %d hidden forms are kept, %d of %d shown forms are lost", half.name, kept, hidden, lost, seen)
	}
}
