// Reads bibliographies with Citation.js, a reader that is not ours, and prints what it understood: of each file an item a line, its
// type, title, authors, year, month, DOI and address, and an empty line. citeproc writes a reference of each item.
// Arguments: the folder in which npm installed it, and the files.
const path = require('node:path')
const fs = require('node:fs')
const from = name => require(path.join(path.resolve(process.argv[2]), 'node_modules', '@citation-js', name))
const { Cite } = from('core')
from('plugin-bibtex')
from('plugin-csl')
from('plugin-ris')

for (const file of process.argv.slice(3)) {
  const text = fs.readFileSync(file, 'utf8')
  const read = file.endsWith('.json')
    ? new Cite(JSON.parse(text))
    : new Cite(text, { forceType: file.endsWith('.ris') ? '@ris/file' : '@biblatex/text' })
  for (const item of read.data) {
    const names = (item.author || []).map(a => a.literal || `${a.family}, ${a.given || ''}`.replace(/, $/, ''))
    const parts = item.issued && item.issued['date-parts'] ? item.issued['date-parts'][0] : []
    console.log([item.type, item.title, names.join('; '), parts[0] || 0, parts[1] || 0, item.DOI || '', item.URL || ''].join(' | '))
  }
  console.log()
  const written = read.format('bibliography', { format: 'text', template: 'apa', lang: 'en-US' })
  if (written.trim().split('\n').filter(Boolean).length !== read.data.length) throw new Error('citeproc wrote another number of references:\n' + written)
}
