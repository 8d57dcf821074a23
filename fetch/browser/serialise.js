// The document as HTML, by a walk that stops at a number of characters. Runs in an isolated world: what the page
// has done to its prototypes is not seen here.
//
// Scripts that run, styles, templates and <noscript> are left out: they are no text. The content of an open shadow
// root stands in the place of its host's, with what is slotted in its slots, as a person sees it.
(limit) => ({
  url: location.href,
  type: document.contentType,
  status: performance.getEntriesByType('navigation')[0]?.responseStatus ?? 0,
  html: (() => {
    const out = [];
    let left = limit;
    const put = (s) => { left -= s.length; out.push(s); return left >= 0; };
    const text = (s) => s.replace(/[&<>]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : '&gt;'));
    const value = (s) => s.replace(/[&"]/g, (c) => (c === '&' ? '&amp;' : '&quot;'));
    const empty = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source', 'track', 'wbr']);
    const dropped = new Set(['style', 'noscript', 'template']);
    const name = (n) => (n.namespaceURI === 'http://www.w3.org/1999/xhtml' ? n.localName : n.nodeName);
    const runs = (n) => n.localName === 'script' && !/json|math|text\/(plain|html|template)/i.test(n.getAttribute('type') || '');
    const children = (n) => {
      if (n.shadowRoot) return n.shadowRoot.childNodes;
      if (n.localName === 'slot' && n.assignedNodes) {
        const assigned = n.assignedNodes();
        if (assigned.length > 0) return assigned;
      }
      return n.childNodes;
    };
    if (!put('<!doctype html>')) return null;
    // A stack of what is still to be written: closing tags as strings, and lists of nodes with a position.
    const stack = [{ nodes: [document.documentElement], at: 0 }];
    while (stack.length > 0) {
      const top = stack[stack.length - 1];
      if (top.at >= top.nodes.length) {
        stack.pop();
        if (top.close && !put(top.close)) return null;
        continue;
      }
      const n = top.nodes[top.at++];
      if (!n) continue;
      if (n.nodeType === 3 || n.nodeType === 4) {
        if (n.data.length > left || !put(top.raw ? n.data : text(n.data))) return null;
        continue;
      }
      if (n.nodeType !== 1 || dropped.has(n.localName) || runs(n)) continue;
      const tag = name(n);
      let open = '<' + tag;
      for (const a of n.attributes) {
        if (a.name.startsWith('on') || a.value.length > 4096 || !/^[^\s"'<>\/=]+$/.test(a.name)) continue;
        open += ' ' + a.name + '="' + value(a.value) + '"';
      }
      if (!put(open + '>')) return null;
      if (empty.has(n.localName)) continue;
      const nodes = n.localName === 'iframe' || n.localName === 'object' ? [] : children(n);
      stack.push({ nodes, at: 0, close: '</' + tag + '>', raw: n.localName === 'script' });
    }
    return out.join('');
  })(),
})
