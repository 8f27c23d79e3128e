import { parser } from '@prometheus-io/lezer-promql'
import { expect } from 'chai'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { temporaryFolder } from './support/database.ts'

const read = (name: string) => readFileSync(join(import.meta.dirname, '..', 'deploy', name), 'utf8')
const LAUNCHER = join(import.meta.dirname, '..', 'tools', 'node.sh')

/** The part of Grafana's dashboard model that an import checks. */
const SOURCE = z.object({ type: z.literal('prometheus'), uid: z.literal('${source}') })
const Place = z.object({ x: z.int().min(0), y: z.int().min(0), w: z.int().min(1).max(24), h: z.int().min(1) })
const base = { id: z.int().min(1), title: z.string().min(1), gridPos: Place }
const Plot = z.object({
  ...base,
  type: z.enum(['stat', 'timeseries']),
  datasource: SOURCE,
  targets: z.array(z.object({ refId: z.string(), expr: z.string(), legendFormat: z.string().min(1) })).min(1),
  fieldConfig: z.object({ defaults: z.object({ unit: z.string().min(1) }), overrides: z.array(z.unknown()) }),
})
const Row = z.object({ ...base, type: z.literal('row'), collapsed: z.boolean(), panels: z.array(z.unknown()) })
const Dashboard = z.object({
  uid: z.string(),
  title: z.string(),
  schemaVersion: z.int(),
  templating: z.object({ list: z.array(z.object({ name: z.string(), type: z.enum(['datasource', 'query']) })) }),
  panels: z.array(z.union([Plot, Row])).min(10),
})

describe('the Grafana dashboard', () => {
  const dashboard = Dashboard.parse(JSON.parse(read('grafana-dashboard.json')))
  const plots = dashboard.panels.filter((panel) => panel.type !== 'row')

  it('has panels of its own id that lie beside each other', () => {
    const { panels } = dashboard
    expect(new Set(panels.map(({ id }) => id)).size).to.equal(panels.length)
    expect(new Set(plots.map(({ title }) => title)).size).to.equal(plots.length)
    const taken = new Set<string>()
    for (const { title, gridPos } of panels) {
      expect(gridPos.x + gridPos.w, title).to.be.at.most(24)
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken.has(`${x} ${y}`), title).to.equal(false)
          taken.add(`${x} ${y}`)
        }
      }
    }
  })

  it('asks in well-formed PromQL, for the services that were chosen, over spans that fit the scrapes', () => {
    const variables = dashboard.templating.list.map(({ name }) => name)
    expect(variables).to.deep.equal(['source', 'instance'])
    for (const { title, targets } of plots) {
      for (const { expr } of targets) {
        assertPromQl(expr.replaceAll('$__rate_interval', '5m'), title)
        const metrics = expr.match(/\b(?:bandstand|process|nodejs)_\w+/g) ?? []
        expect(metrics.length, title).to.be.at.least(1)
        expect(expr.split('instance=~"$instance"').length - 1, `${title}: ${expr}`).to.equal(metrics.length)
        expect(expr, title).not.to.match(/\[\d/)
      }
    }
  })

  it('has alerts beside it that are well-formed PromQL too', () => {
    const rules = [...read('prometheus-alerts.yaml').matchAll(/expr: (?:>-\n((?: {10,}.*\n)+)|(.+))/g)]
    expect(rules.length).to.be.at.least(10)
    for (const [, long, short] of rules) assertPromQl(long ?? short ?? '', 'an alert')
  })

  it('would be told of PromQL that is not well-formed', () => {
    for (const wrong of ['sum(rate(a[5m])', 'rate(a[five])', 'a b', 'sum by a']) {
      expect(() => assertPromQl(wrong, wrong), wrong).to.throw(/PromQL/)
    }
  })
})

function assertPromQl(expression: string, where: string): void {
  parser.parse(expression).iterate({
    enter({ type, from }) {
      if (type.isError) throw new Error(`${where}: PromQL is wrong at ${from} of ${expression}`)
    },
  })
}

describe('the units of systemd', () => {
  const folder = temporaryFolder()
  after(() => folder.remove())

  const units = readdirSync(join(import.meta.dirname, '..', 'deploy')).filter((name) => name.endsWith('.service'))
  for (const name of units) {
    it(`${name} has nothing that systemd does not understand`, function () {
      const path = join(folder.path, name)
      // The programs are where an operator installs them.
      writeFileSync(path, read(name).replaceAll('/opt/bandstand/tools/node.sh', LAUNCHER))
      const { error, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
      if (error) return this.skip()
      // Messages about other units depend on the machine.
      expect(stderr.split('\n').filter((line) => line.includes(name))).to.deep.equal([])
    })
  }
})
