import { statSync } from 'node:fs'
import { AUDIO_PLUGIN } from '../../../bot/audio/remote/link-protocol.ts'
import type { SourceName } from '../../../bot/sources/settings.ts'
import type { Sources } from '../../../bot/sources/source.ts'
import { VERSION } from '../../../lib/identity.ts'
import { toVersionObject, type InfoObject, type PluginObject } from '../protocol/info.ts'
import { createGitFacts } from './git-facts.ts'
import { isSourceName, lavalinkName } from './source-names.ts'
import { assetFile } from '../../../lib/installation.ts'

/** The filters of Lavalink 4, in its order. */
const LAVALINK_FILTERS = [
  'volume',
  'equalizer',
  'karaoke',
  'timescale',
  'tremolo',
  'vibrato',
  'distortion',
  'rotation',
  'channelMix',
  'lowPass',
]

/** Clients ask for the major version. The build says whose node it is: nothing takes it for another one. */
const SEMVER = `4.2.2+bandstand.${VERSION}`

/** A plug-in of Lavalink whose routes, prefixes and events work here, and the version that they are of. */
interface Convention extends PluginObject {
  /** Without one of these sources nothing of it works; null: it needs none. */
  readonly needs: readonly SourceName[] | null
}

const CONVENTIONS: readonly Convention[] = [
  { name: 'lavasrc-plugin', version: '4.8.1', needs: ['spotify', 'deezer', 'apple'] },
  { name: 'lavasearch-plugin', version: '1.0.0', needs: null },
  { name: 'lavalyrics-plugin', version: '1.1.0', needs: null },
  { name: 'java-lyrics-plugin', version: '1.6.6', needs: null },
  { name: 'sponsorblock-plugin', version: '3.0.1', needs: ['youtube'] },
]

interface NodeInfoOptions {
  readonly sources: Pick<Sources, 'names'>
  /** Services of ours may run their players here. */
  readonly hasAudioLinks?: boolean
}

/** Current version and abilities of the node: sources are switched on and off. */
export function createNodeInfo({ sources, hasAudioLinks = false }: NodeInfoOptions): () => Promise<InfoObject> {
  const version = toVersionObject(SEMVER)
  const { mtimeMs } = statSync(assetFile('package.json'))
  const gitFacts = createGitFacts()
  return async () => {
    const git = await gitFacts()
    const names = sources.names.filter(isSourceName)
    const plugins = CONVENTIONS.filter(({ needs }) => needs === null || needs.some((name) => names.includes(name)))
    return {
      version,
      buildTime: Math.round(mtimeMs),
      git,
      jvm: `Node.js ${process.versions.node}`,
      lavaplayer: `Bandstand ${VERSION}`,
      sourceManagers: names.map(lavalinkName),
      filters: LAVALINK_FILTERS,
      plugins: [...plugins, ...(hasAudioLinks ? [AUDIO_PLUGIN] : [])].map(({ name, version: of }) => ({
        name,
        version: of,
      })),
    }
  }
}
