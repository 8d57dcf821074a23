"use strict";
// Keys 1 to 4 answer, U undoes, and a selection in a passage becomes the words that decide. Without this script, use
// the buttons and the field.
(() => {
  const quote = document.getElementById("quote");
  document.addEventListener("selectionchange", () => {
    const selection = document.getSelection();
    if (!quote || !selection || selection.isCollapsed || !selection.rangeCount) { return; }
    const at = selection.getRangeAt(0).commonAncestorContainer;
    const element = at.nodeType === Node.ELEMENT_NODE ? at : at.parentElement;
    if (!element || !element.closest(".passage") || element.closest("strong")) { return; }
    const words = selection.getRangeAt(0).cloneContents();
    for (const heading of words.querySelectorAll("strong")) { heading.remove(); } // the text of the passage lacks it
    quote.value = words.textContent.trim();
  });
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey || e.repeat || /^(TEXTAREA|INPUT)$/.test(e.target.tagName)) { return; }
    const button = [...document.querySelectorAll("#review button[aria-keyshortcuts]")].find((b) => b.getAttribute("aria-keyshortcuts") === e.key.toLowerCase());
    if (button) { e.preventDefault(); button.click(); }
  });
})();
