// Tests citeloop with the official TypeScript SDK, over both transports and in both eras.
//   node sdk.mjs NPM BINARY WORK     NPM holds @modelcontextprotocol/client, WORK is a folder to use
// Prints one line for each pair, and exits with 1 if a check fails.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [, , npm, binary, work] = process.argv
const sdk = path.join(npm, 'node_modules/@modelcontextprotocol/client/dist')
const { Client, StreamableHTTPClientTransport } = await import(pathToFileURL(path.join(sdk, 'index.mjs')))
const { StdioClientTransport } = await import(pathToFileURL(path.join(sdk, 'stdio.mjs')))

const progressCalls = 100
let faults = 0
const must = (holds, what, ...about) => {
  if (holds) return
  faults++
  console.error('FAULT:', what, ...about.map(a => JSON.stringify(a)?.slice(0, 600)))
}
const within = (ms, promise, what) => Promise.race([promise, new Promise((_, no) => setTimeout(() => no(new Error(`${what}: nothing in ${ms} ms`)), ms))])

const corpus = path.join(work, 'corpus')
fs.mkdirSync(corpus, { recursive: true })
fs.writeFileSync(path.join(corpus, 'mills.md'), '# Tidal mills\n\n' + 'A tidal mill is driven by the rise and fall of the sea. '.repeat(20))

// A page that is never sent.
let asked = () => {}
const slow = http.createServer((req, res) => {
  if (req.url === '/robots.txt') return res.writeHead(404).end()
  asked()
})
slow.listen(0, '127.0.0.1')
await once(slow, 'listening')
const host = `127.0.0.1:${slow.address().port}`
const env = { ...process.env, CITELOOP_ALLOW_PRIVATE: host }

async function serve(data) {
  const child = spawn(binary, ['serve', '--http', '127.0.0.1:0', '--data', data, '--corpus', corpus], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  const url = await within(20_000, new Promise(ok => child.stderr.on('data', d => {
    said += d
    const m = said.match(/http:\S+\/mcp/)
    if (m) ok(m[0])
  })), 'the address of the server')
  return { child, url }
}

async function exercise(name, transport, mode) {
  const client = new Client({ name: 'citeloop-ci', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  const call = async (tool, args, options) => {
    const result = await client.callTool({ name: tool, arguments: args }, options)
    must(!result.isError, `${name}: ${tool}`, args, result.content)
    return result.structuredContent
  }

  const { tools } = await client.listTools()
  const { prompts } = await client.listPrompts()
  const { resourceTemplates } = await client.listResourceTemplates()
  must(tools.length >= 13 && prompts.length > 0 && resourceTemplates.length > 0, `${name}: lists`, tools.length, prompts.length, resourceTemplates.length)

  const loop = (await call('loop_init', { query: 'Who built tidal mills?', complexity: 'breaking' })).state_id
  // On the wire the last notification comes before the answer. The SDK passes it to its user unless it reads both
  // together: then it has already forgotten the call when it handles the notification.
  let wire = []
  const read = transport.onmessage
  transport.onmessage = (message, extra) => {
    wire.push(message)
    return read(message, extra)
  }
  let last = 0, handed = 0
  for (let i = 0; i < progressCalls; i++) {
    const seen = []
    wire = []
    await call('run_channel', { channel_name: 'local', query: `mill ${i}` }, { onprogress: p => seen.push(p) })
    const at = wire.findIndex(m => m.params?.progress === 1 && m.params?.total === 1)
    if (at >= 0 && at < wire.findIndex(m => m.result)) last++
    if (seen.at(-1)?.progress === 1) handed++
  }
  must(last === progressCalls, `${name}: the last notification came before the answer in ${last} of ${progressCalls} calls`)
  must(handed >= 0.97 * progressCalls, `${name}: the SDK handed over ${handed} of ${progressCalls} last notifications`)

  // A cancelled call ends immediately, and the server keeps running.
  const reading = new Promise(ok => { asked = ok })
  const abort = new AbortController()
  const fetching = client.callTool({ name: 'fetch', arguments: { url: `http://${host}/${name.replaceAll(' ', '-')}` } }, { signal: abort.signal }).then(r => ['answered', r], e => ['ended', e])
  await within(15_000, Promise.race([reading, fetching.then(how => { throw new Error(`fetch came back: ${JSON.stringify(how)}`) })]), `${name}: the page is requested`)
  const begun = performance.now()
  abort.abort('enough')
  const [how] = await within(5_000, fetching, `${name}: the cancelled call`)
  must(how === 'ended', `${name}: a cancelled call was ${how}`)
  const stopped = performance.now() - begun
  must(stopped < 2_000, `${name}: the call ended ${stopped.toFixed()} ms after the cancellation`)

  const brief = `citeloop://loops/${loop}/brief`
  const { contents } = await client.readResource({ uri: brief })
  must(contents[0]?.text?.includes('tidal mills'), `${name}: the brief`, contents)
  const { resources } = await client.listResources()
  must(resources.some(r => r.uri === brief), `${name}: the list of resources`, resources)
  const missing = await client.readResource({ uri: 'citeloop://loops/0198c0de-0000-7000-8000-000000000001/brief' }).then(() => null, e => e)
  must(missing?.code === (mode === 'legacy' ? -32002 : -32602), `${name}: a loop that is not there`, missing?.code, missing?.message)

  const { completion } = await client.complete({ ref: { type: 'ref/resource', uri: 'citeloop://loops/{state_id}/brief' }, argument: { name: 'state_id', value: loop.slice(0, 8) } })
  must(completion.values.includes(loop), `${name}: completion`, completion)
  const wrong = await client.callTool({ name: 'loop_get_gaps', arguments: { state_id: loop, statuss: 'all' } })
  must(wrong.isError && wrong.content[0].text.includes('statuss'), `${name}: an unknown argument`, wrong)
  console.log(`${name} (${client.getNegotiatedProtocolVersion?.() ?? ''}): last progress before the answer in ${last} of ${progressCalls} calls (${handed} handed over), a cancelled call ended after ${stopped.toFixed()} ms`)
  await client.close()
}

const served = await serve(path.join(work, 'http'))
try {
  for (const [era, mode] of [['2025-11-25', 'legacy'], ['2026-07-28', { pin: '2026-07-28' }]]) {
    const args = ['serve', '--data', path.join(work, `stdio-${era}`), '--corpus', corpus]
    await exercise(`stdio ${era}`, new StdioClientTransport({ command: binary, args, env, stderr: 'inherit' }), mode)
    await exercise(`http ${era}`, new StreamableHTTPClientTransport(new URL(served.url)), mode)
  }
} catch (e) {
  must(false, e.stack)
} finally {
  served.child.kill()
  slow.closeAllConnections()
  slow.close()
}
process.exit(faults ? 1 : 0)
