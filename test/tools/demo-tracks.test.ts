import { expect } from 'chai'
import { cpSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSources } from '../../bot/sources/index.ts'
import { createReader } from '../../bot/sources/library/reader.ts'
import { createLibraryRecords } from '../../db/music/library.ts'
import { createLog } from '../../lib/log.ts'
import { render, SAMPLE_RATE } from '../../service/demo/demo-music.ts'
import { DEMO_TRACKS, ensureDemoTracks } from '../../service/demo/demo-tracks.ts'
import { temporaryDatabase, temporaryFolder } from '../support/database.ts'
import { demoTracks } from '../support/made-once.ts'
import { amplitude, decibels, decode, slice } from '../support/sound.ts'

const log = createLog('silent')

const coverUrlOf = (_: string, id: string) => `https://example.org/${id}`

/** Notes from two octaves below middle C to two and a half above it. */
const NOTES_HZ = Array.from({ length: 54 }, (_, i) => 440 * 2 ** ((i - 33) / 12))

/** Long enough to tell tones apart that differ by 3 Hz. */
const LISTENED_SECONDS = 2

describe('demo tracks', () => {
  const folder = temporaryFolder()
  before(async () => cpSync(await demoTracks(), folder.path, { recursive: true }))
  after(() => folder.remove())

  it('are there in four formats, and nothing else is', () => {
    expect(readdirSync(folder.path).toSorted()).to.deep.equal(DEMO_TRACKS.map(({ file }) => file).toSorted())
    const formats = new Set(DEMO_TRACKS.map(({ file }) => file.replace(/.*\./, '')))
    expect([...formats].toSorted()).to.deep.equal(['flac', 'm4a', 'mp3', 'opus'])
  })

  it('are made again only where they are missing', async () => {
    const [first, second] = DEMO_TRACKS.map(({ file }) => join(folder.path, file)) as [string, string]
    writeFileSync(`${folder.path}/.${DEMO_TRACKS[0]?.file}.part`, 'left over by a crash')
    writeFileSync(`${folder.path}/${DEMO_TRACKS[1]?.file.slice(2)}`, 'of an earlier version')
    const kept = statSync(second).mtimeMs
    rmSync(first)
    await ensureDemoTracks(folder.path, log)
    expect(statSync(first).size).to.be.greaterThan(100_000)
    expect(statSync(second).mtimeMs).to.equal(kept)
    expect(readdirSync(folder.path)).to.have.length(DEMO_TRACKS.length)
  })

  it('are each found by their query alone, with their length', async () => {
    const { store, close } = temporaryDatabase()
    const library = { folders: [folder.path], records: createLibraryRecords(store) }
    const reader = createReader({ allowHosts: [], log })
    const sources = await createSources({ names: ['library'], library, allowHosts: [], reader, coverUrlOf, log })
    const { signal } = new AbortController()
    for (const track of DEMO_TRACKS) {
      const found = await sources.search(track.query, { limit: 10, signal })
      expect(found.map(({ title, author }) => [title, author])).to.deep.equal([[track.title, track.artist]])
      expect(found[0]?.lengthMs).to.be.closeTo(track.lengthMs, 60)
      expect(found[0]?.artworkUrl).to.be.a('string')
      const playable = await sources.open(found[0]!, signal)
      expect(playable.codec).to.equal(track.file.endsWith('.opus') ? 'ogg-opus' : 'other')
    }
    await sources.close()
    await reader.close()
    close()
  })

  for (const track of DEMO_TRACKS) {
    it(`have their own steady tones on the right sides: ${track.title}`, async () => {
      const sound = await decode(join(folder.path, track.file))
      expect(sound.seconds).to.be.closeTo(track.lengthMs / 1000, 0.1)
      expect(track.lengthMs).to.be.within(60_000, 180_000)
      const original = deinterleaved(render(track))
      for (const atSeconds of [0, track.lengthMs / 1000 - LISTENED_SECONDS]) {
        const heard = slice(sound, atSeconds, atSeconds + LISTENED_SECONDS)
        const meant = slice(original, atSeconds, atSeconds + LISTENED_SECONDS)
        for (const [side, hz] of Object.entries({ left: track.leftHz, right: track.rightHz }) as [
          'left' | 'right',
          number,
        ][]) {
          const level = amplitude(heard[side], hz)
          expect(decibels(level, amplitude(meant[side], hz))).to.be.closeTo(0, 0.5)
          const others = NOTES_HZ.filter((other) => Math.abs(other - hz) > 3)
          const loudest = Math.max(...others.map((other) => amplitude(heard[side], other)))
          expect(decibels(level, loudest)).to.be.greaterThan(10)
        }
      }
      const peak = Math.max(
        ...[sound.left, sound.right].map((side) => side.reduce((a, b) => Math.max(a, Math.abs(b)), 0)),
      )
      // The level that players normalize to, so they play the file unchanged.
      expect(decibels(peak, 1)).to.be.closeTo(-9, 0.5)
    })
  }

  it('have no tone in common with another on the same side', () => {
    for (const side of ['leftHz', 'rightHz'] as const) {
      const tones = DEMO_TRACKS.map((track) => track[side]).toSorted((a, b) => a - b)
      for (const [i, hz] of tones.slice(1).entries()) expect(hz - (tones[i] ?? 0)).to.be.greaterThan(20)
    }
  })
})

function deinterleaved(samples: Float32Array) {
  const side = (offset: number) => samples.filter((_, i) => i % 2 === offset)
  return { left: side(0), right: side(1), seconds: samples.length / 2 / SAMPLE_RATE }
}
