// Tests citeloop's app in an independent host: the AppBridge of MCP Apps' own package and the official TypeScript SDK
// with the real binary, and the app in a sandboxed frame of a real Chromium, with the policy that the extension
// requires.
//   node apps.mjs NPM BINARY CHROMIUM WORK [SHOTS]
// NPM contains the packages that .ci/apps installs, WORK is a temporary folder, SHOTS a folder for pictures. Prints one
// line for each host, and exits with 1 if a check fails.
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { once } from 'node:events'
import { pathToFileURL } from 'node:url'

const [, , npm, binary, chromiumPath, work, shots] = process.argv
const from = file => import(pathToFileURL(path.join(npm, 'node_modules', file)))
const { Client } = await from('@modelcontextprotocol/client/dist/index.mjs')
const { StdioClientTransport } = await from('@modelcontextprotocol/client/dist/stdio.mjs')
const { AppBridge, getToolUiResourceUri, RESOURCE_MIME_TYPE } = await from('@modelcontextprotocol/ext-apps/dist/src/app-bridge.js')
const { chromium } = await from('playwright-core/index.mjs')
const axe = fs.readFileSync(path.join(npm, 'node_modules/axe-core/axe.min.js'), 'utf8')

let faults = 0
const must = (holds, what, ...about) => {
  if (holds) return
  faults++
  console.error('FAULT:', what, ...about.map(a => JSON.stringify(a)?.slice(0, 800)))
}
const patience = 20_000
const within = (promise, what) => Promise.race([promise, new Promise((_, no) => setTimeout(() => no(new Error(`${what}: nothing in ${patience} ms`)), patience))])

// Two origins: the host's page, and the sandbox between it and the app (SEP-1865, "Sandbox proxy").
async function serve(page) {
  const server = http.createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url, 'http://localhost')
    if (pathname !== '/') return res.writeHead(404).end()
    res.setHeader('Content-Type', 'text/html; charset=utf-8')
    const policy = searchParams.get('policy')
    if (policy) res.setHeader('Content-Security-Policy', policy)
    res.end(page)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, origin: `http://127.0.0.1:${server.address().port}` }
}
const hostPage = await serve(`<!doctype html><link rel="icon" href="data:,"><title>host</title><style>body{margin:0}iframe{border:0;display:block;width:100%;height:100vh}</style><script>
addEventListener('message', e => { const f = document.querySelector('iframe'); if (f && e.source === f.contentWindow) toBridge(e.data, f.dataset.show) })
function mount(src, show) { document.querySelector('iframe')?.remove(); const f = document.createElement('iframe'); f.dataset.show = show; f.sandbox = 'allow-scripts allow-same-origin'; f.src = src; document.body.append(f) }
function send(message, show) { const f = document.querySelector('iframe'); if (f?.dataset.show === show) f.contentWindow.postMessage(message, '*') }
</script><body></body>`)
const sandbox = await serve(`<!doctype html><link rel="icon" href="data:,"><title>sandbox</title><style>html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block}</style><body><script>
const way = new URLSearchParams(location.search).get('way'), inner = document.createElement('iframe')
inner.sandbox = way === 'write' ? 'allow-scripts allow-same-origin' : 'allow-scripts'
addEventListener('message', e => {
  if (e.source === inner.contentWindow) return parent.postMessage(e.data, '*')
  if (e.source !== parent) return
  if (e.data.method !== 'ui/notifications/sandbox-resource-ready') return inner.contentWindow?.postMessage(e.data, '*')
  if (way === 'write') { document.body.append(inner); inner.contentDocument.open(); inner.contentDocument.write(e.data.params.html); inner.contentDocument.close() }
  else { inner.srcdoc = e.data.params.html; document.body.append(inner) }
})
parent.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/sandbox-proxy-ready', params: {} }, '*')
</script>`)
const policyOf = csp => {
  const and = list => (list ?? []).join(' ')
  return `default-src 'none'; script-src 'self' 'unsafe-inline' ${and(csp.resourceDomains)}; style-src 'self' 'unsafe-inline' ${and(csp.resourceDomains)}; connect-src 'self' ${and(csp.connectDomains)}; img-src 'self' data: ${and(csp.resourceDomains)}; font-src 'self' ${and(csp.resourceDomains)}; media-src 'self' data:; frame-src ${and(csp.frameDomains) || "'none'"}; object-src 'none'; base-uri ${and(csp.baseUriDomains) || "'self'"}`
}

