// Runs in every document before its own scripts. None of it is a defence, it only saves time: dialogs that nobody
// answers, a console that nobody reads, and workers that would outlive the page by nothing.
(() => {
  const nothing = () => undefined;
  for (const [name, answer] of [['alert', undefined], ['confirm', false], ['prompt', null], ['print', undefined]]) {
    window[name] = () => answer;
  }
  for (const name of Object.keys(console)) {
    if (typeof console[name] === 'function') console[name] = nothing;
  }
  delete Navigator.prototype.serviceWorker;
})();
