"use strict";
// The client side of an app: JSON-RPC with the host over postMessage (SEP-1865, revision 2026-01-26). It takes the loop
// from the tool call, and replaces its content by the page of the loop from the server. Untrusted text is only ever
// inserted as text.
(() => {
  const host = window.parent;
  if (host === window) return; // opened outside of a host
  const { shell, words } = document.body.dataset;
  const said = document.getElementById("said"), again = document.getElementById("again");
  const idForm = /^[A-Za-z0-9-]{1,64}$/;
  const patience = 30000; // milliseconds; a call of the server ends after 25 seconds
  let able = {}; // capabilities of the host
  let loop = document.getElementById("loop").dataset.loop || "";
  let given = {}; // the arguments of the tool's call

  // Messages.
  const waiting = new Map();
  let lastID = 0;
  const post = message => host.postMessage({ jsonrpc: "2.0", ...message }, "*");
  const ask = (method, params) => new Promise((done, failed) => {
    const id = ++lastID;
    const timer = setTimeout(() => { waiting.delete(id); failed(new Error("the host did not answer")); }, patience);
    waiting.set(id, { done, failed, timer });
    post({ id, method, params });
  });
  addEventListener("message", event => {
    const message = event.data;
    if (event.source !== host || !message || message.jsonrpc !== "2.0") return;
    if (message.method === undefined) {
      const asked = waiting.get(message.id);
      if (!asked) return;
      waiting.delete(message.id);
      clearTimeout(asked.timer);
      if (message.error) asked.failed(new Error(String(message.error.message)));
      else asked.done(message.result ?? {});
      return;
    }
    const known = Object.hasOwn(heard, message.method) ? heard[message.method] : undefined;
    if (known) known(message.params ?? {});
    if (message.id === undefined) return;
    if (known || message.method === "ping") post({ id: message.id, result: {} });
    else post({ id: message.id, error: { code: -32601, message: "Unknown method." } });
  });
  const heard = {
    "ui/notifications/tool-input": params => { given = params.arguments ?? {}; },
    "ui/notifications/tool-result": answered,
    "ui/notifications/tool-cancelled": () => say("The call was cancelled."),
    "ui/notifications/host-context-changed": dress,
    "ui/resource-teardown": () => {},
  };

  // The theme of the host overrides the browser's: the dark rules of the style sheet are switched on or off.
  const dark = [...document.styleSheets].flatMap(sheet => [...sheet.cssRules]).filter(rule => rule instanceof CSSMediaRule && /prefers-color-scheme:\s*dark/.test(rule.media.mediaText));
  function dress(context) {
    if (context.theme !== "dark" && context.theme !== "light") return;
    for (const rule of dark) rule.media.mediaText = context.theme === "dark" ? "screen" : "not all";
    document.documentElement.style.colorScheme = context.theme;
    document.documentElement.dataset.theme = context.theme;
  }

  // The tool's answer.
  async function answered(result) {
    const named = String(result._meta?.ui?.resourceUri ?? "");
    const id = [named.startsWith(shell + "/") ? named.slice(shell.length + 1) : "", result.structuredContent?.state_id, given.state_id]
      .find(s => typeof s === "string" && idForm.test(s));
    if (id) loop = id;
    if (result.isError) say(textOf(result));
    if (loop && await look()) return;
    if (result.structuredContent) draw(result.structuredContent);
  }
  const textOf = result => (Array.isArray(result.content) ? result.content : []).filter(c => c.type === "text").map(c => String(c.text)).join("\n").slice(0, 2000);

  // look loads and shows the current state of the loop, and reports whether it could.
  async function look() {
    if (able.serverResources) {
      try {
        const { contents } = await ask("resources/read", { uri: shell + "/" + loop });
        for (const c of contents ?? []) if (typeof c.text === "string" && mount(c.text)) return true;
      } catch { /* try the tool */ }
    }
    if (able.serverTools) {
      try {
        const result = await ask("tools/call", { name: "loop_get_state", arguments: { state_id: loop } });
        if (result.isError) say(textOf(result));
        else if (result.structuredContent) { draw(result.structuredContent); return true; }
      } catch { /* show the answer */ }
    }
    return false;
  }
  again.addEventListener("click", async () => {
    again.disabled = true;
    say(await look() ? "Up to date." : "The host could not load the loop; the last known state is shown.");
    again.disabled = false;
  });
  function say(text) { said.textContent = text; }

  // mount copies the page of our loop, with only the elements and attributes that our pages use.
  const elements = new Set("main h1 h2 p span strong section div ul li details summary figure figcaption table thead tbody tr th td a svg title desc text rect line polyline circle".split(" "));
  const attributes = new Set("id class dir scope role data-loop viewBox width height x y x1 y1 x2 y2 cx cy r rx points aria-labelledby aria-describedby aria-hidden".split(" "));
  function mount(html) {
    const main = new DOMParser().parseFromString(html, "text/html").getElementById("loop");
    if (!main || main.dataset.loop !== loop) return false;
    put(copy(main));
    return true;
  }
  function copy(node) {
    if (node.nodeType === Node.TEXT_NODE) return document.createTextNode(node.data);
    if (node.nodeType !== Node.ELEMENT_NODE || !elements.has(node.localName)) return null;
    const made = document.createElementNS(node.namespaceURI, node.localName);
    for (const { name, value } of node.attributes) if (attributes.has(name)) made.setAttribute(name, value);
    if (node.localName === "a" && able.openLinks && /^https?:\/\//.test(node.getAttribute("href") ?? "")) made.setAttribute("href", node.getAttribute("href"));
    for (const child of node.childNodes) {
      const kept = copy(child);
      if (kept) made.append(kept);
    }
    return made;
  }
  function put(main) {
    const old = document.getElementById("loop");
    const open = new Set([...old.querySelectorAll("details[open]")].map(place));
    old.replaceWith(main);
    for (const d of main.querySelectorAll("details")) d.open = open.has(place(d));
    again.hidden = !(loop && (able.serverResources || able.serverTools));
  }
  const place = details => details.closest("section")?.getAttribute("aria-labelledby");

  // The host opens pages of other sites.
  addEventListener("click", event => {
    const link = event.target instanceof Element && event.target.closest("a[href]");
    if (!link) return;
    event.preventDefault();
    ask("ui/open-link", { url: link.href }).catch(() => say("The host did not open the page."));
  });

  // draw shows the content of an answer, for hosts that offer apps neither resources nor tools.
  function draw(answer) {
    const main = element("main", "", "");
    main.id = "loop";
    if (loop) main.dataset.loop = loop;
    main.append(element("h1", "", answer.query || given.query || "Research loop"));
    if (answer.status) main.append(element("p", "meta", [answer.status, Number.isInteger(answer.round) ? `rounds closed: ${answer.round}` : ""].filter(Boolean).join(" · ")));
    if (answer.decision) {
      const box = element("section", "decision", "");
      box.append(element("h2", "", "Next step"), element("p", "next", JSON.parse(words)[answer.decision.next_action] ?? answer.decision.next_action),
        element("p", "", answer.decision.because));
      const left = answer.budget_remaining;
      if (left) box.append(element("p", "soft", `Left: rounds ${left.rounds}, tokens ${left.tokens}`));
      main.append(box);
    }
    list(main, "Open gaps", answer.brief?.open_gaps ?? answer.gaps, g => typeof g === "string" ? g : g?.gap);
    const claims = answer.brief?.claims ?? {};
    const counted = [["grounded", "✓ N supported"], ["inferred", "≈ N not read yet, or in part"], ["unsupported", "✗ N not supported"], ["unchecked", "– N not checked"]]
      .filter(([status]) => claims[status] > 0).map(([status, said]) => said.replace("N", claims[status]));
    if (counted.length > 0) main.append(element("h2", "", "Claims"), element("p", "counts", counted.join(" · ")));
    list(main, "Sources", answer.brief?.sources, s => s);
    put(main);
  }
  function element(name, kind, text) {
    const made = document.createElement(name);
    if (kind) made.className = kind;
    made.textContent = String(text ?? "").slice(0, 1000);
    made.dir = "auto";
    return made;
  }
  function list(main, heading, items, words) {
    if (!Array.isArray(items) || items.length === 0) return;
    const rows = element("ul", "rows", "");
    for (const item of items.slice(0, 20)) rows.append(element("li", "", words(item)));
    main.append(element("h2", "", heading), rows);
  }

  // The host sets the height of the frame.
  let told = 0;
  function measure() {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (height === told) return;
    told = height;
    post({ method: "ui/notifications/size-changed", params: { height } });
  }

  ask("ui/initialize", { protocolVersion: "2026-01-26", appInfo: { name: "citeloop", version: "1" }, appCapabilities: { availableDisplayModes: ["inline", "fullscreen"] } }).then(result => {
    able = result.hostCapabilities ?? {};
    dress(result.hostContext ?? {});
    if (!able.openLinks) for (const a of document.querySelectorAll("a[href]")) a.removeAttribute("href");
    again.hidden = !(loop && (able.serverResources || able.serverTools));
    post({ method: "ui/notifications/initialized", params: {} });
    new ResizeObserver(measure).observe(document.documentElement);
  }).catch(() => say("This host does not support apps."));
})();
