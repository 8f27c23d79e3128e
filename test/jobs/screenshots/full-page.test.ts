import { expect } from 'chai'
import type { RequestListener } from 'node:http'
import { colourAt, page } from '../../support/pages.ts'
import { openStudio, type Studio } from '../../support/studio.ts'
import { serve, type Listening } from '../../support/web.ts'

const RED = 'ff0000'
const GREEN = '00ff00'
const BLUE = '0000ff'
const WHITE = 'ffffff'

describe('a screenshot of a whole page', () => {
  let site: Listening
  let studio: Studio
  let shown: RequestListener

  before(async () => {
    site = await serve((asked, reply) => shown(asked, reply))
    studio = await openStudio({ allowHosts: ['127.0.0.1'] })
  })
  after(async () => {
    await studio?.close()
    await site?.close()
  })

  it('has bars that stay in view once, at their edge, for each way of keeping them there', async () => {
    for (const [name, body] of [
      ['fixed', `${bar('position:fixed;bottom:0', '#f00')}</div>`],
      ['fixed by its top', `${bar('position:fixed;top:calc(100vh - 40px)', '#f00')}</div>`],
      ['moved there slowly', `${bar('position:fixed;bottom:0;transition:all 5s', '#f00')}</div>`],
      [
        'in a shadow tree',
        `<div id=host></div><script>host.attachShadow({ mode: 'open' }).innerHTML =
          '<div style="position:fixed;bottom:0;left:0;width:100%;height:40px;background:#f00">'</script>`,
      ],
    ] as const) {
      shown = page(`<div style="height:3000px"></div>${bar('position:fixed;top:0', '#00f')}</div>${body}`)
      const { bytes, height } = await studio.shoot(`${site.url}/`, { fullpage: true })
      expect(height, name).to.equal(3000)
      expect(await colourAt(bytes, 600, 20), name).to.equal(BLUE)
      for (const y of [100, 780, 1500, 2940]) expect(await colourAt(bytes, 600, y), `${name}, ${y}`).to.equal(WHITE)
      expect(await colourAt(bytes, 600, 2980), name).to.equal(RED)
    }
  })

  it('has them there on a phone, too, and none that waits outside the window', async () => {
    const bars = `${bar('position:fixed;bottom:0', '#f00')}</div>${bar('position:fixed;bottom:-40px', '#0f0')}</div>`
    const body = `<div style="height:3000px"></div>${bars}`
    const forDesktops: RequestListener = (_, reply) => {
      reply.setHeader('content-type', 'text/html')
      reply.end(`<!doctype html><body style="margin:0"><div style="width:980px">${body}</div>`)
    }
    for (const [name, listener] of [
      ['made for phones', page(body)],
      ['made for desktops', forDesktops],
    ] as const) {
      shown = listener
      const { bytes, width, height } = await studio.shoot(`${site.url}/`, { fullpage: true, device: 'mobile' })
      const at = async (share: number) => colourAt(bytes, width >> 1, Math.round(share * height))
      expect(await at(0.998), name).to.equal(RED)
      for (let share = 0; share < 0.96; share += 0.005) expect(await at(share), `${name}, ${share}`).to.equal(WHITE)
    }
  })

  it('has a bar that sticks to the bottom where it is in the page', async () => {
    shown = page(`<div style="height:2960px;background:#fff"></div>${bar('position:sticky;bottom:0', '#f00')}</div>`)
    const { bytes, height } = await studio.shoot(`${site.url}/`, { fullpage: true })
    expect(height).to.equal(3000)
    expect(await colourAt(bytes, 600, 780)).to.equal(WHITE)
    expect(await colourAt(bytes, 600, 2980)).to.equal(RED)
  })

  it('begins at the top, where its bar is, though the address names a place further down', async () => {
    shown = page(
      `${bar('position:fixed;top:0', '#00f')}</div><p id=far style="margin-top:2000px;height:1000px">far</p>`,
    )
    const { bytes } = await studio.shoot(`${site.url}/#far`, { fullpage: true })
    expect(await colourAt(bytes, 600, 20)).to.equal(BLUE)
    expect(await colourAt(bytes, 600, 2020)).to.equal(WHITE)
  })

  it('leaves in place what fills the window, and what only its own box keeps in view', async () => {
    shown = page(`<div style="height:3000px"></div>
      <div style="position:fixed;inset:60px 1000px 0 0;background:#00f"></div>
      <div style="position:absolute;top:500px;left:600px;width:200px;height:200px;transform:scale(1)">
        <div style="position:fixed;bottom:0;width:50px;height:50px;background:#0f0"></div></div>
      <div style="position:absolute;top:500px;left:900px;width:200px;height:200px;overflow:auto">
        <div style="height:900px"></div><div style="position:sticky;bottom:0;height:50px;background:#0f0"></div></div>`)
    const { bytes } = await studio.shoot(`${site.url}/`, { fullpage: true })
    expect(await colourAt(bytes, 100, 400)).to.equal(BLUE)
    expect(await colourAt(bytes, 100, 2900)).to.equal(WHITE)
    expect(await colourAt(bytes, 625, 675)).to.equal(GREEN)
    expect(await colourAt(bytes, 925, 675)).to.equal(GREEN)
  })

  it('tells where it was cut how large all of it would have been', async () => {
    shown = page(`<div style="height:20000px;background:#fff"></div>${bar('position:fixed;bottom:0', '#f00')}</div>
      <div id=long style="position:absolute;top:14000px;width:100px;height:2000px"></div>`)
    const shoot = (asked: object) => studio.shoot(`${site.url}/`, { fullpage: true, ...asked })
    const cut = await shoot({})
    expect(cut).to.deep.include({ width: 1280, height: 15_000, fullSize: { width: 1280, height: 20_000 } })
    expect(await colourAt(cut.bytes, 600, 14_980)).to.equal(RED)
    expect(await shoot({ selector: '#long' })).to.deep.include({ height: 1000, fullSize: { width: 100, height: 2000 } })
    expect(await shoot({ clip: { x: 0, y: 14_900, width: 50, height: 300 } })).to.deep.include({
      height: 100,
      fullSize: { width: 50, height: 300 },
    })
    // Cut at 8 million pixels, in full resolution.
    const avif = await shoot({ format: 'avif' })
    expect(avif).to.deep.include({ width: 1280, height: 6250, fullSize: { width: 1280, height: 20_000 } })
    expect(await shoot({ clip: { x: 0, y: 100, width: 50, height: 300 } })).to.not.have.property('fullSize')
    expect(await studio.shoot(`${site.url}/`)).to.not.have.property('fullSize')
    shown = page('<div style="height:3000px;width:4000px;background:#00f"></div>')
    expect(await shoot({})).to.deep.include({ width: 2560, height: 3000, fullSize: { width: 4000, height: 3000 } })
  })
})

function bar(edge: string, colour: string): string {
  return `<div style="${edge};left:0;width:100%;height:40px;background:${colour}">`
}
