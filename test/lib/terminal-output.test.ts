import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect } from 'chai'

const WRITER = join(import.meta.dirname, '..', 'support', 'terminal-writer.ts')
const env = { ...process.env, NO_COLOR: '1' }

/** Lines as a person sees them; `script` gives the process a terminal. */
function inTerminal(level: string): string[] {
  const command = `${process.execPath} ${WRITER} ${level}`
  const text = execFileSync('script', ['-qec', command, '/dev/null'], { encoding: 'utf8', env })
  return text.split(/\r?\n/).filter((line) => line !== '')
}

describe('the log', () => {
  it('is readable in a terminal, with the greeting below what came before it', () => {
    const [connected, greeting, warned, ...more] = inTerminal('info')
    expect(connected).to.match(/^\[\d\d:\d\d:\d\d\] INFO \(Band\): bot connected \{"guilds":2\}$/)
    expect(greeting).to.equal('Bandstand is ready.')
    expect(warned).to.match(/^\[\d\d:\d\d:\d\d\] WARN: disk nearly full \{"token":"\[redacted\]"\}$/)
    expect(more).to.deep.equal([])
  })

  it('shows the requests in a terminal at the level debug alone', () => {
    expect(inTerminal('debug').filter((line) => line.includes('request answered'))).to.have.length(1)
  })

  it('is JSON for programs', () => {
    const text = execFileSync(process.execPath, [WRITER], { encoding: 'utf8', env })
    const lines = text.split('\n').filter((line) => line !== '')
    expect(lines[2]).to.equal('Bandstand is ready.')
    expect(lines.toSpliced(2, 1).map((line) => JSON.parse(line).msg)).to.deep.equal([
      'bot connected',
      'request answered',
      'disk nearly full',
    ])
  })
})
