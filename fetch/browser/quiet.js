// Resolves when the document has not changed for a number of milliseconds.
(quiet) => new Promise((done) => {
  let timer;
  const watch = new MutationObserver(() => wait());
  const wait = () => { clearTimeout(timer); timer = setTimeout(() => { watch.disconnect(); done(true); }, quiet); };
  watch.observe(document, { subtree: true, childList: true, characterData: true });
  wait();
})
