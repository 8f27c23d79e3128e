import { expect } from 'chai'
import { CHECKS, selectChecks } from '../checks/index.ts'
import { HEADINGS } from '../suite/docs.ts'
import { VERSION } from '../suite/version.ts'
import manifest from '../package.json' with { type: 'json' }

const ids = CHECKS.map(({ id }) => id)
const only = (...patterns: string[]) => selectChecks(patterns).map(({ id }) => id)

describe('the checks of the conformance suite', () => {
  it('have ids of their own, in the form category.name', () => {
    expect(ids.filter((id) => !/^[a-z-]+\.[a-z0-9-]+$/.test(id))).to.deep.equal([])
    expect(new Set(ids).size).to.equal(ids.length)
  })

  it('are sentences, each with a paragraph that says so', () => {
    for (const { id, title, link } of CHECKS) {
      expect(title, id).to.match(/^[\p{Lu}\p{Ll}].*\.$/u)
      expect(link, id).to.match(/^https:\/\//)
    }
  })

  it('hold every heading of the documentation that says what a server does', () => {
    const linked = new Set(CHECKS.map(({ link }) => link.replace('https://lavalink.dev/api/', '')))
    const all = [
      ...HEADINGS.rest.map((heading) => `rest#${heading}`),
      ...HEADINGS.websocket.map((heading) => `websocket#${heading}`),
    ]
    expect(all.filter((heading) => !linked.has(heading))).to.deep.equal([])
  })

  it('are chosen by category, by id and by pattern', () => {
    expect(only('route-planner')).to.have.lengthOf(4)
    expect(only('voice.move')).to.deep.equal(['voice.move'])
    expect(only('filters.timescale-*')).to.have.lengthOf(4)
    expect(only('voice.mov')).to.deep.equal([])
    expect(only('info.*', 'voice.move')).to.include.members(['info.shape', 'voice.move'])
    expect(only()).to.deep.equal(ids)
  })

  it('say the version of their package', () => {
    expect(VERSION).to.equal(manifest.version)
  })
})