const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] })
const page = await (await browser.newContext({ viewport: { width: 760, height: 900 }, colorScheme: 'light' })).newPage()
const complaints = [], requests = []
page.on('console', m => { if (m.type() === 'error' || m.type() === 'warning') complaints.push(m.text()) })
page.on('pageerror', e => complaints.push(String(e)))
page.on('request', r => requests.push(r.url()))
let heard = () => {}
await page.exposeFunction('toBridge', (message, show) => heard(message, show))
await page.goto(hostPage.origin)

// show opens an app like a host: its document, the bridge, the call and its answer. Late messages from or to a closed
// app do not reach the next one.
let shows = 0
async function show(client, { uri, able, input, result, way = 'srcdoc', theme = 'light' }) {
  const { contents } = await client.readResource({ uri })
  must(contents.length === 1 && contents[0].mimeType === RESOURCE_MIME_TYPE, 'the document', contents.map(c => c.mimeType))
  const csp = contents[0]._meta?.ui?.csp
  must(csp && Object.values(csp).every(l => l.length === 0), 'the app asks for no network', contents[0]._meta)
  const bridge = new AppBridge(client, { name: 'citeloop-ci', version: '1' }, able, { hostContext: { theme, displayMode: 'inline' } })
  const seen = { bridge, heights: [], links: [], asked: [] }
  bridge.onsizechange = ({ height }) => seen.heights.push(height)
  bridge.onopenlink = async ({ url }) => { seen.links.push(url); return {} }
  const ready = new Promise(ok => { bridge.onsandboxready = ok })
  const initialized = new Promise(ok => { bridge.oninitialized = ok })
  const id = String(++shows)
  let last = Promise.resolve()
  const transport = {
    start: async () => {}, close: async () => {},
    send: message => last = last.then(() => page.evaluate(([m, to]) => send(m, to), [message, id])),
  }
  await bridge.connect(transport)
  heard = (message, from) => { if (from !== id) return; if (message.method) seen.asked.push(message.method); transport.onmessage?.(message) }
  await page.evaluate(([src, to]) => mount(src, to), [`${sandbox.origin}/?way=${way}&policy=${encodeURIComponent(policyOf(csp))}`, id])
  await within(ready, 'the sandbox')
  await bridge.sendSandboxResourceReady({ html: contents[0].text, csp })
  await within(initialized, 'ui/initialize of the app')
  if (input) await bridge.sendToolInput({ arguments: input })
  if (result) await bridge.sendToolResult(result)
  seen.app = page.frames().find(f => f.parentFrame()?.parentFrame() === page.mainFrame())
  must(seen.app, 'the frame of the app')
  return seen
}
// says waits until the app shows a text. Folded parts count, the source of the script does not.
const says = async (app, text) => {
  try {
    await app.waitForFunction(t => [...document.querySelectorAll('main, footer')].some(e => e.textContent.includes(t)), text, { timeout: patience })
  } catch {
    throw new Error(`the app does not say ${JSON.stringify(text)}, but: ${await app.evaluate(() => document.body.innerText)}`)
  }
}
const ground = app => app.evaluate(() => getComputedStyle(document.body).backgroundColor)
const light = 'rgb(253, 252, 249)', dark = 'rgb(22, 24, 27)'
async function noBarriers(app, where) {
  await app.evaluate(axe)
  const { violations } = await app.evaluate(() => axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }))
  must(violations.length === 0, `${where}: axe`, violations.map(v => [v.id, v.nodes.map(n => n.html)]))
}

const question = 'Who built the first <b>tidal</b> mills?'
const hostile = '<img src=https://tracker.example/x onerror=alert(1)> A mill & its "owner"'
const everything = { serverTools: {}, serverResources: {}, openLinks: {} }
const corpus = path.join(work, 'corpus')
fs.mkdirSync(corpus, { recursive: true })

