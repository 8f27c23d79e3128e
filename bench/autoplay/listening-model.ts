import { createRandom } from '../../lib/random/seeded-random.ts'

/**
 * A model of what people listen to; nothing in it was measured on people. Songs are points in a space of tastes: genres
 * are far from each other, artists near their genre, songs near their artist, and few songs are popular. A session begins
 * with a song to the group's taste; each next one is near the previous one with probability STAYS, and to the group's taste
 * else, the more popular the likelier, and never one that was heard in it. Once in a while a track is put on that does not
 * fit, and is skipped within 20 s. The chooser sees neither points nor tastes, only what providers say.
 */
export interface ModelSong {
  readonly index: number
  readonly title: string
  readonly artist: string
  readonly genre: string
  readonly point: readonly number[]
  readonly popularity: number
}

export interface Step {
  readonly song: ModelSong
  readonly isSkipped: boolean
}

/** Some people who listen together: the middle of their taste. */
export interface Group {
  readonly taste: readonly number[]
}

export interface World {
  readonly songs: readonly ModelSong[]
  readonly random: () => number
  createGroup(): Group
  createSession(group: Group, length: number): readonly Step[]
  /** How likely the group hears a song to the end. */
  acceptance(group: Group, song: ModelSong): number
  /** Songs to the group's taste. */
  favourites(group: Group, count: number): readonly ModelSong[]
}

const GENRES = 12
const ARTISTS = 160
const DIMENSIONS = 6
const STAYS = 0.75
const MISFITS = 0.08
const NEARNESS = 0.9

export function createWorld(seed: number): World {
  const random = createRandom(seed)
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const near = (point: readonly number[], spread: number) => point.map((x) => x + spread * normal())
  const middle = Array.from({ length: DIMENSIONS }, () => 0)
  const genres = Array.from({ length: GENRES }, () => near(middle, 2))
  const songs: ModelSong[] = []
  for (let artist = 0; artist < ARTISTS; artist += 1) {
    const genre = Math.floor(random() * GENRES)
    const point = near(genres[genre] ?? middle, 0.7)
    const fame = 1 / (1 + artist) ** 0.6
    const count = 6 + Math.floor(random() * 12)
    for (let at = 0; at < count; at += 1) {
      songs.push({
        index: songs.length,
        title: `Song ${at} of ${artist}`,
        artist: `Artist ${artist}`,
        genre: `Genre ${genre}`,
        point: near(point, 0.4),
        popularity: fame / (1 + at) ** 0.7,
      })
    }
  }

  function draw(point: readonly number[], heard: ReadonlySet<number>): ModelSong {
    const weights = songs.map((song) =>
      heard.has(song.index) ? 0 : Math.exp(-distance(song.point, point) / NEARNESS) * Math.sqrt(song.popularity),
    )
    let left = random() * weights.reduce((sum, it) => sum + it, 0)
    const at = weights.findIndex((weight) => (left -= weight) <= 0)
    return songs[Math.max(0, at)]!
  }

  return {
    songs,
    random,
    createGroup: () => ({ taste: near(genres[Math.floor(random() * GENRES)] ?? middle, 0.6) }),
    createSession(group, length) {
      const heard = new Set<number>()
      const steps: Step[] = []
      let last = draw(group.taste, heard)
      while (steps.length < length) {
        heard.add(last.index)
        steps.push({ song: last, isSkipped: false })
        if (random() < MISFITS) {
          const misfit = songs[Math.floor(random() * songs.length)]!
          if (!heard.has(misfit.index)) steps.push({ song: misfit, isSkipped: true })
          heard.add(misfit.index)
        }
        last = draw(random() < STAYS ? last.point : group.taste, heard)
      }
      return steps.slice(0, length)
    },
    acceptance: (group, song) => Math.exp(-distance(song.point, group.taste) / 6),
    favourites: (group, count) => Array.from({ length: count }, () => draw(group.taste, new Set())),
  }
}

/** Squared. */
function distance(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, x, at) => sum + (x - (b[at] ?? 0)) ** 2, 0)
}
