// Reads a bibliography with Citation.js, a reader that is not ours, and prints what it understood: one item a line as
// CSL-JSON, then the reference as citeproc writes it. Arguments: the folder in which npm installed it, and the file.
const path = require('node:path')
const fs = require('node:fs')
const from = name => require(path.join(path.resolve(process.argv[2]), 'node_modules', '@citation-js', name))
const { Cite } = from('core')
from('plugin-bibtex')
from('plugin-csl')
from('plugin-ris')

const text = fs.readFileSync(process.argv[3], 'utf8')
const read = process.argv[3].endsWith('.json')
  ? new Cite(JSON.parse(text))
  : new Cite(text, { forceType: process.argv[3].endsWith('.ris') ? '@ris/file' : '@biblatex/text' })
for (const item of read.data) {
  const names = (item.author || []).map(a => a.literal || `${a.family}, ${a.given || ''}`.replace(/, $/, ''))
  const parts = item.issued && item.issued['date-parts'] ? item.issued['date-parts'][0] : []
  console.log(JSON.stringify({ type: item.type, title: item.title, author: names, year: Number(parts[0] || 0), month: Number(parts[1] || 0), DOI: item.DOI || '', URL: item.URL || '' }))
}
const written = read.format('bibliography', { format: 'text', template: 'apa', lang: 'en-US' })
if (written.trim().split('\n').filter(Boolean).length !== read.data.length) throw new Error('citeproc wrote another number of references:\n' + written)
console.error(written)
