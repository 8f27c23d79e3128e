import type { LoadResult } from '../../api/lavalink/protocol/load-result.ts'

/** The answer in few words: its type, and what it holds. */
export function loadWords(result: LoadResult): string {
  switch (result.loadType) {
    case 'track':
      return `track ${result.data.info.sourceName} ${result.data.info.title}`
    case 'playlist': {
      const { info, tracks } = result.data
      return `playlist ${info.name} ${info.selectedTrack} ${tracks.map((it) => it.info.title).join(', ')}`
    }
    case 'search':
      return `search ${result.data.map(({ info }) => `${info.sourceName} ${info.title}`).join(', ')}`
    case 'empty':
      return 'empty'
    case 'error':
      return `error ${result.data.severity} ${result.data.message}`
  }
}