async function host(name, mode, way) {
  const connect = async capabilities => {
    const client = new Client({ name: 'citeloop-ci', version: '1' }, { capabilities, versionNegotiation: { mode } })
    await client.connect(new StdioClientTransport({ command: binary, args: ['serve', '--data', path.join(work, name.replace(/\W+/g, '-')), '--corpus', corpus], env: process.env, stderr: 'ignore' }))
    return client
  }
  const plain = await connect({})
  must((await plain.listTools()).tools.every(t => !getToolUiResourceUri(t)), `${name}: a client without the extension is told of apps`)
  await plain.close()

  const client = await connect({ extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [RESOURCE_MIME_TYPE] } } })
  must(client.getServerCapabilities()?.extensions?.['io.modelcontextprotocol/ui'], `${name}: the server does not declare the extension`, client.getServerCapabilities())
  const { tools } = await client.listTools()
  const uri = getToolUiResourceUri(tools.find(t => t.name === 'loop_init'))
  must(uri === 'ui://citeloop/loop' && getToolUiResourceUri(tools.find(t => t.name === 'loop_get_state')) === uri, `${name}: the app of loop_init`, uri)
  const call = async (tool, args) => {
    const result = await client.callTool({ name: tool, arguments: args })
    must(!result.isError, `${name}: ${tool}`, result.content)
    return result
  }

  // A new loop, identified by the answer of loop_init.
  const input = { query: question, gaps: ['Was there one in Ireland?', { gap: 'Who paid for it?', material: false }], complexity: 'moderate' }
  const begun = await call('loop_init', input)
  must(begun.content.some(c => c.type === 'text' && c.text.includes(begun.structuredContent.state_id)), `${name}: the answer for hosts without apps`, begun.content)
  const loop = begun.structuredContent.state_id
  const seen = await show(client, { uri, able: everything, input, result: begun, way })
  const { app, bridge } = seen
  await within(app.waitForSelector(`main[data-loop="${loop}"] .decision`), `${name}: the page of the loop`)
  must(await app.textContent('h1') === question, `${name}: the question`, await app.textContent('h1'))
  for (const text of [begun.structuredContent.decision.because, 'Was there one in Ireland?', 'Who paid for it?', 'No closed rounds yet.']) await says(app, text)
  must(seen.asked.includes('resources/read') && !seen.asked.includes('tools/call'), `${name}: how it was read`, seen.asked)
  await within(app.waitForFunction(() => !document.getElementById('again').hidden), `${name}: the button`)

  // The app uses the theme of the host, not of the browser.
  must(await ground(app) === light, `${name}: light`, await ground(app))
  await noBarriers(app, `${name}, light`)
  bridge.setHostContext({ theme: 'dark' })
  await within(app.waitForFunction(c => getComputedStyle(document.body).backgroundColor === c, dark), `${name}: a change to dark`)
  await noBarriers(app, `${name}, dark`)
  await page.emulateMedia({ colorScheme: 'dark' })
  bridge.setHostContext({ theme: 'light' })
  await within(app.waitForFunction(c => getComputedStyle(document.body).backgroundColor === c, light), `${name}: light in a dark browser`)
  await page.emulateMedia({ colorScheme: 'light' })

  // The loop continues, and the user reloads the app.
  const text = 'The mill at Nendrum was built in the year 619. It stands on the shore of Strangford Lough, and monks ground their grain there. '.repeat(6)
  await call('fetch', { state_id: loop, url: 'https://example.org/nendrum', title: hostile, text })
  for (let i = 2; i <= 9; i++) await call('fetch', { state_id: loop, url: `https://example.org/mill-${i}`, title: `Mill number ${i}, a survey of its timbers`, text: `Mill number ${i} was dated by the rings of its oak beams. `.repeat(8) + `Its wheel had ${i} paddles.` })
  await call('verify_citations', { state_id: loop, claims: [{ claim: 'The mill at Nendrum was built in the year 619.', source_ids: ['S1'] }, { claim: 'Emperors of Peru exported seventeen glass submarines.', citations: [{ source_id: 'S1', quote: 'exported seventeen submarines of glass' }] }] })
  await call('loop_reflect', { state_id: loop, synthesis: 'One mill is dated.', gaps: ['Is there an older one in London?'] })
  await call('fetch', { state_id: loop, url: 'https://example.org/london', title: 'A mill in London', text: 'The mill in Ebbsfleet is older than was thought by most. '.repeat(8) })
  await call('loop_reflect', { state_id: loop, answered_gaps: ['G1'] })
  await app.click('#again')
  for (const said of [hostile, 'The mill at Nendrum was built in the year 619.', 'not read yet', 'not in the source', 'Is there an older one in London?', 'Up to date.', '2 rounds closed']) {
    await says(app, said)
  }
  await app.evaluate(() => { for (const d of document.querySelectorAll('details')) d.open = true })
  must(await app.evaluate(() => document.querySelectorAll('img,script[src],[onerror],b').length) === 0, `${name}: markup of strangers became elements`)
  must(await app.evaluate(() => document.querySelectorAll('svg.drawing .all').length) === 2, `${name}: the drawing`)
  await noBarriers(app, `${name}, with everything`)
  must(seen.heights.length > 1 && seen.heights.every(h => h > 50 && h < 5000), `${name}: heights`, seen.heights)
  await app.click('#again') // opened parts stay open
  await says(app, 'Up to date.')
  must(await app.evaluate(() => [...document.querySelectorAll('details')].every(d => d.open)), `${name}: folds`)
  await app.click('a[href="https://example.org/london"]')
  must(await app.isVisible('main[data-loop]'), `${name}: the app is still there`)
  for (let i = 0; i < 100 && seen.links.length === 0; i++) await page.evaluate(() => new Promise(ok => setTimeout(ok, 50)))
  must(seen.links.join() === 'https://example.org/london', `${name}: links that the host was asked to open`, seen.links)
  await within(bridge.teardownResource({}), `${name}: the end of the app`)

  // On a phone, nothing is wider than the screen.
  await page.setViewportSize({ width: 320, height: 700 })
  const asked = { state_id: loop }
  const small = await show(client, { uri, able: everything, input: asked, result: await call('loop_get_state', asked), way })
  await within(small.app.waitForSelector('.decision'), `${name}: the loop at 320`)
  must(await small.app.evaluate(() => document.documentElement.scrollWidth) <= 320, `${name}: it is wider than 320`)
  if (shots) {
    for (const width of [360, 760]) {
      for (const theme of ['light', 'dark']) {
        await page.setViewportSize({ width, height: 700 })
        small.bridge.setHostContext({ theme })
        await small.app.waitForFunction(t => document.documentElement.dataset.theme === t, theme)
        await page.setViewportSize({ width, height: await small.app.evaluate(() => Math.ceil(document.documentElement.getBoundingClientRect().height)) })
        await page.screenshot({ path: path.join(shots, `app-${width}-${theme}.png`) })
      }
    }
  }
  await page.setViewportSize({ width: 760, height: 900 })

  // Hosts that read no resources for an app, that call no tools for it, and that open the page of a loop directly.
  const tooled = await show(client, { uri, able: { serverTools: {} }, input: { state_id: loop, synthesis: 'x' }, result: { content: [{ type: 'text', text: 'x' }], structuredContent: {} }, way })
  for (const said of [question, 'Next step', 'Is there an older one in London?', '≈ 1 not read yet, or in part · ✗ 1 not supported', hostile.slice(0, 60)]) await says(tooled.app, said)
  must(tooled.asked.includes('tools/call') && !tooled.asked.includes('resources/read'), `${name}: a host with tools alone`, tooled.asked)
  const alone = await show(client, { uri, able: {}, input, result: begun, way, theme: 'dark' })
  for (const said of [question, begun.structuredContent.decision.because, 'Was there one in Ireland?']) await says(alone.app, said)
  must(await alone.app.isHidden('#again') && !alone.asked.some(m => /^(tools|resources)/.test(m)), `${name}: a host that does nothing for an app`, alone.asked)
  must(await ground(alone.app) === dark, `${name}: dark from the start`)
  const named = begun._meta?.ui?.resourceUri
  must(named === `ui://citeloop/loop/${loop}`, `${name}: what the answer names`, named)
  const direct = await show(client, { uri: named, able: everything, way })
  for (const said of [question, 'Next step']) await says(direct.app, said)

  // A failed call and a cancelled call.
  const refused = await client.callTool({ name: 'loop_get_state', arguments: { state_id: 'none' } })
  const failed = await show(client, { uri, able: everything, input: { state_id: 'none' }, result: refused, way })
  await says(failed.app, 'unknown loop')
  const broken = await show(client, { uri, able: everything, input: {}, way })
  await broken.bridge.sendToolCancelled({ reason: 'x' })
  await says(broken.app, 'The call was cancelled.')
  await client.close()
  console.log(`AppBridge, ${name}: the app shows the loop, its theme, its fallbacks`)
}

try {
  await host('2025-11-25, an opaque origin', 'legacy', 'srcdoc')
  await host('2026-07-28, a written document', { pin: '2026-07-28' }, 'write')
} catch (err) {
  must(false, String(err?.stack ?? err))
}
const strangers = requests.filter(u => !u.startsWith(hostPage.origin) && !u.startsWith(sandbox.origin) && !/^(data|about|blob):/.test(u))
must(strangers.length === 0, 'requests to elsewhere', strangers)
must(complaints.length === 0, 'the console', complaints)
await browser.close()
hostPage.server.close()
sandbox.server.close()
process.exit(faults === 0 ? 0 : 1)
